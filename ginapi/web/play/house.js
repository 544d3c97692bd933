// The rules as this service publishes them, asked for once.

import { getSurely } from './api.js';

let asked = null;

/** `{rules, values, questions}`. */
export function houseRules() {
  asked ??= getSurely('/v1/rules').catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}
