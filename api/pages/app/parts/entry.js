// @ts-check
// An entry of the log as one sentence.
import { nameSeat, say } from "../lib/words.js";

/** @typedef {import("../contract").components["schemas"]["Entry"]} Entry */

/** Whether people at a table care for a move or an event: seeds and keys are for auditors. @param {any} thing */
export const isTold = (thing) => !/^table\.(Seed|DeviceKey|(commit|reveal)_seed|name_key)/.test(thing?.type);

/** Say several things one after the other. @param {string[]} sentences */
const joinSentences = (sentences) => sentences.filter(Boolean).map((each) => (/[\p{L}\p{N})]$/u.test(each) ? `${each}.` : each)).join(" ");

/**
 * Say what happened in an entry without what others at the table may not read over a shoulder: cards after a colon, and
 * sentences that name a card that came into the viewer's hand.
 * @param {Entry} entry @param {Record<string, string>} names @param {Record<string, any>} cards @param {number | null} me
 */
export function findCoveredText(entry, names, cards, me) {
  if (me === null) return findEntryText(entry, names);
  const known = Object.values(cards).map((card) => say(card.name)).filter(Boolean);
  const own = entry.transfers.filter((each) => each.to === `hand:${me}` || each.from === `hand:${me}`).flatMap((each) => each.cards.map((card) => say(card.name)));
  /** @param {string} text */
  const cover = (text) => {
    const [head = "", ...tail] = text.split(": ");
    const shown = tail.some((part) => known.some((name) => part.includes(name))) ? `${head}.` : text;
    return own.some((name) => name && shown.includes(name)) ? "" : shown;
  };
  const happened = joinSentences(entry.events.filter(isTold).map((/** @type {any} */ event) => cover(say(event.told, names))));
  const made = isTold(entry.move) ? cover(say(/** @type {any} */ (entry.move)?.told, names)) : "";
  return happened ? withMove(entry, made, happened, names) : made;
}

/** Return what happened in an entry; the sentence with its reasons only if nothing did. @param {Entry} entry @param {Record<string, string>} names */
export function findEntryText(entry, names) {
  const { says, move, events } = /** @type {any} */ (entry);
  if (!isTold(move)) return "";
  const happened = joinSentences(events.filter(isTold).map((/** @type {any} */ event) => say(event.told, names))), made = say(move?.told, names);
  return happened ? withMove(entry, made, happened, names) : say(says, names) || made;
}

/** Put the move before what followed if only the move says what its player did, as with "Ada plays no card". @param {Entry} entry @param {string} made @param {string} happened @param {Record<string, string>} names */
function withMove({ seat }, made, happened, names) {
  const who = typeof seat === "number" ? nameSeat(seat, names) : null;
  return who !== null && made.startsWith(`${who} `) && !happened.startsWith(`${who} `) ? `${made} ${happened}` : happened;
}
