// How a hand lies on the table: in groups of melds and deadwood, by suit, by rank, or as its owner arranged it.

import { isRun } from './words.js';

const RANKS = 'A23456789TJQK';
const SUITS = 'shcd'; // Black and red in turn.

export const rankPlace = (card) => RANKS.indexOf(card[0]);
const suitPlace = (card) => SUITS.indexOf(card[1]);

/** What a card counts as deadwood. */
export const valueOf = (card) => Math.min(10, rankPlace(card) + 1);
export const valueOfAll = (cards) => cards.reduce((sum, card) => sum + valueOf(card), 0);

const bySuit = (a, b) => suitPlace(a) - suitPlace(b) || rankPlace(a) - rankPlace(b);
export const byRank = (a, b) => rankPlace(a) - rankPlace(b) || suitPlace(a) - suitPlace(b);
/** A meld in its order. */
export const inMeld = (meld) => [...meld].sort(isRun(meld) ? byRank : bySuit);

/** Groups of cards, each with what it is: `run`, `set` or `deadwood`; or all cards as one, in the order asked for. */
export function groups({ cards, melds }, sort, arranged = []) {
  if (sort === 'suit') return [{ kind: 'all', cards: [...cards].sort(bySuit) }];
  if (sort === 'rank') return [{ kind: 'all', cards: [...cards].sort(byRank) }];
  if (sort === 'own') return [{ kind: 'all', cards: ownOrder(cards, arranged) }];
  const melded = new Set(melds.flat());
  const rest = cards.filter((card) => !melded.has(card)).sort(byRank);
  const laid = melds.map((meld) => ({ kind: isRun(meld) ? 'run' : 'set', cards: inMeld(meld) }));
  return rest.length ? [...laid, { kind: 'deadwood', cards: rest }] : laid;
}

/** The cards as they were arranged; new ones stand last. */
export function ownOrder(cards, arranged) {
  const known = arranged.filter((card) => cards.includes(card));
  return [...known, ...cards.filter((card) => !known.includes(card)).sort(byRank)];
}

/** The order with one card moved by `step` places. */
export function moved(order, card, step) {
  const from = order.indexOf(card);
  const to = Math.max(0, Math.min(order.length - 1, from + step));
  const without = order.filter((other) => other !== card);
  return [...without.slice(0, to), card, ...without.slice(to)];
}

/** Whether a card can be added to a declared meld: the fourth of a set, or either end of a run (R11). */
export function fits(card, meld) {
  if (!isRun(meld)) return meld.length < 4 && card[0] === meld[0][0];
  const places = meld.map(rankPlace);
  return card[1] === meld[0][1] && [Math.min(...places) - 1, Math.max(...places) + 1].includes(rankPlace(card));
}
