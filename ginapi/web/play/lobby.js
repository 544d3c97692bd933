// Where one sits down: practice at one click, tables for coins, tables with other people.

import { found, get, post, seated } from './api.js';
import { me, set, settings } from './device.js';
import { h } from './dom.js';
import { whenBack } from './line.js';
import { attempt, go, render } from './page.js';
import { choice } from './settings.js';
import { coins, counted } from './words.js';

const LOOK_EVERY_MS = 5000;
const LEVELS = [
  ['easy', 'Easy'],
  ['medium', 'Medium'],
  ['hard', 'Hard'],
];
const RULES = [
  ['house', 'House'],
  ['contest', 'Contest'],
];
const LISTED = 8;

export function lobby() {
  const seen = { stakes: null, who: null, wallet: null, mine: [], open: [] };
  let looks = 0;
  let timer;
  const follow = async () => {
    clearTimeout(timer);
    looks += 1;
    const mine = looks;
    if (document.visibilityState === 'visible') await look(seen);
    if (mine !== looks) return; // Another has begun since, or the lobby is left.
    render();
    timer = setTimeout(follow, LOOK_EVERY_MS);
  };
  const letGo = whenBack(follow);
  follow();
  return {
    title: '',
    place: 'lobby',
    view: () => view(seen),
    lost: follow,
    close: () => {
      looks += 1;
      clearTimeout(timer);
      letGo();
    },
  };
}

/** Everything that the lobby shows; what cannot be had now stays as it was. */
async function look(seen) {
  const { token, name } = me();
  const isKnown = seen.stakes && seen.who === token;
  const [stakes, open, mine, wallet] = await Promise.all([
    isKnown ? null : found(get('/v1/stakes')),
    found(get(`/v1/tables?kind=online&status=open&limit=${LISTED}`)),
    token ? found(get(`/v1/tables?mine=true&limit=${LISTED}`)) : { items: [] },
    name ? found(get('/v1/wallet')) : null,
  ]);
  if (stakes) Object.assign(seen, { stakes, who: token });
  if (mine) seen.mine = mine.items.filter((table) => table.status !== 'finished');
  if (open) seen.open = open.items.filter((table) => !table.seats.some((seat) => seat.you));
  seen.wallet = wallet ?? (name ? seen.wallet : null);
}

/** Sit down, as who one was when it was offered, by a request whose answer is a table, or a hand at one. */
const sitDown = (as, path, body, tableId = null) =>
  attempt(async () => {
    const answer = await post(path, body, { as }).catch((problem) => {
      if (problem.code === 'already_seated' && tableId) return { id: tableId };
      throw problem;
    });
    const seat = answer.table_id ?? answer.id;
    seated(answer, seat, as);
    go(`table=${seat}`);
  });

const practise = (as) => sitDown(as, '/v1/hands', { level: settings().level, rules: settings().rules });

/** Sit down at a table that is known; who sits there already goes there. */
export const sitDownAt = (as, tableId, invite) =>
  sitDown(as, `/v1/tables/${tableId}/seats`, invite ? { invite } : {}, tableId);

function view(seen) {
  const as = me().token;
  return [
    h(
      'div',
      { class: 'hero felt' },
      h('h1', { tabindex: -1 }, 'A table is free'),
      h('p', {}, 'Gin rummy to 100. Practice needs no account and no coins.'),
      h(
        'div',
        { class: 'terms' },
        choice('level', 'The computer plays', LEVELS, settings().level, (level) => {
          set({ level });
          render();
        }),
        choice('rules', 'The rules', RULES, settings().rules, (rules) => {
          set({ rules });
          render();
        }),
      ),
      settings().rules === 'contest' &&
        h('p', { class: 'note' }, 'The first face-up card is offered to each seat in turn, before anybody draws.'),
      h('button', { class: 'primary large', onclick: () => practise(as) }, 'Deal me in'),
    ),
    seen.mine.length > 0 && yours(seen.mine),
    h('div', { class: 'rooms' }, forCoins(seen, as), withPeople(seen, as)),
  ];
}

