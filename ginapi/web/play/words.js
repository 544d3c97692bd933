// Cards, moves and results as a person says them.

const RANKS = {
  A: 'ace',
  2: 'two',
  3: 'three',
  4: 'four',
  5: 'five',
  6: 'six',
  7: 'seven',
  8: 'eight',
  9: 'nine',
  T: 'ten',
  J: 'jack',
  Q: 'queen',
  K: 'king',
};
const SUITS = { s: 'spades', h: 'hearts', d: 'diamonds', c: 'clubs' };
const SIGNS = { s: '♠', h: '♥', d: '♦', c: '♣' };

export const rankOf = (card) => card[0];
export const suitOf = (card) => card[1];
export const shownRank = (card) => (card[0] === 'T' ? '10' : card[0]);

/** `7h` as `seven of hearts`. */
export const spoken = (card) => `${RANKS[card[0]]} of ${SUITS[card[1]]}`;

/** `7h` as `7♥`. */
export const written = (card) => shownRank(card) + SIGNS[card[1]];

export const coins = (amount) => amount.toLocaleString('en');
export const counted = (count, one, many = `${one}s`) => `${coins(count)} ${count === 1 ? one : many}`;
export const isRun = (meld) => meld[0][0] !== meld[1][0];
export const meldKind = (meld) => (isRun(meld) ? 'run' : 'set');

/** How a seat is called in a sentence. */
export function nameOf(table, seat, mine) {
  if (seat === mine) return 'You';
  const { kind, name } = table.seats.find((one) => one.seat === seat) ?? {};
  if (kind === 'computer') return 'The computer';
  return kind === 'account' ? name : 'Guest';
}

/** A record of a hand as a clause, without who did it; `spell` is how cards are put. */
export function did(record, spell = written) {
  switch (record.action) {
    case 'draw':
      if (record.from === 'discard') return `took ${the(record.card, spell)} from the pile`;
      return record.card ? `drew ${the(record.card, spell)} from the stock` : 'drew from the stock';
    case 'pass':
      return 'passed';
    case 'discard':
      return `discarded ${the(record.card, spell)}`;
    case 'knock':
      return `knocked with ${the(record.card, spell)}`;
    case 'layoff':
      return record.layoffs?.length
        ? `laid off ${record.layoffs.map((laid) => the(laid.card, spell)).join(', ')}`
        : 'laid off nothing';
    case 'leave':
      return 'left the table';
    default:
      return 'called the match off';
  }
}

/** A move as it might be made: `take 9♠`. */
export function proposed(move, spell = written) {
  switch (move.action) {
    case 'draw':
      return move.from === 'stock' ? 'draw from the stock' : 'take the card from the pile';
    case 'pass':
      return 'pass';
    case 'layoff':
      return move.layoffs?.length
        ? `lay off ${move.layoffs.map((laid) => the(laid.card, spell)).join(', ')}`
        : 'lay off nothing';
    default:
      return `${move.action === 'knock' ? 'knock with' : 'discard'} ${the(move.card, spell)}`;
  }
}

const the = (card, spell) => (spell === spoken ? `the ${spell(card)}` : spell(card));

/** Several records of one seat as one sentence. */
export function sentence(who, records, spell = written) {
  const parts = records.map((record) => did(record, spell));
  const last = parts.pop();
  return `${who} ${parts.length ? `${parts.join(', ')} and ${last}` : last}.`;
}

const hasOf = (who) => (who === 'You' ? 'You have' : `${who} has`);
const verb = (who, one, many) => (who === 'You' ? many : one);

/** What a finished hand came to: a headline, and the sum in words. `who` says how each seat is called. */
export function outcome(result, who) {
  const [winner, knocker] = [result.winner, result.knocker];
  const at = (seat) => result.seats[seat].deadwood;
  switch (result.kind) {
    case 'gin':
      return [
        `${who(winner)} ${verb(who(winner), 'goes', 'go')} gin`,
        `25 for gin + ${at(1 - winner)} deadwood = ${result.points}`,
      ];
    case 'knock':
      return [
        `${who(winner)} ${verb(who(winner), 'wins', 'win')} the hand`,
        `${at(1 - winner)} − ${at(winner)} = ${result.points}`,
      ];
    case 'undercut':
      return [
        `${who(winner)} ${verb(who(winner), 'undercuts', 'undercut')}`,
        `${at(knocker)} − ${at(winner)} = ${at(knocker) - at(winner)}, undercut +25 = ${result.points}`,
      ];
    case 'wash':
      return ['The hand is a wash', 'The stock ran down before anybody knocked: nobody scores.'];
    case 'left':
      return [`${who(1 - winner)} left`, `${hasOf(who(winner))} the match; the hand is not counted.`];
    default:
      return ['The match was called off', 'The house ended it: stakes and fees went back.'];
  }
}
