// @ts-check
// Words: those of the API in the language of the page, and the page's own few from `texts.js`.
import { readLanguage, writeLanguage } from "./device.js";
import { TEXTS } from "../texts.js";

let current = readLanguage();
document.documentElement.lang = current; // at once: readers and hyphenation go by it

/** @type {Set<() => void>} */
const listeners = new Set();

/** @returns {"de" | "en"} */
export const language = () => current;

/** @param {"de" | "en"} chosen */
export function setLanguage(chosen) {
  current = chosen;
  writeLanguage(chosen);
  document.documentElement.lang = chosen;
  for (const listener of listeners) listener();
}

/** Call `listener` whenever another language is chosen; the return value ends that. @param {() => void} listener */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Return a text of the page, with `{name}` replaced by the values, and `{name|card|cards}` by the word for one or for several.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const [german, english] = TEXTS[key] ?? [key, key];
  return (current === "de" ? german : english)
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (/** @type {string} */ _, /** @type {string} */ name, /** @type {string} */ one, /** @type {string} */ several) => (values[name] === 1 ? one : several))
    .replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) => String(values[name] ?? whole));
}

/** @typedef {{de?: string, en?: string} | null | undefined} Words */

/** Return a text of the API. @param {Words} words @param {Names} [names] */
export function say(words, names) {
  const text = words?.[current] ?? words?.en ?? words?.de ?? "";
  return names ? fillNames(text, names) : text;
}

/** Return a text of the API on a button that opens a list, with dots in place of its end. @param {Words} words @param {Names} [names] */
export const sayUnfinished = (words, names) => `${say(words, names).replace(/[.:]$/, "")} …`;

/** @typedef {Record<string, string>} Names names by the numbers of the seats */

/** Put names in place of "Player 1", as the API says it to those who know no names. @param {string} text @param {Names} names */
export function fillNames(text, names) {
  return text.replace(/\b(Player|Spieler) ([1-9][0-9]*)\b/g, (whole, _, number) => names[Number(number) - 1] ?? whole);
}

/**
 * Return names that can be told apart and read in their place: without signs that turn the direction of writing, without
 * those that are another player's placeholder, and equal ones numbered. Joiners stay within emoji only.
 * @param {Names} names @returns {Names}
 */
export function tellApart(names) {
  const clean = Object.entries(names).map(([seat, name]) => /** @type {[string, string]} */ ([seat, name.replace(/(\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?\u200d(?=\p{Extended_Pictographic}))|[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069]/gu, "$1").trim()]))
    .filter(([, name]) => name !== "" && !/^(player|spieler) \d+$/i.test(name));
  const count = (/** @type {string} */ name) => clean.filter(([, other]) => other.replace(/\u200d/g, "") === name.replace(/\u200d/g, "")).length;
  return Object.fromEntries(clean.map(([seat, name]) => [seat, `\u2068${count(name) > 1 ? `${name} (${Number(seat) + 1})` : name}\u2069`]));
}

/** Return what a seat is called. @param {number} seat @param {Names} names */
export const nameSeat = (seat, names) => names[seat] ?? t("player", { n: seat + 1 });

/** Return a number of cards in words. @param {number | null | undefined} many */
export const countCards = (many) => t("cards_left", { n: many ?? "?" });

/** Return several as people say it: "Ada, Ben and Cleo". @param {string[]} items */
export const joinWords = (items) => new Intl.ListFormat(current, { type: "conjunction" }).format(items);
