// The middle of the table: the other seat, the stock and the discard pile.

import { back, face } from './cards.js';
import { h } from './dom.js';
import { lately } from './told.js';
import { mayDraw } from './turn.js';
import { counted, nameOf, spoken, written } from './words.js';

export function opponentRow({ hand, table }) {
  const { cards_count, known_cards } = hand.opponent;
  const name = nameOf(table, 1 - hand.seat, hand.seat);
  const known = known_cards.length ? `, among them ${known_cards.map(spoken).join(', ')}` : '';
  return h(
    'div',
    { class: 'opponent', role: 'img', 'aria-label': `${name} holds ${counted(cards_count, 'card')}${known}` },
    Array.from({ length: cards_count - known_cards.length }, (_, place) =>
      h('span', { class: 'their-card', key: `back ${place}`, '--at': place - (cards_count - 1) / 2 }, back()),
    ),
    known_cards.map((card, place) =>
      h(
        'span',
        {
          class: 'their-card known',
          key: card,
          'data-card': card,
          '--at': cards_count - known_cards.length + place - (cards_count - 1) / 2,
        },
        face(card),
      ),
    ),
  );
}

export function middle(seat, draw) {
  const { hand } = seat;
  return h(
    'div',
    { class: 'middle' },
    h('div', { class: 'piles' }, stock(seat, draw), discards(seat, draw)),
    happened(seat, lately(seat)),
  );
}

function happened({ hand }, { before, last }) {
  const list = (lines) =>
    lines.map((line, place) => h('li', { key: `${hand.id} ${place}`, class: line.kind }, line.text));
  return h(
    'div',
    { class: 'lately' },
    before.length > 0 &&
      h(
        'details',
        { class: 'while-away' },
        h('summary', {}, `While you were away: ${counted(before.length, 'turn')} more`),
        h('ol', {}, list(before)),
      ),
    h('ol', { 'aria-label': 'Lately' }, list(last)),
  );
}

function stock({ hand, isMyTurn }, draw) {
  const may = isMyTurn && mayDraw(hand, 'stock');
  return h(
    'button',
    {
      class: `pile${may ? ' open' : ''}`,
      id: 'stock',
      'aria-disabled': may ? null : 'true',
      onclick: () => draw('stock'),
      'aria-label': `Stock, ${counted(hand.stock_count, 'card')}${may ? ': draw' : ''}`,
    },
    h('span', { class: 'deep' }, back()),
    h('span', { class: 'label' }, `Stock ${hand.stock_count}`),
  );
}

function discards({ hand, isMyTurn }, draw) {
  const may = isMyTurn && mayDraw(hand, 'discard');
  const [under, top] = [hand.discard_pile.at(-2), hand.discard_pile.at(-1)];
  return h(
    'button',
    {
      class: `pile${may ? ' open' : ''}`,
      id: 'pile',
      'aria-disabled': may ? null : 'true',
      onclick: () => draw('discard'),
      'aria-label': top ? `Discard pile, ${spoken(top)} on top${may ? ': take it' : ''}` : 'Discard pile, empty',
    },
    h(
      'span',
      { class: 'heap' },
      under && h('span', { class: 'under-card', key: under, 'data-card': under }, face(under)),
      top ? h('span', { class: 'top-card', key: top, 'data-card': top }, face(top)) : h('span', { class: 'nothing' }),
    ),
    h('span', { class: 'label' }, may ? `Take ${written(top)}` : 'Discards'),
  );
}
