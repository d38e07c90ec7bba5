// @ts-check
// The newest root of a match as four words that people read to each other, and its receipt, which is kept.
import "./texts.js";
import { call, matchPath } from "../lib/api.js";
import { keepReceipt } from "../lib/receipts.js";
import { t } from "../lib/words.js";

const CONSONANTS = "bdfghjklmnprstvz", VOWELS = "aiou", WORDS = 4;

/** Return the word for 16 bits (a proquint, alike in all languages). @param {number} bits */
function speak(bits) {
  const consonant = (/** @type {number} */ shift) => CONSONANTS[(bits >> shift) & 15], vowel = (/** @type {number} */ shift) => VOWELS[(bits >> shift) & 3];
  return `${consonant(12)}${vowel(10)}${consonant(6)}${vowel(4)}${consonant(0)}`;
}

/** Return the first 64 bits of a root as four words. @param {string} root in base64 */
export function speakRoot(root) {
  const bytes = atob(root), at = (/** @type {number} */ place) => bytes.charCodeAt(place);
  return Array.from({ length: WORDS }, (_, word) => speak(at(2 * word) * 256 + at(2 * word + 1))).join(" ");
}

/** Return what people at a table can compare. @param {{match: string, token?: string}} viewer */
export async function describeRoot({ match, token }) {
  const { size, root, note } = await call("GET", `${matchPath(match)}/checkpoint`, { token });
  keepReceipt(match, note);
  return t("root_words", { n: size, words: speakRoot(root) });
}
