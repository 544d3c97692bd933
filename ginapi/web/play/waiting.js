// A table that waits for its second player, and one that is not there for us.

import { h } from './dom.js';
import { openLeaving } from './leaving.js';
import { notice } from './page.js';
import { coins } from './words.js';

const linkTo = (table) => `${location.origin}/play#join=${table.id}${table.invite ? `.${table.invite}` : ''}`;

async function pass(link) {
  try {
    if (navigator.share) await navigator.share({ title: 'Gin rummy', url: link });
    else {
      await navigator.clipboard.writeText(link);
      notice('The link is copied.', 'done');
    }
  } catch (error) {
    if (error.name !== 'AbortError') notice('This browser does not let the page copy: select the link instead.');
  }
}

export function waiting({ table, mine }) {
  const link = linkTo(table);
  return h(
    'div',
    { class: 'felt waits', key: 'waits' },
    h('h2', {}, 'Waiting for a second player'),
    h(
      'p',
      {},
      `${table.clock.move_ms / 1000} seconds for each move, `,
      `${table.stake ? `stake ${coins(table.stake)}` : 'no stake'}. The table closes if nobody comes.`,
    ),
    table.note && h('p', { class: 'note' }, table.note),
    mine !== null &&
      h(
        'label',
        { class: 'field' },
        table.private ? 'Whoever has this link can sit down' : 'Send this link, or wait for anybody',
        h('input', { class: 'link', readonly: true, value: link, onfocus: (event) => event.target.select() }),
      ),
    h(
      'div',
      { class: 'row' },
      mine !== null && h('button', { class: 'primary', onclick: () => pass(link) }, 'Pass on the link'),
      mine !== null && h('button', { onclick: openLeaving }, 'Leave'),
    ),
  );
}

/** The service shows us no such table. */
export function gone(problem, tableId) {
  const isOut = problem.status === 401;
  return h(
    'div',
    { class: 'sheet', key: 'gone' },
    h('h1', { tabindex: -1 }, isOut ? 'You are signed out here' : 'This table is not yours to see'),
    h('p', {}, problem.message),
    h(
      'div',
      { class: 'row' },
      isOut && h('a', { class: 'button primary', href: `#account=table=${tableId}` }, 'Sign in'),
      h('a', { class: 'button', href: '#lobby' }, 'To the lobby'),
    ),
  );
}
