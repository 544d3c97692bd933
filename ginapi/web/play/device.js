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

let kept = read() ?? structuredClone(FRESH);

function read() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME)) ?? {};
    return { ...FRESH, ...found, settings: { ...FRESH.settings, ...found.settings } };
  } catch {
    return null; // Storage is shut, or holds what is not ours.
  }
}

function keep(changes) {
  kept = { ...(read() ?? kept), ...changes };
  try {
    localStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // Without storage this visit goes on, and is forgotten with the page.
  }
}

// Another tab of this browser has signed in or out, or changed a setting.
addEventListener('storage', (event) => {
  if (event.key === NAME) kept = read() ?? kept;
});

export const settings = () => kept.settings;
export const set = (changes) => keep({ settings: { ...kept.settings, ...changes } });

/** Who is signed in: an account by name, or a guest without. */
export const me = () => ({ token: kept.token, name: kept.name });

/** Go on as another: tables of the one before stay within reach. */
export function become({ token, name = null }) {
  keep({ token, name });
}

/** Remember with which token a seat was taken, should another sign in here. */
export function keepSeat(tableId, token = kept.token) {
  const seats = Object.entries({ ...kept.seats, [tableId]: token }).slice(-SEATS_KEPT);
  keep({ seats: Object.fromEntries(seats) });
}

/** The token for a table: the one that its seat was taken with, else of who is signed in. */
export const tokenAt = (tableId) => kept.seats[tableId] ?? kept.token;

/** A token that the service no longer knows is of no use anywhere. */
export function forget(token) {
  const seats = Object.entries(kept.seats).filter(([, seated]) => seated !== token);
  keep({ seats: Object.fromEntries(seats), ...(kept.token === token ? { token: null, name: null } : {}) });
}

export const orderOf = (handId) => kept.orders[handId];
export const keepOrder = (handId, cards) => keep({ orders: { [handId]: cards } });
