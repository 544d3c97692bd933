// The end of a hand: both hands face up, the sum in words, and how the match stands; after the last, how it ended.

import { post, seated } from './api.js';
import { face } from './cards.js';
import { h } from './dom.js';
import { attempt, go, notice } from './page.js';
import { byRank, inMeld } from './sorting.js';
import { countdown } from './ticking.js';
import { missed } from './told.js';
import { coins, counted, meldKind, nameOf, outcome, spoken } from './words.js';

export function ending(seat) {
  const { hand, table, mine } = seat;
  const who = (one) => nameOf(table, one, mine);
  const [headline, sum] = outcome(hand.result, who);
  const isOver = table.status === 'finished';
  const tone = hand.result.winner === null ? '' : hand.result.winner === mine ? ' won' : ' lost';
  return [
    h(
      'div',
      { class: `felt ending${tone}`, key: 'ending' },
      h(
        'div',
        { class: 'verdict' },
        h('h2', {}, headline),
        h('p', { class: 'sum' }, sum),
        missed(seat) > 0 &&
          h(
            'p',
            { class: 'standing' },
            `Time ran out ${counted(missed(seat), 'time')} for you in this hand: the table played on.`,
          ),
        isOver ? matchOver(seat) : h('p', { class: 'standing' }, standing(seat, who)),
      ),
      h(
        'div',
        { class: 'shown' },
        [1 - mine, mine].map((one) => shown(hand.result, one, who(one), isAtStake(hand.result))),
      ),
      soFar(seat),
    ),
    h(
      'div',
      { class: 'actions', key: 'end-actions' },
      isOver ? afterMatch(seat) : nextHand(seat),
      h('a', { class: 'button', href: `#hand=${hand.id}` }, 'See the hand again'),
    ),
  ];
}

const isAtStake = (result) => !['left', 'void'].includes(result.kind);

function standing({ hand, mine }, who) {
  const [own, other] = [hand.scores[mine], hand.scores[1 - mine]];
  return `${who(mine)} ${own}, ${who(1 - mine)} ${other}, to ${hand.target}`;
}

/** One seat's cards at the end: melds, what it laid off, and what counted against it. */
export function shown(result, seat, name, counts = true) {
  const { cards, melds, layoffs, deadwood } = result.seats[seat];
  const laid = layoffs.map((one) => one.card);
  const used = [...melds.flat(), ...laid];
  const rest = cards.filter((card) => !used.includes(card)).sort(byRank);
  const groups = [...melds.map((meld) => [meldKind(meld), inMeld(meld)]), ['laid off', laid], ['deadwood', rest]];
  return h(
    'section',
    { class: 'seat', key: seat, 'aria-label': `Cards of ${name}` },
    h('h3', {}, name, h('small', {}, counts ? ` deadwood ${deadwood}` : '')),
    h(
      'div',
      { class: 'groups' },
      groups
        .filter(([, all]) => all.length)
        .map(([kind, all]) =>
          h(
            'div',
            { class: `group ${kind === 'laid off' ? 'laid-off' : kind}`, key: all[0] },
            h(
              'div',
              { class: 'cards' },
              all.map((card) =>
                h(
                  'span',
                  {
                    class: 'card',
                    key: card,
                    'data-card': card,
                    role: 'img',
                    'aria-label': `${spoken(card)}, ${kind}`,
                  },
                  face(card),
                ),
              ),
            ),
            h('span', { class: 'label', 'aria-hidden': 'true' }, kind),
          ),
        ),
    ),
  );
}

/** Every finished hand of the match; each can be seen again. */
export function soFar({ table, mine }) {
  if (table.hands.length < 2) return null;
  const said = ({ kind, winner, points }) =>
    winner === null ? kind : `${kind}, ${nameOf(table, winner, mine)} +${points}`;
  return h(
    'details',
    { class: 'so-far', key: 'so-far' },
    h('summary', {}, `The match so far: ${counted(table.hands.length, 'hand')}`),
    h(
      'ol',
      {},
      table.hands.map((one) =>
        h('li', { key: one.id }, h('a', { href: `#hand=${one.id}` }, `Hand ${one.number}`), ` ${said(one)}`),
      ),
    ),
  );
}

function nextHand(seat) {
  const { hand, table } = seat;
  const at = hand.next_hand_at ?? table.next_hand_at;
  const isDealt = seat.dealtOn !== null;
  return h(
    'button',
    { class: 'primary', id: 'next', disabled: Boolean(seat.sending), onclick: () => attempt(() => seat.next()) },
    seat.sending?.action === 'deal' ? 'Dealing…' : isDealt ? 'Go to the next hand' : 'Next hand',
    !isDealt && at && h('small', {}, ' deals in ', countdown(at)),
  );
}

/** How the match ended. */
export function matchOver({ table, mine }) {
  const who = (one) => nameOf(table, one, mine);
  const won = table.winner === mine;
  const why = { left: `${who(1 - table.winner)} left`, closed: 'The table closed', void: 'The house called it off' }[
    table.ended
  ];
  const headline = table.winner === null ? why : `${who(table.winner)} ${won ? 'win' : 'wins'} the match`;
  return h(
    'div',
    { class: 'match', key: 'match' },
    h(
      'p',
      { class: 'match-won' },
      headline,
      table.winner !== null && `, ${table.seats[table.winner].score} : ${table.seats[1 - table.winner]?.score ?? 0}`,
    ),
    why && table.winner !== null && h('p', {}, `${why}.`),
    table.payout > 0 &&
      h(
        'p',
        { class: 'payout' },
        won ? `You are paid ${counted(table.payout, 'coin')}. ` : '',
        h('small', {}, table.note),
      ),
    !won && table.stake > 0 && table.payout > 0 && h('p', {}, `Your stake of ${coins(table.stake)} is theirs.`),
  );
}

function afterMatch(seat) {
  const { table, mine } = seat;
  if (mine === null || table.seats.length < 2)
    return h('a', { class: 'button primary', id: 'next', href: '#lobby' }, 'To the lobby');
  const asked = table.rematch.includes(mine) && !table.rematch_table_id;
  const isAsked = table.rematch.includes(1 - mine) && !table.rematch_table_id;
  const text = asked ? 'Waiting for the other seat…' : isAsked ? 'Accept the rematch' : 'Play again';
  return [
    h(
      'button',
      { class: 'primary', id: 'next', disabled: asked, onclick: () => attempt(() => rematch(seat)) },
      text,
      table.stake > 0 && h('small', {}, ` stake ${coins(table.stake)}`),
    ),
    h('a', { class: 'button', href: '#lobby' }, 'To the lobby'),
  ];
}

async function rematch(seat) {
  const answer = await post(`/v1/tables/${seat.id}/rematch`, {}, { at: seat.id, as: seat.as });
  if (answer.id === seat.id) {
    notice('You have asked for a rematch. It stands for a minute.', 'done');
    return seat.refresh();
  }
  seated(answer, answer.id, seat.as);
  return go(`table=${answer.id}`);
}
