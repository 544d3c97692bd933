// The service as this client calls it: JSON over HTTP, a key on every POST, and the same request again until it is
// known what became of it. Nothing here knows cards.

import * as clock from './clock.js';
import { become, forget, keepSeat, me, takeIn, tokenAt } from './device.js';
import * as line from './line.js';

const TRIES_MS = [250, 500, 1000, ...Array(28).fill(2000)]; // for a minute
const LATER_MS = 5000; // a longer wait is its reader's to decide on
const ANSWER_MS = 15_000;
const LATE_MS = 3000; // from then on it is asked whether the line still holds
const LISTED = 12;

/** A refusal in the service's own words: `code` to decide by, `detail` to show, `hand` on a refused move. */
export class Problem extends Error {
  constructor(said, status) {
    super(said.detail ?? said.title ?? `The service answered ${status}.`);
    Object.assign(this, { code: 'internal', errors: [], hand: null, ...said, status });
  }
}

/** Nothing was heard: the line is cut, or the service is away. `again_ms` is 0 where it is back already. */
export class Unheard extends Error {}

/** Another tab has become somebody else since what was to be done was shown. */
export class NotSent extends Problem {
  constructor() {
    super({ code: 'not_sent', detail: 'Not sent: another tab has changed who is here. Look, and choose again.' }, 0);
  }
}

/** What was asked of late, newest first, as it could be asked with curl. */
export const asked = [];

const listeners = { asked: () => {}, lost: () => {} };

/** Be told: `asked()` after a request, `lost()` when a token dies. */
export const listen = (given) => Object.assign(listeners, given);

/** A key that nobody guesses; `randomUUID` is not there over plain HTTP. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** GET. `at` names the table whose seat asks; `wait_ms` is how long the answer may take beyond the usual. */
export function get(path, { at, signal, wait_ms = 0 } = {}) {
  return ask('GET', path, { token: tokenOf(at), signal, wait_ms });
}

/** GET, and again while nothing is heard, for as long as somebody would look at an empty screen. */
export const getSurely = (path, options) => surely(() => get(path, options));

/** GET, or null where no answer can be had now. */
export async function found(asking) {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Unheard || error instanceof Problem) return null;
    throw error;
  }
}

/**
 * POST, once: sent again with the same key until an answer comes, which says what the first one did. `as` is the token
 * that the act was shown for: it is sent with that one, or not at all. Without it whoever is here now asks.
 */
export async function post(path, body = {}, { at, as, version } = {}) {
  const key = newKey();
  const token = sender(at, as);
  return surely(() => ask('POST', path, { token, body, key, version }));
}

/** DELETE; a second one finds nothing left to do. */
export async function remove(path, { as }) {
  const token = sender(null, as);
  return surely(() => ask('DELETE', path, { token }));
}

const tokenOf = (at) => (at ? tokenAt(at) : me().token);

function sender(at, as) {
  if (as === undefined) return tokenOf(at);
  takeIn(); // The page may not have been told yet.
  if (tokenOf(at) !== as) throw new NotSent();
  return as;
}

async function surely(attempt) {
  for (const pause_ms of [...TRIES_MS, null]) {
    try {
      return await attempt();
    } catch (error) {
      const again_ms = error.again_ms ?? (error instanceof Unheard ? pause_ms : LATER_MS + 1);
      if (pause_ms === null || again_ms > LATER_MS) throw error;
      await pause(again_ms);
    }
  }
}

/** Wait, but no longer than until the line is back. */
function pause(length_ms) {
  return new Promise((resume) => {
    const over = () => {
      clearTimeout(timer);
      letGo();
      resume();
    };
    const timer = setTimeout(over, length_ms);
    const letGo = line.whenBack(over);
  });
}

async function ask(method, path, { token, body, key, version, signal, wait_ms = 0 }) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers['Content-Type'] = 'application/json';
  if (key && path !== '/v1/tokens') headers['Idempotency-Key'] = key;
  if (version !== undefined) headers['If-Match'] = `"${version}"`;
  const sent = { method, path, headers, body: body && JSON.stringify(body), status: null };
  const asked_ms = performance.now();
  // Who waits for news asks again soon; another answer may take its time.
  const { reply, said } = await heard(sent, signal, wait_ms, wait_ms ? wait_ms + LATE_MS : ANSWER_MS);
  const answered_ms = performance.now();
  note({ ...sent, status: reply.status, took_ms: Math.round(answered_ms - asked_ms) });
  if (said?.server_time && !wait_ms) clock.heard(said.server_time, asked_ms, answered_ms);
  if (reply.ok) return said;
  const problem = new Problem(said ?? {}, reply.status);
  // A proxy may say a date, which is no number.
  const later_s = Number(reply.headers.get('Retry-After')) || 0;
  // A fault of the service, or of what stands before it: the key makes it safe to ask again.
  if (reply.status === 429 || reply.status >= 500) problem.again_ms = Math.max(1000, later_s * 1000);
  if (problem.code === 'in_progress') problem.again_ms = 500;
  if (problem.code === 'bad_token') lose(token);
  throw problem;
}

async function heard({ method, path, headers, body }, signal, wait_ms, limit_ms) {
  const limit = new AbortController();
  const stop = () => limit.abort();
  let isBack = false;
  const timers = [setTimeout(line.late, wait_ms + LATE_MS), setTimeout(stop, limit_ms)];
  const letGo = line.whenBack(() => {
    isBack = true;
    stop();
  });
  signal?.addEventListener('abort', stop);
  try {
    const reply = await fetch(path, { method, headers, body, cache: 'no-store', signal: limit.signal });
    const text = await reply.text();
    line.heard();
    return { reply, said: parsed(text) };
  } catch (error) {
    if (!limit.signal.aborted) line.unheard();
    const unheard = new Unheard('The service cannot be reached. Trying again…', { cause: error });
    if (isBack) unheard.again_ms = 0;
    throw unheard;
  } finally {
    timers.forEach(clearTimeout);
    letGo();
    signal?.removeEventListener('abort', stop);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // 204, or an answer of something that stands between.
  }
}

function lose(token) {
  if (token && forget(token)) listeners.lost();
}

function note(request) {
  asked.unshift(request);
  asked.length = Math.min(asked.length, LISTED);
  listeners.asked();
}

/** Remember the seat that an answer gave to `as`; a new guest is who is here now, unless another has come meanwhile. */
export function seated(answer, tableId, as) {
  keepSeat(tableId, answer.token ?? as);
  if (answer.token && me().token === as) become({ token: answer.token });
}
