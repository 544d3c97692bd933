// One's coins: what there is, what is held at tables, and where each came from or went.

import { getSurely, post } from './api.js';
import { me } from './device.js';
import { h } from './dom.js';
import { attempt, notice, render } from './page.js';
import { coins } from './words.js';

const PAGE = 20;

export function wallet() {
  const seen = { wallet: null, entries: [], next: null, isKnown: false, isLow: false };
  if (me().name) attempt(() => look(seen));
  const whose = () => me().name && me().token;
  const shown = () => (whose() ? view(seen, whose()) : nobody());
  return { title: 'Wallet', place: 'wallet', view: shown, lost: render, whose };
}

async function look(seen) {
  const [wallet, page, stakes] = await Promise.all([
    getSurely('/v1/wallet'),
    getSurely(`/v1/wallet/entries?limit=${PAGE}`),
    getSurely('/v1/stakes'),
  ]);
  const [least] = stakes.items;
  // A refill is for who could not sit down at the smallest stake with all there is.
  const isLow = wallet.balance + wallet.held < least.stake + least.leaving_fee;
  Object.assign(seen, { wallet, entries: page.items, next: page.next, isKnown: true, isLow });
}

async function older(seen) {
  const page = await getSurely(`/v1/wallet/entries?limit=${PAGE}&cursor=${encodeURIComponent(seen.next)}`);
  Object.assign(seen, { entries: [...seen.entries, ...page.items], next: page.next });
}

async function refill(seen, as) {
  await post('/v1/wallet/refills', {}, { as });
  notice('Your coins are refilled.', 'done');
  await look(seen);
}

const nobody = () =>
  h(
    'div',
    { class: 'sheet' },
    h('h1', { tabindex: -1 }, 'Wallet'),
    h('p', {}, 'Coins belong to an account. They have no cash value and cannot be cashed out.'),
    h('a', { class: 'button primary', href: '#account' }, 'Sign in or sign up'),
  );

function view(seen, as) {
  if (!seen.isKnown) {
    return h('div', { class: 'sheet' }, h('h1', { tabindex: -1 }, 'Wallet'), h('p', {}, 'Counting…'));
  }
  const { balance, held, note } = seen.wallet;
  return h(
    'div',
    { class: 'sheet' },
    h('h1', { tabindex: -1 }, 'Wallet'),
    h(
      'div',
      { class: 'purse' },
      h('p', {}, h('strong', {}, coins(balance)), ' coins'),
      held > 0 && h('p', {}, h('strong', {}, coins(held)), ' held at tables'),
    ),
    h('p', { class: 'note' }, note),
    seen.isLow && h('button', { class: 'primary', onclick: () => attempt(() => refill(seen, as)) }, 'Ask for a refill'),
    h('h2', {}, 'Statement'),
    h('ul', { class: 'entries' }, seen.entries.map(entry)),
    seen.next && h('button', { onclick: () => attempt(() => older(seen)) }, 'Older'),
  );
}

const entry = (one) =>
  h(
    'li',
    { key: one.number },
    h(
      'span',
      { class: 'why' },
      one.reason,
      h('small', {}, ' ', when(one.at), one.table_id && [' · ', h('a', { href: `#table=${one.table_id}` }, 'table')]),
    ),
    h(
      'span',
      { class: one.coins < 0 ? 'sum less' : 'sum more' },
      `${one.coins < 0 ? '−' : '+'}${coins(Math.abs(one.coins))}`,
    ),
    h('span', { class: 'after' }, coins(one.balance)),
  );

const when = (moment) => new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