const yours = (mine) =>
  h(
    'section',
    { class: 'panel', key: 'mine' },
    h('h2', {}, 'Your tables'),
    h(
      'ul',
      { class: 'tables' },
      mine.map((table) =>
        h(
          'li',
          { key: table.id },
          h('span', {}, titleOf(table), h('small', {}, scoreOf(table))),
          h('a', { class: 'button', href: `#table=${table.id}` }, table.status === 'open' ? 'Wait there' : 'Go on'),
        ),
      ),
    ),
  );

function titleOf(table) {
  const other = table.seats.find((seat) => !seat.you);
  if (table.kind === 'practice')
    return `Practice, ${table.level}${table.rules === 'contest' ? ', contest rules' : ''}`;
  if (table.kind === 'coin') return `Coin table, ${coins(table.stake)}`;
  return other ? `With ${other.kind === 'account' ? other.name : 'a guest'}` : 'Waiting for a second player';
}

const scoreOf = (table) =>
  table.status === 'open'
    ? stakeOf(table.stake)
    : `${table.seats.map((seat) => seat.score).join(' : ')} of ${table.target}`;

const stakeOf = (stake) => (stake ? `stake ${coins(stake)}` : 'no stake');

function forCoins({ stakes, wallet }, as) {
  return h(
    'section',
    { class: 'panel', key: 'coins' },
    h('h2', {}, 'For coins, against the computer'),
    wallet &&
      h(
        'p',
        { class: 'balance' },
        h('strong', {}, coins(wallet.balance)),
        ' coins',
        wallet.held > 0 && h('small', {}, ` and ${coins(wallet.held)} held at tables`),
      ),
    h('p', { class: 'note' }, stakes?.note),
    stakes &&
      stakeChoice('stake', stakes.items, settings().stake, (stake) => {
        set({ stake });
        render();
      }),
    wallet
      ? h(
          'button',
          {
            class: 'primary',
            disabled: !settings().stake,
            onclick: () => sitDown(as, '/v1/tables', { kind: 'coin', stake: settings().stake }),
          },
          settings().stake ? `Sit down for ${coins(settings().stake)}` : 'Choose a stake',
        )
      : h('a', { class: 'button', href: '#account' }, 'Sign in to play for coins'),
  );
}

function stakeChoice(name, stakes, chosen, onchoose) {
  return h(
    'fieldset',
    { class: 'choice', key: name },
    h('legend', {}, 'Stake'),
    h(
      'div',
      { class: 'options chips' },
      stakes.map(({ stake, leaving_fee, can_sit }) =>
        h(
          'label',
          {
            class: 'option',
            key: stake,
            title: leaving_fee ? `Leaving costs the stake and ${leaving_fee} beside it` : null,
          },
          h('input', {
            type: 'radio',
            name,
            value: stake,
            checked: chosen === stake,
            disabled: can_sit === false,
            onchange: () => onchoose(stake),
          }),
          h('span', {}, stake ? coins(stake) : 'None'),
        ),
      ),
    ),
  );
}

let onlineStake = 0;

function withPeople({ stakes, open, wallet }, as) {
  const offered = [{ stake: 0 }, ...(wallet && stakes ? stakes.items : [])];
  return h(
    'section',
    { class: 'panel', key: 'people' },
    h('h2', {}, 'With other people'),
    offered.length > 1 &&
      stakeChoice('online', offered, onlineStake, (stake) => {
        onlineStake = stake;
        render();
      }),
    onlineStake > 0 && h('p', { class: 'note' }, stakes.note),
    h(
      'div',
      { class: 'row' },
      h(
        'button',
        { class: 'primary', onclick: () => sitDown(as, '/v1/tables/quick', { stake: onlineStake }) },
        'Quick play',
      ),
      h(
        'button',
        { onclick: () => sitDown(as, '/v1/tables', { kind: 'online', stake: onlineStake, private: true }) },
        'Invite somebody',
      ),
    ),
    h('h3', {}, open.length ? `${counted(open.length, 'open table')}` : 'No table waits just now'),
    h(
      'ul',
      { class: 'tables' },
      open.map((table) =>
        h(
          'li',
          { key: table.id },
          h(
            'span',
            {},
            table.seats[0].kind === 'account' ? table.seats[0].name : 'A guest',
            h('small', {}, `${stakeOf(table.stake)}, ${table.clock.move_ms / 1000} s a move`),
          ),
          h('button', { onclick: () => sitDownAt(as, table.id) }, 'Sit down'),
        ),
      ),
    ),
  );
}
