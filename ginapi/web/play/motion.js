// Cards glide from where they lay to where they lie: a picture of what the service has already said, never ahead of it.

const LENGTH_MS = 260;

let lay = new Map();

/** After the page is painted: let every card that lies elsewhere now come from where it lay. */
export function glide() {
  const before = lay;
  lay = new Map();
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const stock = document.getElementById('stock')?.getBoundingClientRect();
  for (const node of document.querySelectorAll('[data-card]')) {
    const place = node.getBoundingClientRect();
    lay.set(node.dataset.card, { left: place.left + scrollX, top: place.top + scrollY });
    if (isStill || before.size === 0) continue;
    const from = before.get(node.dataset.card) ?? (node.classList.contains('drawn') ? stock : null);
    if (from) move(node, from.left - place.left - scrollX, from.top - place.top - scrollY);
  }
}

function move(node, x, y) {
  if (Math.abs(x) + Math.abs(y) < 8) return;
  const picture = node.firstElementChild;
  picture?.animate([{ translate: `${x}px ${y}px` }, { translate: '0 0' }], {
    duration: LENGTH_MS,
    easing: 'cubic-bezier(.2,.7,.3,1)',
  });
}
