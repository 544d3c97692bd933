// What happened at the table lately, in sentences: shown beside the piles, and said to who does not see them.

import { mayDraw } from './turn.js';
import { nameOf, outcome, sentence, spoken, written } from './words.js';

const LINES = 2;

/** The records after a seat's own last decision, in runs of one seat and one chooser. */
function runs(records) {
  const found = [];
  for (const record of records) {
    const last = found.at(-1);
    if (last && last.seat === record.seat && last.by === record.by) last.records.push(record);
    else found.push({ seat: record.seat, by: record.by, records: [record] });
  }
  return found;
}

function line({ table, mine }, run, spell) {
  const isPlayedFor = run.by === 'clock';
  const who = nameOf(table, run.seat, mine);
  if (!isPlayedFor) return sentence(who, run.records, spell);
  const what = sentence('', run.records, spell).trim();
  return who === 'You'
    ? `Time ran out: the table played for you, and ${what}`
    : `Time ran out for ${who}: the table ${what}`;
}

/** What has been played since our own last decision: the last of it, and what went before where one was away. */
export function lately(seat) {
  const { log, mine } = seat;
  const own = log.findLastIndex((record) => record.seat === mine && record.by === 'player');
  // Our own draw is shown until the discard that ends the turn.
  const isDrawn = own === log.length - 1 && log[own]?.action === 'draw';
  const lines = runs(log.slice(isDrawn ? own : own + 1)).map((run) => ({
    kind: run.by === 'clock' ? 'clock' : 'theirs',
    text: line(seat, run, written),
  }));
  return { before: lines.slice(0, -LINES), last: lines.slice(-LINES) };
}

/** How often the clock ran out for us in this hand. */
export const missed = ({ log, mine }) => runs(log).filter((run) => run.seat === mine && run.by === 'clock').length;

/** What is new against `before`, as it is said aloud. */
export function told(seat, before) {
  const { hand, log, table, mine } = seat;
  const isSame = before.hand?.id === hand.id;
  const news = log.slice(isSame ? before.log.length : Math.max(0, log.length - 2));
  const said = runs(news)
    .filter((run) => run.seat !== mine || run.by === 'clock' || run.records.some((record) => record.action === 'draw'))
    .map((run) => line(seat, run, spoken));
  if (!isSame) said.unshift(`Hand ${hand.number}.`);
  if (hand.result) said.push(`${outcome(hand.result, (one) => nameOf(table, one, mine)).join('. ')}.`);
  else if (hand.turn === mine && hand.phase === 'layoff')
    said.push(`Deadwood ${hand.knock.deadwood}. Yours to lay off.`);
  else if (hand.turn === mine && hand.phase === 'offer')
    said.push(`You are offered the ${spoken(hand.discard_pile.at(-1))}.`);
  else if (hand.turn === mine && mayDraw(hand, 'stock') && !mayDraw(hand, 'discard'))
    said.push('Your turn to draw from the stock.');
  else if (hand.turn === mine && hand.phase === 'draw') {
    said.push(`Your turn to draw. The ${spoken(hand.discard_pile.at(-1))} lies on the pile.`);
  }
  return said;
}
