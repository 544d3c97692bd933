// A table as it changes: asked for at once, and then each time that its version moves on, for as long as it is looked
// at. A cut line is tried again each second, and at once when it is back.

import { get, Problem, Unheard } from './api.js';
import { whenBack } from './line.js';

const WAIT_MS = 15_000; // no more: a line that is cut meanwhile is noticed after that
const AGAIN_MS = 1000;
const FULL_MS = 1500; // between looks where the service has no place to wait in
const REMATCH_MS = 2000;

/** Call `news(table)` with each newer state of the table. `refused(problem)` where there is nothing to see for us. */
export function follow(tableId, news, refused) {
  const state = { isOver: false, isCut: false, version: null, wake: () => {}, cut: () => {} };
  const restart = () => {
    state.isCut = true;
    state.cut();
    state.wake();
  };
  const looked = () => document.visibilityState === 'visible' && restart();
  const letGo = whenBack(restart);
  addEventListener('offline', restart);
  document.addEventListener('visibilitychange', looked);
  run(tableId, state, news, refused);
  return () => {
    state.isOver = true;
    state.cut();
    state.wake();
    letGo();
    removeEventListener('offline', restart);
    document.removeEventListener('visibilitychange', looked);
  };
}

async function run(tableId, state, news, refused) {
  while (!state.isOver) {
    try {
      const pause_ms = await once(tableId, state, news);
      if (pause_ms === null) return undefined;
      if (pause_ms) await pause(state, pause_ms);
    } catch (error) {
      if (state.isCut) continue;
      state.version = null; // The next look does not wait for news, but for an answer.
      if (error instanceof Unheard || error.again_ms) await pause(state, error.again_ms ?? AGAIN_MS);
      else if (error instanceof Problem) return refused(error);
      else throw error;
    }
  }
  return undefined;
}

/** Look once; answers how long to let be before looking again, null where nothing more will come. */
async function once(tableId, state, news) {
  if (state.isCut) Object.assign(state, { isCut: false, version: null });
  const waits = state.version !== null;
  const query = waits ? `?after=${state.version}&wait_ms=${WAIT_MS}` : '';
  const abort = new AbortController();
  state.cut = () => abort.abort();
  const asked_ms = performance.now();
  const table = await get(`/v1/tables/${tableId}${query}`, {
    at: tableId,
    signal: abort.signal,
    wait_ms: waits ? WAIT_MS : 0,
  });
  if (state.isOver) return 0;
  const isNew = table.version !== state.version;
  if (isNew) await news(table);
  // Only once it is shown: whatever fails on the way is asked for again.
  state.version = table.version;
  // Of a match that is over only a rematch is still to come, and only from a person.
  if (table.status === 'finished') return table.kind === 'online' && !table.rematch_table_id ? REMATCH_MS : null;
  return isNew || performance.now() - asked_ms > WAIT_MS / 2 ? 0 : FULL_MS;
}

function pause(state, length_ms) {
  return new Promise((resume) => {
    const timer = setTimeout(resume, length_ms);
    state.wake = () => {
      clearTimeout(timer);
      resume();
    };
  });
}
