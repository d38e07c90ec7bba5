// @ts-check
// What this device keeps as a proof: receipts, which are signed roots of the log, to be compared with a bundle later; and
// refusals of its moves that the server signed, each with what opens it.
import { readValue, writeText } from "./device.js";

/** @typedef {{note: string, nonce: string, move: any}} KeptRefusal */

const MOST = 60, MOST_REFUSALS = 20, MATCHES = "referee.receipts", MOST_MATCHES = 40;

/** @param {string} match */
const keyOf = (match) => `referee.receipts.${match}`;
/** @param {string} match */
const keyOfRefusals = (match) => `referee.refusals.${match}`;

/** @param {string} key @returns {any[]} */
const readList = (key) => {
  const found = readValue(key, []);
  return Array.isArray(found) ? found : [];
};

/** Return the receipts that this device holds for a match. @param {string} match @returns {string[]} */
export const findReceipts = (match) => readList(keyOf(match)).filter((note) => typeof note === "string");

/** Return the refusals that this device holds for a match. @param {string} match @returns {KeptRefusal[]} */
export const findRefusals = (match) => readList(keyOfRefusals(match)).filter((each) => typeof each?.note === "string");

/** Keep a receipt; of each match the newest, of the oldest matches none. @param {string} match @param {string | null | undefined} note */
export function keepReceipt(match, note) {
  if (note) keep(match, keyOf(match), [...findReceipts(match).filter((each) => each !== note), note].slice(-MOST));
}

/** Keep a refusal that the server signed, in the form that `referee verify --refusals` reads. @param {string} match @param {string | undefined} note @param {{move: any, signed?: {nonce: string}} | undefined} body what was refused */
export function keepRefusal(match, note, body) {
  if (note && body?.signed) keep(match, keyOfRefusals(match), [...findRefusals(match), { note, nonce: body.signed.nonce, move: body.move }].slice(-MOST_REFUSALS));
}

/** @param {string} match @param {string} key @param {any[]} list */
function keep(match, key, list) {
  writeText(key, JSON.stringify(list));
  const matches = [match, ...readList(MATCHES).filter((each) => each !== match)];
  for (const old of matches.slice(MOST_MATCHES)) for (const gone of [keyOf(old), keyOfRefusals(old)]) writeText(gone, null);
  writeText(MATCHES, JSON.stringify(matches.slice(0, MOST_MATCHES)));
}
