// A finished hand again, move by move, both hands face up: the deal that was committed to, and then its records.

import { reviewLine, reviewOf } from './advice.js';
import { getSurely } from './api.js';
import { back, face } from './cards.js';
import { tokenAt } from './device.js';
import { h } from './dom.js';
import { isAsCommitted } from './fair.js';
import { attempt, render, say } from './page.js';
import { outcome, nameOf, sentence, spoken } from './words.js';
import { valueOf } from './sorting.js';

export function replay(handId) {
  const seen = { hand: null, records: [], at: 0, table: null, review: new Map(), isFair: null };
  attempt(() => load(seen, handId));
  const keys = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -999, End: 999 }[event.key];
    if (step && seen.hand && !event.target.closest?.('input')) {
      event.preventDefault();
      to(seen, seen.at + step);
    }
  };
  document.addEventListener('keydown', keys);
  return {
    title: 'The hand again',
    place: 'hand',
    isTable: true,
    view: () => view(seen, handId),
    whose: () => tokenAt(tableOf(handId)),
    close: () => document.removeEventListener('keydown', keys),
  };
}

const tableOf = (handId) => handId.replace(/-\d+$/, '');

async function load(seen, handId) {
  const tableId = tableOf(handId);
  const [hand, table, moves] = await Promise.all([
    getSurely(`/v1/hands/${handId}`, { at: tableId }),
    getSurely(`/v1/tables/${tableId}`, { at: tableId }),
    getSurely(`/v1/hands/${handId}/moves`, { at: tableId }),
  ]);
  if (!hand.result) throw new Error('This hand is not over yet: it can be seen again once it is.');
  Object.assign(seen, { hand, table, records: moves.items });
  seen.isFair = await isAsCommitted(hand);
  render();
  seen.review = await reviewOf(handId, tableId);
}

function to(seen, at) {
  seen.at = Math.max(0, Math.min(seen.records.length, at));
  say(said(seen, spoken));
  render();
}

/** Where the cards lie after so many records: the deck goes out one at a time, the opener first. */
export function position({ hand, records }, at) {
  const { deck } = hand.result.deal;
  const dealt = deck.slice(0, 20);
  const held = [0, 1].map((seat) => dealt.filter((_, place) => (place % 2 === 0) === (seat === hand.opener)));
  const pile = [deck[20]];
  let stock = 31;
  for (const { action, seat, card, from } of records.slice(0, at)) {
    if (action === 'draw') {
      if (from === 'stock') stock -= 1;
      else pile.pop();
      held[seat].push(card);
    } else if (action === 'discard' || action === 'knock') {
      held[seat] = held[seat].filter((other) => other !== card);
      pile.push(card);
    }
  }
  return { held, pile, stock };
}

function said({ hand, records, at, table }, spell) {
  const name = (seat) => nameOf(table, seat, hand.seat);
  if (at === 0) return `The deal. ${name(hand.opener)} ${name(hand.opener) === 'You' ? 'open' : 'opens'}.`;
  const record = records[at - 1];
  const by = { clock: ' The clock chose.', house: '' }[record.by] ?? '';
  return (record.seat === null ? 'The house called the match off.' : sentence(name(record.seat), [record], spell)) + by;
}

function view(seen, handId) {
  if (!seen.hand)
    return h('div', { class: 'sheet' }, h('h1', { tabindex: -1 }, 'The hand again'), h('p', {}, 'Fetching it…'));
  const { hand, records, at, table } = seen;
  const { held, pile, stock } = position(seen, at);
  const name = (seat) => nameOf(table, seat, hand.seat);
  const mine = hand.seat ?? 0;
  const last = records[at - 1];
  return [
    h(
      'header',
      { class: 'head', key: 'head' },
      h('a', { class: 'away', href: `#table=${hand.table_id}`, 'aria-label': 'Back to the table' }, '‹'),
      h('h1', { tabindex: -1 }, `Hand ${hand.number} again`),
      deck(seen.isFair),
    ),
    h(
      'div',
      { class: 'felt replay', key: 'felt' },
      cardsOf(held[1 - mine], name(1 - mine), last),
      h(
        'div',
        { class: 'piles' },
        h('div', { class: 'lies' }, back(), h('span', {}, `Stock ${stock}`)),
        h(
          'div',
          { class: 'lies' },
          pile.length ? picture(pile.at(-1), last) : h('span', { class: 'card' }, h('span', { class: 'nothing' })),
          h('span', {}, 'Discards'),
        ),
        h('div', { class: 'what' }, h('p', {}, said(seen)), reviewLine(seen.review.get(last?.version), hand.seat)),
      ),
      cardsOf(held[mine], name(mine), last),
      at === records.length && h('p', { class: 'sum' }, outcome(hand.result, name).join(': ')),
    ),
    h(
      'div',
      { class: 'actions', key: 'actions' },
      h('button', { 'aria-label': 'To the deal', disabled: at === 0, onclick: () => to(seen, 0) }, 'Deal'),
      h('button', { 'aria-label': 'One back', disabled: at === 0, onclick: () => to(seen, at - 1) }, 'Back'),
      h(
        'label',
        { class: 'seek' },
        h('span', { class: 'unseen' }, 'Move'),
        h('input', {
          type: 'range',
          min: 0,
          max: records.length,
          value: at,
          oninput: (event) => to(seen, Number(event.target.value)),
        }),
        h('span', {}, `${at} of ${records.length}`),
      ),
      h(
        'button',
        { class: 'primary', 'aria-label': 'One on', disabled: at === records.length, onclick: () => to(seen, at + 1) },
        'On',
      ),
    ),
  ];
}

const deck = (isFair) =>
  isFair !== null &&
  h(
    'p',
    { class: isFair ? 'fair' : 'fair not' },
    isFair ? '✓ The deck is as committed to' : 'This is NOT the deck that was committed to.',
  );

const inOrder = (cards) =>
  [...cards].sort(
    (a, b) =>
      a.charCodeAt(1) - b.charCodeAt(1) || valueOf(a) - valueOf(b) || 'TJQK'.indexOf(a[0]) - 'TJQK'.indexOf(b[0]),
  );

const cardsOf = (cards, name, last) =>
  h(
    'section',
    { class: 'seat', key: name, 'aria-label': `Cards of ${name}` },
    h('h2', {}, name),
    h(
      'div',
      { class: 'cards' },
      inOrder(cards).map((card) => picture(card, last)),
    ),
  );

const picture = (card, last) =>
  h(
    'span',
    {
      class: `card${last?.card === card ? ' drawn' : ''}`,
      key: card,
      'data-card': card,
      role: 'img',
      'aria-label': spoken(card),
    },
    face(card),
  );
