// @ts-check
// What the devices of players signed: by the key that counted, upon this history, and whether it is this move.
import { encodeText, fromHex, hash, isSigned, toHex } from "./bytes.js";
import { isObject, parseObject, write } from "./canonical.js";
import { SeatSeeds } from "./seeds.js";

/** @typedef {import("./checks.js").BundleChecks} BundleChecks */
/** @typedef {import("./bundle.js").Line} Line */

const LABEL = "referee/v1/move", MANY = 5;

/** Check every signed move. @param {BundleChecks} checks */
export function checkDevices(checks) {
  /** @type {Map<any, string>} by seat */
  const keys = new Map(), links = new SeatSeeds(Boolean(checks.opened.later_scheme));
  /** @type {Map<any, number>} by seat: its last entry. A move upon an earlier version was kept back, or written twice */
  const last = new Map();
  for (const { version, entry, envelope } of checks.log) {
    if (!envelope) continue;
    const { seat, actor } = envelope, events = envelope.events.filter(isObject);
    const signatures = events.filter((/** @type {Line} */ event) => event.type === "table.MoveSigned");
    for (const event of signatures) {
      const { seen, link, digest, signature } = event, isFit = Number.isInteger(seen) && (last.get(seat) ?? 1) <= seen && seen < version && event.seat === seat;
      const text = isFit ? `${LABEL}\n${checks.match}\n${seat}\n${seen} ${toHex(/** @type {Uint8Array} */ (checks.roots[seen]))}\n${link || "-"}\n${digest}\n` : "";
      const isGood = isFit && actor === "player" && signatures.length === 1;
      if (!isGood || !isSigned(readHex(signature, 64), encodeText(text), readHex(keys.get(seat), 32))) checks.addFinding("device", "device_misfit", version);
      else if (!isSignedMove(checks, entry, seat, digest)) checks.addFinding("device", "device_other_move", version);
      else if (links.leavesOut(seat, String(link), events)) checks.addFinding("device", "device_link_left_out", version);
      else checks.saw.set(seat, [...(checks.saw.get(seat) ?? []), seen]);
    }
    if (!signatures.length && actor === "player" && seat >= 0) checks.unsigned.set(seat, [...(checks.unsigned.get(seat) ?? []), version]);
    last.set(seat, version);
    if (actor === "chance") links.fresh.clear();
    for (const event of events) {
      links.take(event);
      if (event.type === "table.DeviceKeyNamed") keys.set(event.seat, String(event.public_key));
      else if (event.type === "table.SeatLeft") keys.delete(event.seat);
    }
  }
  return checks.saw.size ? "" : "skip_devices";
}

/** Return whether the move in opened parts is the one that the digest stands for. The seat itself and the full viewer get what opens it: without that the server could write another move. @param {BundleChecks} checks @param {Line} entry @param {any} seat @param {any} digest */
function isSignedMove(checks, entry, seat, digest) {
  const digests = entry.parts.flatMap((/** @type {Line} */ { part }) => computeDigests(parseObject(part)));
  return digests.every((/** @type {string} */ each) => each === digest) && (digests.length > 0 || !["full", "sealed", "moving", String(seat)].includes(checks.eyes));
}

/** Return the digest of the move in an opened part, if its random bytes are there. @param {Line} content @returns {string[]} */
function computeDigests(content) {
  const opened = (content.events ?? []).filter((/** @type {any} */ event) => event?.type === "table.MoveSigned" && event.nonce);
  return opened.map((/** @type {any} */ { nonce }) => (readHex(nonce, 16).length ? toHex(hash(`${LABEL}|`, readHex(nonce, 16), write(content.move))) : ""));
}

/** Return so many bytes in hex, none if it is anything else. @param {any} text @param {number} size */
const readHex = (text, size) => fromHex(new RegExp(`^[0-9a-f]{${2 * size}}$`).test(String(text)) ? String(text) : "");

/** Return whose device vouches for which moves. @param {BundleChecks} checks @returns {{why: string, values: Record<string, any>}[]} */
export function describeDevices({ saw, unsigned }) {
  return [...new Set([...saw.keys(), ...unsigned.keys()])].sort((one, other) => one - other).flatMap((seat) => {
    const seen = saw.get(seat) ?? [], bare = unsigned.get(seat) ?? [], entries = bare.slice(0, MANY).join(", ") + (bare.length > MANY ? ", …" : "");
    return [
      ...(seen.length ? [{ why: "device_signed", values: { seat: seat + 1, n: seen.length, seen: Math.max(...seen) } }] : []),
      ...(bare.length ? [{ why: "device_unsigned", values: { seat: seat + 1, n: bare.length, entries } }] : []),
    ];
  });
}
