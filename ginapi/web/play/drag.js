// A card dragged: onto the discard pile it is discarded, onto another card of one's hand it is put there. Nothing needs
// it: a tap or a key does the same.

const BEGINS_PX = 10;

let drag = null; // {node, picture, x, y, isMoving}
let isClickDue = false; // the click that follows the end of a drag is none

/** Handlers for the element that the own cards are in; `discard(card)` and `put(card, at)` do what a drop means. */
export function dragging({ discard, put }) {
  return {
    onpointerdown: (event) => begin(event),
    onpointermove: (event) => move(event),
    onpointerup: (event) => drop(event, discard, put),
    onpointercancel: () => end(),
  };
}

/** Whether this click ends a drag, and is to be passed by. */
export function endsDrag() {
  const was = isClickDue;
  isClickDue = false;
  return was;
}

function begin(event) {
  const node = event.target.closest('.own button[data-card]');
  isClickDue = false;
  if (!node || event.button !== 0 || !event.isPrimary) return;
  node.setPointerCapture(event.pointerId); // However fast it goes, its moves are heard here.
  drag = { node, picture: node.firstElementChild, x: event.clientX, y: event.clientY, isMoving: false };
}

function move(event) {
  if (!drag) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.isMoving && Math.hypot(x, y) < BEGINS_PX) return;
  if (!drag.isMoving) {
    drag.isMoving = true;
    drag.node.classList.add('held');
  }
  drag.picture.style.setProperty('translate', `${x}px ${y}px`);
}

function drop(event, discard, put) {
  const held = drag;
  end();
  if (!held?.isMoving) return;
  isClickDue = true;
  const card = held.node.dataset.card;
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  const other = under.map((node) => node.closest('.own button[data-card]')).find((node) => node && node !== held.node);
  if (under.some((node) => node.closest('#pile'))) discard(card);
  else if (other) put(card, other.dataset.card);
}

function end() {
  drag?.picture.style.removeProperty('translate');
  drag?.node.classList.remove('held');
  drag = null;
}

/** Where the page need not scroll, a finger that moves over a card drags it. */
export function fit() {
  const page = document.documentElement;
  page.classList.toggle('fits', page.scrollHeight <= page.clientHeight + 1);
}
