// What this device remembers between visits: who sits here, at which tables, and how the cards are to look.

const NAME = 'ginapi.play';
const SEATS_KEPT = 40;
const FRESH = {
  token: null, // of an account or a guest; `name` is null for a guest
  name: null,
  seats: {}, // tokens of tables whose seat belongs to another than the one who is signed in now
  orders: {}, // the order in which somebody arranged a hand, by its id
  settings: { theme: 'auto', suits: 'two', sort: 'melds', keys: true, curl: false, level: 'medium', rules: 'house', stake: 0 },
};

let isShut = false; // Nothing can be written: what is known here is all there is.
let kept = read() ?? structuredClone(FRESH);
let told = () => {};

function read() {
  if (isShut) return null;
  try {
    const found = JSON.parse(localStorage.getItem(NAME)) ?? {};
    return { ...FRESH, ...found, settings: { ...FRESH.settings, ...found.settings } };
  } catch {
    return null; // Storage is shut, or holds what is not ours.
  }
}

/** Remember what `changes(kept)` answers: it is given what holds now, whichever tab it comes from. */
function keep(changes) {
  takeIn();
  kept = { ...kept, ...changes(kept) };
  try {
    localStorage.setItem(NAME, JSON.stringify(kept));
    isShut = false;
  } catch {
    isShut = true; // This visit goes on, and is forgotten with the page.
  }
}

/** Take in what other tabs have changed: nobody becomes another here without the page being told. */
export function takeIn() {
  const before = kept;
  kept = read() ?? kept;
  if (whose(before) !== whose(kept)) told({ token: before.token, name: before.name });
}

const whose = ({ token, name, seats }) => JSON.stringify([token, name, seats]);

/** Have `call({token, name})` told of who was here before, once another tab has changed who is here or sits where. */
export const onOtherTab = (call) => {
  told = call;
};

// Another tab of this browser has signed in or out, or changed a setting; `key` is null where all was cleared.
addEventListener('storage', ({ key }) => (key === NAME || key === null) && takeIn());
// A page that comes back as it was left has heard of nothing meanwhile.
addEventListener('pageshow', ({ persisted }) => persisted && takeIn());

export const settings = () => kept.settings;
export const set = (changes) => keep((now) => ({ settings: { ...now.settings, ...changes } }));

/** Who is signed in: an account by name, or a guest without. */
export const me = () => ({ token: kept.token, name: kept.name });

/** Go on as another: tables of the one before stay within reach. */
export function become({ token, name = null }) {
  keep(() => ({ token, name }));
}

/** The account of a token is called otherwise by now. */
export const rename = (token, name) => keep((now) => (now.token === token ? { name } : {}));

/** Remember with which token a seat was taken, should another sign in here. */
export function keepSeat(tableId, token) {
  keep(({ seats }) => ({
    seats: Object.fromEntries(Object.entries({ ...seats, [tableId]: token }).slice(-SEATS_KEPT)),
  }));
}

/** The token for a table: the one that its seat was taken with, else of who is signed in. */
export const tokenAt = (tableId) => kept.seats[tableId] ?? kept.token;

/** A token that the service no longer knows is of no use anywhere. Answers whether it was still kept here. */
export function forget(token) {
  takeIn();
  const isKept = kept.token === token || Object.values(kept.seats).includes(token);
  keep((now) => ({
    seats: Object.fromEntries(Object.entries(now.seats).filter(([, seated]) => seated !== token)),
    ...(now.token === token ? { token: null, name: null } : {}),
  }));
  return isKept;
}

export const orderOf = (handId) => kept.orders[handId];
export const keepOrder = (handId, cards) => keep(() => ({ orders: { [handId]: cards } }));
