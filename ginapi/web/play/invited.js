// Somebody passed on a link to a table: `#join=<table>.<invite>`.

import { h } from './dom.js';
import { me } from './device.js';
import { sitDownAt } from './lobby.js';

export function invited(rest) {
  const [tableId, invite] = rest.split('.');
  return { title: 'Invited', place: 'join', view: () => view(tableId, invite) };
}

function view(tableId, invite) {
  const { token, name } = me();
  return h(
    'div',
    { class: 'hero felt' },
    h('h1', { tabindex: -1 }, 'You are invited to a table'),
    h('p', {}, name ? `You sit down as ${name}.` : 'At a table without a stake no account is needed.'),
    h(
      'div',
      { class: 'row' },
      h('button', { class: 'primary large', onclick: () => sitDownAt(token, tableId, invite) }, 'Sit down'),
      h('a', { class: 'button', href: '#lobby' }, 'To the lobby'),
    ),
  );
}
