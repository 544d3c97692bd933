// The countdowns on the page: each names the moment that it counts down to, and is written anew as time goes by.

import { shown, until } from './clock.js';
import { h } from './dom.js';
import { say } from './page.js';

const EVERY_MS = 200;
export const WARNED_MS = 20_000;

let warnedOf = null;

/** A countdown to a moment of the service; `mine` where it is ours to watch. */
export function countdown(moment, { mine = false, before = '', className = 'countdown' } = {}) {
  const left_ms = until(moment);
  return h(
    'span',
    {
      class: `${className}${mine && left_ms <= WARNED_MS ? ' short' : ''}`,
      'data-until': moment,
      'data-mine': mine ? 'yes' : null,
      'data-before': before,
      role: 'timer',
    },
    before + shown(left_ms),
  );
}

function tick() {
  for (const node of document.querySelectorAll('[data-until]')) {
    const { until: moment, before, mine } = node.dataset;
    const left_ms = until(moment);
    const text = before + shown(left_ms);
    if (node.firstChild && node.firstChild.data !== text) node.firstChild.data = text;
    if (mine) warn(node, moment, left_ms);
  }
}

function warn(node, moment, left_ms) {
  node.classList.toggle('short', left_ms <= WARNED_MS);
  if (left_ms > WARNED_MS || left_ms === 0 || warnedOf === moment) return;
  warnedOf = moment;
  say(`${Math.ceil(left_ms / 1000)} seconds left for this move.`);
}

setInterval(tick, EVERY_MS);
