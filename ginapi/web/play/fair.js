// Whether a deal is the one that was committed to: this device remembers what it was told when the hand began.

const name = (handId) => `ginapi.deal.${handId}`;

/** Remember the commitment of a hand as it was first heard. */
export function remember({ id, commitment }) {
  try {
    sessionStorage[name(id)] ??= commitment;
  } catch {
    // Without storage the commitment that comes with the end is checked, and no earlier one.
  }
}

function remembered(id) {
  try {
    return sessionStorage[name(id)] ?? null;
  } catch {
    return null;
  }
}

/** True or false once a finished hand is checked; null where this browser does not compute hashes (over plain HTTP). */
export async function isAsCommitted({ id, commitment, result }) {
  if (!crypto.subtle) return null;
  const text = `${id}|${result.deal.salt}|${result.deal.deck.join(' ')}`;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hash === commitment && hash === (remembered(id) ?? hash);
}
