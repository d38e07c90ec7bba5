// @ts-check
// Receipts of this device: signed roots of the log, kept to be compared with a bundle later.
import { readValue, writeText } from "./device.js";

const MOST = 60, MATCHES = "referee.receipts", MOST_MATCHES = 40;

/** @param {string} match */
const keyOf = (match) => `referee.receipts.${match}`;

/** Return the receipts that this device holds for a match. @param {string} match @returns {string[]} */
export function findReceipts(match) {
  const found = readValue(keyOf(match), []);
  return Array.isArray(found) ? found.filter((note) => typeof note === "string") : [];
}

/** Keep a receipt; of each match the newest, of the oldest matches none. @param {string} match @param {string | null | undefined} note */
export function keepReceipt(match, note) {
  if (!note) return;
  writeText(keyOf(match), JSON.stringify([...findReceipts(match).filter((each) => each !== note), note].slice(-MOST)));
  const matches = [match, ...readValue(MATCHES, []).filter((/** @type {string} */ each) => each !== match)];
  for (const old of matches.slice(MOST_MATCHES)) writeText(keyOf(old), null);
  writeText(MATCHES, JSON.stringify(matches.slice(0, MOST_MATCHES)));
}
