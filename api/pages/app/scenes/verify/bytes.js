// @ts-check
// Bytes, hashes and signed notes (C2SP signed-note and tlog-checkpoint). The libraries are the same on every device:
// a page over plain http has no WebCrypto, and the two could judge an odd signature differently.
import { hmac } from "../../vendor/hmac.js";
import * as ed25519 from "../../vendor/noble-ed25519.js";
import { sha256, sha512 } from "../../vendor/sha2.js";

ed25519.hashes.sha512 = sha512;
const UTF8 = new TextEncoder(), LONGEST_NOTE = 1 << 16, CONTROL = /[\0-\x09\x0b-\x1f]/;

/** Something cannot be read or does not fit: its reason is a key of the texts. */
export class Unfit extends Error {
  /** @param {string} why @param {Record<string, any>} [values] */
  constructor(why, values = {}) {
    super(why);
    this.why = why;
    this.values = values;
  }
}

/** @param {string} text */
export const encodeText = (text) => UTF8.encode(text);
/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text pairs of digits */
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {Uint8Array} bytes */
export const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
/** @param {Uint8Array} left @param {Uint8Array} right */
export const areSame = (left, right) => left.length === right.length && left.every((byte, at) => byte === right[at]);
/** @param {(Uint8Array | string)[]} pieces */
export const hash = (...pieces) => sha256(join(...pieces));
/** @param {Uint8Array} key @param {Uint8Array} text @returns {Uint8Array} */
export const sign = (key, text) => hmac(sha256, key, text);

/** @param {(Uint8Array | string)[]} pieces */
export function join(...pieces) {
  const all = pieces.map((piece) => (typeof piece === "string" ? encodeText(piece) : piece));
  const found = new Uint8Array(all.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of all) {
    found.set(piece, at);
    at += piece.length;
  }
  return found;
}

/** Return the bytes of canonical base64, or raise. @param {string} text */
export function fromBase64(text) {
  let found = "";
  try {
    found = atob(text);
  } catch {
    throw new Unfit("base64");
  }
  if (btoa(found) !== text) throw new Unfit("base64");
  return Uint8Array.from(found, (sign) => sign.charCodeAt(0));
}

/** Split at the last place. @param {string} text @param {string} at @returns {[string, string]} */
export function splitLast(text, at) {
  const place = text.lastIndexOf(at);
  return place < 0 ? ["", text] : [text.slice(0, place), text.slice(place + at.length)];
}

/** @param {string} text */
export const firstLine = (text) => text.split("\n", 1)[0] ?? "";

/** Return the four bytes by which a signature names its key, in hex. @param {string} name @param {Uint8Array} key @param {string} [kind] 4 for that of a witness */
const nameKey = (name, key, kind = "\x01") => toHex(hash(name, `\n${kind}`, key).subarray(0, 4));

/** @param {Uint8Array} signature @param {Uint8Array} text @param {Uint8Array} key */
export function isSigned(signature, text, key) {
  try {
    return ed25519.verify(signature, text, key, { zip215: false });
  } catch {
    return false; // no point of the curve, or of another length
  }
}

/** Return the text of a note that one of these keys signed as `name`, or raise. @param {string} note @param {string} name @param {Uint8Array[]} keys */
export function verifyNote(note, name, keys) {
  const [text, signatures] = splitLast(note, "\n\n");
  if (!note.includes("\n\n") || !signatures.endsWith("\n")) throw new Unfit("unsigned");
  if (note.length > LONGEST_NOTE || CONTROL.test(note)) throw new Unfit("signature_line");
  const known = new Map(keys.map((key) => [nameKey(name, key), key]));
  let found = false;
  for (const line of signatures.slice(0, -1).split("\n")) {
    const words = line.split(" "), [dash, signer = "", packed = ""] = words;
    if (words.length !== 3 || dash !== "\u2014" || !signer) throw new Unfit("signature_line");
    const blob = fromBase64(packed), key = known.get(toHex(blob.subarray(0, 4)));
    if (blob.length < 5) throw new Unfit("signature_line");
    if (signer !== name || !key) continue; // by a witness, or by a key that is not known here
    if (!isSigned(blob.subarray(4), encodeText(`${text}\n`), key)) throw new Unfit("signature_wrong");
    found = true;
  }
  if (!found) throw new Unfit("signed_by_nobody_known");
  return `${text}\n`;
}

/** Return size and root of a signed checkpoint, or raise. @param {string} note @param {string} origin @param {Uint8Array[]} keys */
export function verifyCheckpoint(note, origin, keys) {
  const lines = verifyNote(note, origin, keys).slice(0, -1).split("\n"), [name = "", size = "", root = ""] = lines;
  if (lines.length < 3 || lines.includes("") || !/^(0|[1-9][0-9]{0,18})$/.test(size)) throw new Unfit("checkpoint_lines");
  if (name !== origin) throw new Unfit("checkpoint_elsewhere", { origin: name });
  return { size: Number(size), root: fromBase64(root) };
}

/** Return whether one of these keys signed that the key of this line succeeds it. @param {any} line @param {string} store @param {Uint8Array[]} keys */
export function isKeyNamed(line, store, keys) {
  const text = `${store}/keys\nnext key ed25519 ${toBase64(line.public)}\nsince ${line.since_ms}\n`;
  try {
    return verifyNote(line.statement, `${store}/keys`, keys) === text;
  } catch (failure) {
    if (failure instanceof Unfit) return false;
    throw failure;
  }
}

/** A witness's key by its name and the id of the key, as `name id`. @typedef {Map<string, Uint8Array>} Witnesses */

/** Return the keys of servers and of witnesses in a text, or raise: those of witnesses are verifier keys of type 4. @param {string} given @returns {{trusted: Uint8Array[], witnesses: Witnesses}} */
export function parseKeys(given) {
  /** @type {Uint8Array[]} */
  const trusted = [];
  /** @type {Witnesses} */
  const witnesses = new Map();
  for (const text of given.includes("-----BEGIN") ? [given] : given.split(/\s+/).filter(Boolean)) {
    const [, name = "", id = "", packed = ""] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [], raw = name ? fromBase64(packed) : new Uint8Array(0);
    if (raw[0] !== 4) trusted.push(parsePublicKey(text));
    else if (raw.length === 33 && nameKey(name, raw.subarray(1), "\x04") === id) witnesses.set(`${name} ${id}`, raw.subarray(1));
    else throw new Unfit("no_key");
  }
  return { trusted, witnesses };
}

/** Return a public key in hex, base64, PEM or as a verifier key, or raise. @param {string} given */
export function parsePublicKey(given) {
  let text = given.trim();
  if (/^[0-9a-f]{64}$/.test(text)) return fromHex(text);
  const pem = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----$/.exec(text);
  if (pem) {
    const packed = fromBase64((pem[1] ?? "").replace(/\s/g, ""));
    if (packed.length !== 44 || toHex(packed.subarray(0, 12)) !== "302a300506032b6570032100") throw new Unfit("no_key");
    return packed.subarray(12);
  }
  const named = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text);
  let raw = fromBase64(named?.[3] ?? text);
  if (named) {
    if (raw[0] !== 1 || nameKey(named[1] ?? "", raw.subarray(1)) !== named[2]) throw new Unfit("no_key");
    raw = raw.subarray(1);
  }
  if (raw.length !== 32) throw new Unfit("no_key");
  return raw;
}
