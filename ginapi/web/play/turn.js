// What a turn offers: which piles may be drawn from, what may be shed, and what a knock would do.

const of = (hand, action) => hand.legal_moves.filter((move) => move.action === action);

export const mayDraw = (hand, from) => of(hand, 'draw').some((move) => move.from === from);
export const mayDiscard = (hand, card) => of(hand, 'discard').some((move) => move.card === card);
export const mayKnock = (hand) => of(hand, 'knock').length > 0;
export const mayPass = (hand) => of(hand, 'pass').length > 0;
export const isShedding = (hand) => of(hand, 'discard').length > 0;

/**
 * What the knock button says and does, or null where there is none to show. `left` tells what shedding each card
 * leaves, as the service counted it; `limit` is the most that may be left.
 */
export function knockOffer(hand, chosen, left, limit) {
  if (!isShedding(hand)) return null;
  const cards = of(hand, 'knock').map((move) => move.card);
  if (!cards.length) return { text: `${hand.deadwood}, knock at ${limit}`, card: null };
  if (!left) return { text: 'Knock', card: null };
  const card = chosen ?? cards.reduce((best, other) => (left[other] < left[best] ? other : best));
  if (!cards.includes(card)) return { text: `Not without more than ${limit}`, card: null };
  return { text: left[card] === 0 ? 'Gin' : `Knock ${left[card]}`, card, isGin: left[card] === 0 };
}
