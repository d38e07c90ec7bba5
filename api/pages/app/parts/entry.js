// @ts-check
// An entry of the log as one sentence.
import { say } from "../lib/words.js";

/** @typedef {import("../contract").components["schemas"]["Entry"]} Entry */

/** Return what an entry says: its sentence, or what was done and what came of it. @param {Entry} entry @param {Record<string, string>} names */
export function findEntryText(entry, names) {
  const { says, move, events } = /** @type {any} */ (entry);
  if (says) return say(says, names);
  return [move?.told, ...events.map((/** @type {any} */ event) => event.told)].map((words) => say(words, names)).filter(Boolean).join(" ");
}
