// @ts-check
// Signs the moves of this device's seats, each together with the root of the history that was looked at, so that nobody can
// make up a move or show it after another history. And looks whether other devices have seen the same history.
import * as ed25519 from "../vendor/noble-ed25519.js";
import { sha256, sha512 } from "../vendor/sha2.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */

ed25519.hashes.sha512 = sha512; // WebCrypto is missing where a phone loads the page over plain http
const LABEL = "referee/v1/move", SECRET_BYTES = 32, NONCE_BYTES = 16;

/** @param {Uint8Array} bytes */
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {string} text */
const encode = (text) => new TextEncoder().encode(text);

/** Return a move as canonical JSON: members in order, no spaces. @param {any} data @returns {string} */
function writeCanonical(data) {
  if (Array.isArray(data)) return `[${data.map(writeCanonical).join(",")}]`;
  if (data === null || typeof data !== "object") return JSON.stringify(data);
  return `{${Object.keys(data).sort().map((name) => `${JSON.stringify(name)}:${writeCanonical(data[name])}`).join(",")}}`;
}

/** @param {string} match @param {number} seat @param {number} seen @param {string} root of the log at version `seen` @param {string | undefined} link @param {string} digest */
const renderText = (match, seat, seen, root, link, digest) => encode(`${LABEL}\n${match}\n${seat}\n${seen} ${root}\n${link || "-"}\n${digest}\n`);

/** The key of one seat of this device. The log has its public part, the secret stays in this browser. */
export class DeviceKey {
  /** @param {string} secret in hex */
  constructor(secret) {
    this.secret = secret;
    this.bytes = fromHex(secret);
    this.key = toHex(ed25519.getPublicKey(this.bytes));
  }

  static draw() {
    return new DeviceKey(toHex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))));
  }

  /** Return what is sent as `signed` with a move. @param {{match: string, seat: number, seen: number, root: string, link: string | undefined, move: any}} about */
  sign({ match, seat, seen, root, link, move }) {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES)), before = encode(`${LABEL}|`), after = encode(writeCanonical(move));
    const text = new Uint8Array(before.length + nonce.length + after.length);
    text.set(before);
    text.set(nonce, before.length);
    text.set(after, before.length + nonce.length);
    const digest = toHex(sha256(text));
    return { nonce: toHex(nonce), signature: toHex(ed25519.sign(renderText(match, seat, seen, root, link, digest), this.bytes)) };
  }
}

const MOST_ROOTS = 200; // of what was looked at, that are kept

/** How a followed seat signs its moves, and what it makes of the signatures of others. */
export class Signing {
  /** @param {import("../lib/match.js").FollowedMatch} followed @param {DeviceKey | null} key */
  constructor(followed, key) {
    this.followed = followed;
    this.key = key; // null: the seat does not sign, and looks at the others all the same
    /** @type {Map<number, string>} by seat: what other devices have named */
    this.named = new Map();
    for (const each of followed.about?.seats ?? []) if (each.device_key) this.named.set(each.seat, each.device_key);
  }

  /** Return what is sent with a move as `signed`; undefined if the history is not known that was looked at. @param {any} move @param {string | undefined} link that goes with it */
  sign(move, link) {
    const { match, seat, version, roots } = this.followed, root = roots.get(version);
    return this.key && root && seat !== null ? this.key.sign({ match, seat, seen: version, root, link, move }) : undefined;
  }

  /** Look whether other devices have seen the same history, as far as this one has looked at it. @param {Schemas["Entry"]} entry */
  check(entry) {
    const { match, roots, seat } = this.followed;
    for (const event of /** @type {any[]} */ (entry.events)) {
      if (event.type === "table.DeviceKeyNamed") this.named.set(event.seat, event.public_key);
      if (event.type === "table.SeatLeft") this.named.delete(event.seat);
      const key = this.named.get(event.seat), root = roots.get(event.seen);
      if (event.type !== "table.MoveSigned" || event.seat === seat || !key || !root) continue;
      if (!isSigned({ match, key, root, event })) this.checkAgain(event, root);
    }
    for (const version of [...roots.keys()].slice(0, -MOST_ROOTS)) roots.delete(version);
  }

  /** Look once more with the key that the match names now: a device may have named another meanwhile. @param {any} event @param {string} root */
  async checkAgain(event, root) {
    await this.followed.loadAbout();
    const key = this.followed.about?.seats.find((each) => each.seat === event.seat)?.device_key ?? "";
    if (!isSigned({ match: this.followed.match, key, root, event })) this.followed.split = { seat: event.seat, version: event.seen };
    this.followed.announce();
  }

  /** Stop signing after a signature was refused: another device signs for the seat, or the server has another history. The match says which, loaded once more: the other device may have named its key a moment ago. */
  async doubt() {
    const { key, followed } = this, { about, seat, version } = followed;
    this.key = null;
    await followed.loadAbout();
    const named = followed.about?.seats.find((each) => each.seat === seat)?.device_key;
    if (key && followed.about !== about && named === key.key) followed.split = { seat, version };
    followed.announce();
  }
}

/**
 * Return whether a signature in the log is that of its seat's device upon this history.
 * @param {{match: string, key: string, root: string, event: any}} about
 */
export function isSigned({ match, key, root, event }) {
  try {
    const text = renderText(match, event.seat, event.seen, root, event.link, event.digest);
    return ed25519.verify(fromHex(event.signature), text, fromHex(key), { zip215: false });
  } catch {
    return false; // no key or no signature at all
  }
}
