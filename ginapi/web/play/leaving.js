// Leaving a table: what it costs is asked before it happens.

import { post } from './api.js';
import { h } from './dom.js';
import { attempt, go, notice } from './page.js';
import { coins } from './words.js';

export const openLeaving = () => document.getElementById('leaving').showModal();
const close = () => document.getElementById('leaving').close();

const leave = (seat) =>
  attempt(async () => {
    close();
    const { forfeited, fee } = await post(`/v1/tables/${seat.id}/leave`, {}, { at: seat.id, as: seat.as });
    notice(
      forfeited
        ? `You left. ${coins(forfeited)} coins are forfeited, and ${coins(fee)} paid beside them.`
        : 'You left the table.',
      'done',
    );
    go('lobby');
  });

/** What leaving now means, in a sentence. */
function cost(table) {
  if (table.status === 'open') return 'Nobody has sat down yet: leaving is free, and a stake comes back.';
  if (!table.stake) return 'The other seat wins the match. It costs nothing else.';
  return (
    `It costs your stake of ${coins(table.stake)} coins, and a leaving fee of ${coins(table.leaving_fee)} beside it: ` +
    `${coins(table.stake + table.leaving_fee)} in all, which are held already. The other seat wins the match.`
  );
}

export function leaving(seat) {
  const { table } = seat;
  return h(
    'dialog',
    { id: 'leaving', 'aria-labelledby': 'leaving-title', key: 'leaving' },
    h('h2', { id: 'leaving-title' }, 'Leave this table?'),
    h('p', {}, cost(table)),
    table.note && h('p', { class: 'note' }, table.note),
    table.status === 'playing' && h('p', {}, 'To come back later, go to the lobby instead: that is not leaving.'),
    h(
      'div',
      { class: 'row' },
      h('button', { class: 'primary', onclick: close }, 'Stay'),
      h(
        'button',
        { class: 'danger', onclick: () => leave(seat) },
        table.stake && table.status === 'playing'
          ? `Leave for ${coins(table.stake + table.leaving_fee)} coins`
          : 'Leave',
      ),
    ),
  );
}
