// One's own cards: in groups, each a button; reached by the arrow keys once one of them has the focus.

import { face } from './cards.js';
import { keepOrder, orderOf, set, settings } from './device.js';
import { h } from './dom.js';
import { dragging, endsDrag } from './drag.js';
import { groups, moved } from './sorting.js';
import { meldKind, spoken } from './words.js';

const SORTS = [
  ['melds', 'Melds'],
  ['suit', 'Suit'],
  ['rank', 'Rank'],
  ['own', 'My own'],
];
const KINDS = { run: 'Run', set: 'Set', deadwood: 'Deadwood', all: 'Your cards' };

/** `chosen` is the card that is picked, `choose(card)` is called with the next; `render` after a change of order. */
export function ownHand({ hand, chosen, choose, discard, canChoose, render }) {
  const sort = settings().sort;
  const laid = groups(hand, sort, orderOf(hand.id) ?? []);
  const order = laid.flatMap((group) => group.cards);
  const current = order.includes(chosen) ? chosen : (hand.drawn_card ?? order[0]);
  const shift = (step) => {
    keepOrder(hand.id, moved(order, chosen, step));
    render();
  };
  const put = (card, other) => {
    keepOrder(hand.id, moved(order, card, order.indexOf(other) - order.indexOf(card)));
    set({ sort: 'own' });
    render();
  };
  const within = { hand, chosen, choose, canChoose, order, current, sort, shift };
  return h(
    'section',
    { class: 'own', 'aria-label': 'Your hand', key: 'own' },
    h(
      'div',
      { class: 'groups fanned', onkeydown: (event) => walk(event, within), ...dragging({ discard, put }) },
      laid.map((group) => shownGroup(group, within)),
    ),
    h('div', { class: 'under' }, tally(hand, sort), arranging(within), sorts(hand, order, render)),
  );
}

function shownGroup(group, within) {
  const count = group.cards.length;
  return h(
    'div',
    {
      class: `group ${group.kind}${count > 6 ? ' long' : ''}${count > 7 ? ' longer' : ''}`,
      role: 'group',
      'aria-label': KINDS[group.kind],
      key: group.cards[0],
      '--half': Math.ceil(count / 2),
    },
    h(
      'div',
      { class: 'cards' },
      group.cards.map((card) => ownCard(card, within)),
    ),
    group.kind === 'all' ? null : h('span', { class: 'label', 'aria-hidden': 'true' }, KINDS[group.kind]),
  );
}

function ownCard(card, { hand, chosen, choose, canChoose, order, current }) {
  const isKept = card === hand.just_taken;
  const names = ['card', card === chosen && 'chosen', isKept && 'kept', card === hand.drawn_card && 'drawn'];
  return h(
    'button',
    {
      key: card,
      class: names.filter(Boolean).join(' '),
      'data-card': card,
      'aria-label': nameInHand(card, hand),
      'aria-pressed': canChoose ? String(card === chosen) : null,
      'aria-disabled': isKept || !canChoose ? 'true' : null,
      tabindex: card === current ? 0 : -1,
      '--at': order.indexOf(card) - (order.length - 1) / 2,
      onclick: () => endsDrag() || choose(card),
    },
    face(card),
  );
}

/** What a card is called, and where it lies: `seven of hearts, in a run`. */
export function nameInHand(card, { melds, just_taken, drawn_card }) {
  const meld = melds.find((one) => one.includes(card));
  const parts = [spoken(card), meld ? `in a ${meldKind(meld)}` : 'deadwood'];
  if (card === just_taken) parts.push('just taken, to be kept this turn');
  else if (card === drawn_card) parts.push('just drawn');
  return parts.join(', ');
}

function walk(event, { order, chosen, shift, sort }) {
  const card = event.target.closest('[data-card]')?.dataset.card;
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -99, End: 99 }[event.key];
  if (!card || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (event.shiftKey && sort === 'own' && card === chosen) return shift(step);
  const to = order[Math.max(0, Math.min(order.length - 1, order.indexOf(card) + step))];
  event.currentTarget.querySelector(`[data-card="${to}"]`).focus();
}

const tally = (hand, sort) =>
  h(
    'p',
    { class: 'tally' },
    h('strong', {}, `Deadwood ${hand.deadwood}`),
    hand.cards.length > 10 && h('span', { class: 'least' }, ' after your best discard'),
    sort !== 'melds' && hand.melds.length > 0 && `, ${hand.melds.length} melded`,
  );

/** In one's own order a chosen card can be moved, by touch as by keyboard. */
function arranging({ sort, chosen, shift }) {
  if (sort !== 'own' || !chosen) return null;
  return h(
    'span',
    { class: 'arranging' },
    h('button', { 'aria-label': `Move ${spoken(chosen)} left`, onclick: () => shift(-1) }, '◀'),
    h('button', { 'aria-label': `Move ${spoken(chosen)} right`, onclick: () => shift(1) }, '▶'),
  );
}

function sorts(hand, order, render) {
  const choose = (sort) => {
    if (sort === 'own' && !orderOf(hand.id)) keepOrder(hand.id, order);
    set({ sort });
    render();
  };
  return h(
    'label',
    { class: 'sort' },
    'Order ',
    h(
      'select',
      { onchange: (event) => choose(event.target.value) },
      SORTS.map(([sort, name]) => h('option', { value: sort, selected: settings().sort === sort, key: sort }, name)),
    ),
  );
}
