// Who one is: signed in by name and password, or a guest.

import { found, getSurely, post, remove } from './api.js';
import { become, forget, me, rename } from './device.js';
import { h } from './dom.js';
import { attempt, go, notice, render } from './page.js';

/** `after` is where to go once signed in. */
export function account(after) {
  const state = { isNew: false, isSending: false, after: after || 'lobby' };
  const view = () => (me().name ? known(me()) : form(state));
  return { title: 'Account', place: 'account', view, lost: render, whose: () => me().name && me().token };
}

/** An account may have got another name since: it is called what the service calls it. */
export async function recall() {
  const { token, name } = me();
  const seen = name && (await found(getSurely('/v1/me')));
  if (!seen?.name || seen.name === name || token !== me().token) return;
  rename(token, seen.name);
  render();
}

const enter = (state, event) => {
  event.preventDefault();
  const { name, password } = Object.fromEntries(new FormData(event.target));
  state.isSending = true;
  render();
  return attempt(async () => {
    try {
      const answer = await post(state.isNew ? '/v1/accounts' : '/v1/tokens', { name, password });
      become({ token: answer.token, name: answer.name });
      notice(`Welcome, ${answer.name}.`, 'done');
      go(state.after);
    } finally {
      state.isSending = false;
    }
  });
};

function form(state) {
  const verb = state.isNew ? 'Sign up' : 'Sign in';
  return h(
    'div',
    { class: 'sheet narrow' },
    h('h1', { tabindex: -1 }, verb),
    h(
      'p',
      {},
      state.isNew
        ? 'A name and a password are all. You are granted coins to play with; they have no cash value.'
        : 'With an account you can play for coins and be rated.',
    ),
    h(
      'form',
      { class: 'fields', onsubmit: (event) => enter(state, event) },
      h(
        'label',
        { class: 'field' },
        'Name',
        h('input', {
          name: 'name',
          autocomplete: 'username',
          required: true,
          minlength: 3,
          maxlength: 24,
          autocapitalize: 'none',
        }),
      ),
      h(
        'label',
        { class: 'field' },
        'Password',
        h('input', {
          name: 'password',
          type: 'password',
          required: true,
          minlength: 8,
          maxlength: 128,
          autocomplete: state.isNew ? 'new-password' : 'current-password',
        }),
      ),
      h('button', { class: 'primary', disabled: state.isSending }, state.isSending ? 'Sending…' : verb),
    ),
    h(
      'button',
      {
        class: 'quiet',
        onclick: () => {
          state.isNew = !state.isNew;
          render();
        },
      },
      state.isNew ? 'I have an account' : 'I am new here',
    ),
  );
}

const leave = ({ token }) =>
  attempt(async () => {
    try {
      await remove('/v1/tokens/current', { as: token });
    } finally {
      forget(token);
    }
  });

const closeAccount = ({ token, name }) =>
  attempt(async () => {
    document.getElementById('closing').close();
    await remove('/v1/me', { as: token });
    forget(token);
    notice(`The account ${name} is closed.`, 'done');
  });

function known(who) {
  return h(
    'div',
    { class: 'sheet narrow' },
    h('h1', { tabindex: -1 }, who.name),
    h('p', {}, 'You are signed in on this device.'),
    h(
      'div',
      { class: 'row' },
      h('button', { class: 'primary', onclick: () => leave(who) }, 'Sign out'),
      h(
        'button',
        { class: 'quiet', onclick: () => document.getElementById('closing').showModal() },
        'Close the account',
      ),
    ),
    h(
      'dialog',
      { id: 'closing', 'aria-labelledby': 'closing-title' },
      h('h2', { id: 'closing-title' }, `Close ${who.name}'s account?`),
      h('p', {}, 'Its name, password and coins are gone for good.'),
      h(
        'div',
        { class: 'row' },
        h('button', { class: 'primary', onclick: () => document.getElementById('closing').close() }, 'Keep it'),
        h('button', { class: 'danger', onclick: () => closeAccount(who) }, 'Close it'),
      ),
    ),
  );
}
