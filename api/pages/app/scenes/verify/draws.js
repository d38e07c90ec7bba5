// @ts-check
// Draws worked out again from the server's secret: HKDF-SHA256 (RFC 5869) and HMAC-SHA256.
import { encodeText, hash, join, sign, toHex } from "./bytes.js";
import { isObject } from "./canonical.js";

const LIMIT = 1n << 64n;

/** Return the first 32 bytes of HKDF without salt. @param {Uint8Array} secret @param {string} info */
const deriveKey = (secret, info) => sign(sign(new Uint8Array(32), secret), join(info, "\x01"));

/** Return the salt before a part that was committed to. @param {Uint8Array} secret @param {string} match @param {number} version @param {string} who */
export const computeSalt = (secret, match, version, who) => sign(deriveKey(secret, "referee/v1/salt"), encodeText(`v1|${match}|${version}|${who}`));

/** Yield the stream of 64-bit numbers for one purpose. @param {Uint8Array} secret @param {string} purpose @param {string} place names scheme, match and draw @param {Uint8Array} seeds */
function* generateNumbers(secret, purpose, place, seeds) {
  const key = deriveKey(secret, `referee/v1/draw/${purpose}`), seeded = toHex(hash(seeds));
  for (let block = 0; ; block++) {
    const digest = sign(key, encodeText(`${place}|${block}|${seeded}`)), view = new DataView(digest.buffer, digest.byteOffset);
    for (let start = 0; start < 32; start += 8) yield view.getBigUint64(start);
  }
}

/** Return whether the stream of this draw gives these numbers. @param {Uint8Array} secret @param {any} draw @param {string} place @param {Uint8Array} seeds */
export function isDrawReproduced(secret, draw, place, seeds) {
  if (draw.below.length !== draw.gave.length || draw.below.includes(0)) return false;
  const stream = generateNumbers(secret, draw.purpose, place, seeds);
  return draw.below.every((/** @type {number} */ below, /** @type {number} */ at) => {
    const most = BigInt(below);
    for (;;) {
      const number = /** @type {bigint} */ (stream.next().value);
      if (number < (LIMIT / most) * most) return Number(number % most) === draw.gave[at]; // all numbers are equally likely
    }
  });
}

/** @param {any} left @param {any} right lists of plain values */
export const areEqual = (left, right) =>
  Array.isArray(left) && Array.isArray(right) && left.length === right.length && left.every((each, at) => each === right[at]);

/** Return the pile after a shuffle (Fisher-Yates, from the end) with these numbers. @param {string[]} pile @param {number[]} gave */
function shufflePile(pile, gave) {
  const order = [...pile];
  gave.slice(0, Math.max(0, order.length - 1)).forEach((other, at) => {
    const last = order.length - 1 - at, moved = /** @type {string} */ (order[last]);
    if (!(other < order.length)) throw new RangeError("no such card");
    order[last] = /** @type {string} */ (order[other]);
    order[other] = moved;
  });
  return order;
}

/**
 * Return whether the log asked for this draw, and these numbers make this move. If no pile is given, only the rules
 * know what was drawn from; only they know how a pile lay.
 * @param {any} move @param {any} draw @param {number[][] | undefined} requested
 */
export function isMoveDrawn(move, draw, requested) {
  if (requested === undefined || !isObject(move)) return false;
  const { below, gave, pile } = draw, kind = move.type;
  const isShuffle = areEqual(below, pile.map((/** @type {string} */ _, /** @type {number} */ at) => pile.length - at).slice(0, -1));
  const order = isShuffle ? shufflePile(pile, gave) : null;
  if (kind === "chance.rolled")
    return below.length > 0 && requested.some((each) => areEqual(each, below)) && areEqual(move.values, gave.map((/** @type {number} */ number) => 1 + number));
  if (kind === "chance.shuffled") return order !== null && areEqual(move.order, order);
  if (kind === "chance.picked")
    return pile.length === 0 || (order !== null && Array.isArray(move.cards) && areEqual(move.cards, order.slice(0, move.cards.length)));
  if (kind === "sm.RolesDrawn") return gave.length === 1 && move.dungeon_master === gave[0];
  if (kind === "mc.Begins") return gave.length === 1 && move.seat === gave[0];
  return true;
}
