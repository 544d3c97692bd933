// Whether the service is heard. A line can be cut without a word to this device: so where an answer is late the service
// is knocked at, and once it answers again whoever still waits for an answer from before asks anew.

const KNOCK_EVERY_MS = 1000;
const KNOCK_MS = 2000; // a knock that has no answer by then went unheard
const BACK = 'lineback'; // an event of the window

let state = 'up'; // 'doubted' where an answer is late, 'cut' where a knock went unheard too
let knocking = null;
let told = () => {};

export const isLineUp = () => state !== 'cut';

/** Have `call(isUp)` told as the line is cut and is back. */
export const onLine = (call) => {
  told = call;
};

/** Have `call()` called when the line is back; answers what ends that. */
export function whenBack(call) {
  addEventListener(BACK, call);
  return () => removeEventListener(BACK, call);
}

/** The service has answered, whatever it said. */
export function heard() {
  const wasCut = state === 'cut';
  clearInterval(knocking);
  [state, knocking] = ['up', null];
  if (!wasCut) return;
  told(true);
  dispatchEvent(new Event(BACK));
}

/** An answer is late: the service may be slow, or the line cut. */
export function late() {
  if (state !== 'up') return;
  state = 'doubted';
  knockOn();
}

/** A request came to nothing. */
export function unheard() {
  if (state === 'cut') return;
  state = 'cut';
  told(false);
  if (knocking === null) knockOn();
}

function knockOn() {
  knocking = setInterval(knock, KNOCK_EVERY_MS);
  knock();
}

async function knock() {
  const round = knocking;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), KNOCK_MS);
  try {
    await fetch('/healthz', { cache: 'no-store', signal: limit.signal });
    heard();
  } catch {
    if (round === knocking) unheard(); // else something else was heard meanwhile
  } finally {
    clearTimeout(timer);
  }
}

// The device knows only of its own end of the line.
addEventListener('online', () => state === 'cut' && knock());
