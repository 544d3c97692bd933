// The page round every screen: where one is, what is said aloud, what went wrong, and the panels at its foot.

import { listen } from './api.js';
import { curlPanel } from './curl.js';
import { me, onOtherTab, set, settings } from './device.js';
import { h, paint } from './dom.js';
import { isLineUp, onLine } from './line.js';
import { settingsDialog } from './settings.js';

const NOTICE_MS = 9000;
const PLACES = [
  ['lobby', 'Play'],
  ['learn', 'Learn'],
  ['wallet', 'Wallet'],
  ['account', 'Account'],
];

let screen = { title: '', view: () => null };
let due = false;
let paintedFor = null; // the token of whoever the page was painted for
let notices = [];
let spoken = '';

/** Paint anew, once, when what runs now is through. */
export function render() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    paintedFor = whose();
    paint(document.getElementById('page'), whole());
    screen.painted?.();
  });
}

/** For whom the screen is: it is shown anew where another tab makes that somebody else. */
const whose = () => (screen.whose ? screen.whose() : me().token);

/** Show another screen: `{title, place, view, isTable, painted, close, lost, whose}`. */
export function show(next) {
  screen.close?.();
  screen = next;
  document.title = next.title ? `${next.title} – Gin rummy` : 'Gin rummy';
  document.documentElement.dataset.screen = next.place;
  scrollTo(0, 0);
  render();
  queueMicrotask(() => document.querySelector('h1')?.focus({ preventScroll: true }));
}

/** Go to a place by its name: `lobby`, or `table=<id>`. */
export const go = (place) => {
  if (location.hash.slice(1) === place) dispatchEvent(new HashChangeEvent('hashchange'));
  else location.hash = place;
};

/** Say something to who does not see it happen. What comes at once is said as one. */
export function say(text) {
  const region = document.getElementById('said');
  if (!spoken)
    setTimeout(() => {
      region.textContent = spoken.trim();
      spoken = '';
    }, 60);
  if (!spoken) region.textContent = '';
  spoken += ` ${text}`;
}

/** Show a line for a while: what went wrong, or what happened meanwhile. */
export function notice(text, kind = 'problem') {
  const one = { text, kind };
  notices = [...notices.filter((other) => other.text !== text), one].slice(-3);
  setTimeout(() => dismiss(one), NOTICE_MS);
  render();
}

function dismiss(one) {
  notices = notices.filter((other) => other !== one);
  render();
}

/** Run what a button does; what the service refuses is shown in its words. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    notice(error.message);
    if (!('status' in error) && error.name !== 'Error') console.error(error);
    return undefined;
  } finally {
    render();
  }
}

function whole() {
  return [
    screen.isTable ? null : h('header', { class: 'bar', key: 'bar' }, brand(), places()),
    h('main', { key: screen.place, class: `screen ${screen.place}` }, screen.view()),
    h('div', { class: 'notices', key: 'notices' }, lineNotice(), notices.map(shownNotice)),
    screen.isTable ? null : foot(),
    settings().curl ? curlPanel() : null,
    settingsDialog(),
  ];
}

const brand = () =>
  h('a', { class: 'brand', href: '#lobby' }, h('img', { src: '/play/icon.svg', alt: '' }), 'Gin rummy');

function places() {
  const link = ([place, name]) =>
    h(
      'a',
      { href: `#${place}`, 'aria-current': screen.place === place ? 'page' : null },
      place === 'account' ? (me().name ?? 'Sign in') : name,
    );
  return h('nav', { 'aria-label': 'Places' }, PLACES.map(link));
}

function foot() {
  return h(
    'footer',
    { class: 'foot', key: 'foot' },
    h('button', { class: 'quiet', onclick: openSettings }, 'Settings'),
    h('button', { class: 'quiet', 'aria-pressed': String(settings().curl), onclick: toggleCurl }, 'Show requests'),
    h('a', { href: '/docs' }, 'The API'),
  );
}

export const openSettings = () => document.getElementById('settings').showModal();
export const toggleCurl = () => {
  set({ curl: !settings().curl });
  render();
  // It is at the foot of a page that may be longer than the window.
  queueMicrotask(() => document.querySelector('.curl')?.scrollIntoView({ block: 'end' }));
};

function lineNotice() {
  if (isLineUp()) return null;
  return h('p', { class: 'notice line', role: 'status', key: 'line' }, 'Connection lost. Trying again…');
}

const shownNotice = (one) =>
  h(
    'p',
    { class: `notice ${one.kind}`, role: one.kind === 'problem' ? 'alert' : 'status', key: one.text },
    h('span', {}, one.text),
    h('button', { class: 'quiet', 'aria-label': 'Dismiss', onclick: () => dismiss(one) }, '×'),
  );

onLine((isUp) => {
  say(isUp ? 'Connected again.' : 'Connection lost.');
  render();
});
listen({
  asked: () => settings().curl && render(),
  lost: () => {
    notice('Your sign-in here is no longer valid. Sign in again, or play on as a guest.');
    if (screen.lost) screen.lost();
  },
});
onOtherTab((before) => {
  const { token, name } = me();
  if (token !== before.token && (name || before.name))
    notice(name ? `Another tab has signed in: you are ${name} here now.` : 'Another tab has signed out here.', 'done');
  if (whose() === paintedFor) return render();
  for (const dialog of document.querySelectorAll('main dialog[open]')) dialog.close();
  return go(location.hash.slice(1));
});
