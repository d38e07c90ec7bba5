// @ts-check
// An entry of the log as one sentence.
import { say } from "../lib/words.js";

/** @typedef {import("../contract").components["schemas"]["Entry"]} Entry */

/** Return what happened in an entry; the sentence with its reasons only if nothing did. @param {Entry} entry @param {Record<string, string>} names */
export function findEntryText(entry, names) {
  const { says, move, events } = /** @type {any} */ (entry);
  const happened = events.map((/** @type {any} */ event) => say(event.told, names)).filter(Boolean).join(" ");
  return happened || say(says, names) || say(move?.told, names);
}
