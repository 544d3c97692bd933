// The head of the table: who plays whom, both scores, which hand it is, what is at stake, and the time that is left.

import { settings } from './device.js';
import { h } from './dom.js';
import { openLeaving } from './leaving.js';
import { openSettings, toggleCurl } from './page.js';
import { countdown } from './ticking.js';
import { coins, nameOf } from './words.js';

export function head(seat) {
  const { table, hand } = seat;
  const mine = seat.mine ?? 0;
  return h(
    'header',
    { class: 'head', key: 'head' },
    h('a', { class: 'away', href: '#lobby', 'aria-label': 'Back to the lobby' }, '‹'),
    h('h1', { class: 'unseen', tabindex: -1 }, hand ? `Table, hand ${hand.number}` : 'Table'),
    h(
      'div',
      { class: 'scores' },
      score(seat, mine),
      h('span', { class: 'to' }, `to ${table.target}`),
      table.status !== 'open' && score(seat, 1 - mine),
    ),
    h(
      'div',
      { class: 'about' },
      hand && h('span', {}, `Hand ${hand.number}`),
      table.stake > 0 && h('span', { class: 'stake', title: table.note }, `Stake ${coins(table.stake)}`),
      table.rules === 'contest' && h('span', {}, 'Contest rules'),
      !table.fair && h('span', { title: 'Whoever opened it chose the seed or the deck' }, 'Stacked'),
      time(seat),
    ),
    menu(seat),
  );
}

function score({ table, hand, mine }, seat) {
  const name = nameOf(table, seat, mine);
  const isTurn = hand && !hand.result && hand.turn === seat;
  const score = hand ? hand.scores[seat] : (table.seats[seat]?.score ?? 0);
  return h(
    'div',
    { class: `score${isTurn ? ' turn' : ''}` },
    h('span', { class: 'who' }, name.replace('The c', 'C')),
    h('strong', {}, score),
    h('meter', {
      min: 0,
      max: table.target,
      value: Math.min(score, table.target),
      'aria-label': `${name}: ${score} of ${table.target}`,
    }),
  );
}

/** The clock of the move that is due. The grace beyond it is not shown: it is for the network. */
function time({ hand }) {
  const clock = hand?.clock;
  if (!clock) return null;
  const mine = clock.seat === hand.seat;
  if (clock.pace === 'computer')
    return h('span', { class: 'clock fast' }, mine ? 'Playing for you' : 'Playing by itself');
  return h(
    'span',
    { class: `clock${mine ? ' mine' : ''}`, 'aria-label': mine ? 'Your time' : 'Their time' },
    countdown(clock.deadline, { mine }),
    clock.missed_in_a_row > 0 && h('small', {}, ` ${clock.missed_in_a_row} missed`),
  );
}

function menu(seat) {
  const entry = (text, work) =>
    h(
      'button',
      {
        onclick: (event) => {
          event.target.closest('details').open = false;
          work();
        },
      },
      text,
    );
  return h(
    'details',
    { class: 'menu' },
    h('summary', { 'aria-label': 'More' }, '⋯'),
    h(
      'div',
      { class: 'menu-items' },
      entry('Settings', openSettings),
      entry(settings().curl ? 'Hide requests' : 'Show requests', toggleCurl),
      h('a', { class: 'button', href: '#learn' }, 'The rules'),
      seat.mine !== null && seat.table.status !== 'finished' && entry('Leave the table', openLeaving),
    ),
  );
}
