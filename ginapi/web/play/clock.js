// What time it is at the service, whatever this device thinks: every answer says when it was given.

const TRUSTED_MS = 60_000;

let best = null; // { offset_ms, rtt_ms, at_ms }: the answer that came and went fastest of late

/** Learn from an answer: asked at and answered at by `performance.now()`, and the server's own word on it. */
export function heard(server_time, asked_ms, answered_ms) {
  const rtt_ms = answered_ms - asked_ms;
  const offset_ms = Date.parse(server_time) - (asked_ms + answered_ms) / 2;
  if (Number.isNaN(offset_ms)) return;
  const isOld = !best || answered_ms - best.at_ms > TRUSTED_MS;
  // Two honest answers overlap; where they do not, this device was asleep meanwhile.
  const isOff = best && Math.abs(offset_ms - best.offset_ms) > (rtt_ms + best.rtt_ms) / 2 + 50;
  if (isOld || isOff || rtt_ms <= best.rtt_ms) best = { offset_ms, rtt_ms, at_ms: answered_ms };
}

/** Milliseconds since 1970 at the service. */
export function now() {
  return best ? performance.now() + best.offset_ms : Date.now();
}

/** Milliseconds until a moment that the service named; never below 0. */
export const until = (moment) => Math.max(0, Date.parse(moment) - now());

/** Time left as a clock shows it: whole seconds, the last one shown to its end. */
export function shown(left_ms) {
  const seconds = Math.ceil(left_ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
