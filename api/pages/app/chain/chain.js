// @ts-check
// What this device adds to the server's draws, so that the server does not choose them alone: each of its seats makes a
// chain of hashes, commits to it, and shows one link after the other with its moves. Nothing here may hold up play.
import { call, matchPath, pause, Refused, Unreachable } from "../lib/api.js";
import { canStore, listSeats, saveSeat } from "../lib/device.js";
import { keepReceipt } from "../lib/receipts.js";
import { sha256 } from "../vendor/sha2.js";
import { DeviceKey, Signing } from "./keys.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */
/** @typedef {import("../lib/device.js").SavedSeat} SavedSeat */

const LENGTH = 1000, BYTES = 32, LABEL = new TextEncoder().encode("referee/v1/seed|");
const WITHOUT = ["invalid-input", "already-started", "seeds-revealed", "idempotency-key-reused"]; // what is refused with a seed may be granted without
const FIRST = 2; // links before the start: whoever commits while the first is on its way may know it, but not the second
const BEFORE_START = 1500, BETWEEN = 250; // milliseconds

/** @param {Uint8Array} bytes */
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Return the last link of a new chain, from which all others follow. */
export const drawEnd = () => toHex(crypto.getRandomValues(new Uint8Array(BYTES)));

/** The hash chain of a seat: each link is the hash of the one after it, and the first is what the seat commits to. */
export class Chain {
  /** @param {string} end its last link in hex @param {number} [length] */
  constructor(end, length = LENGTH) {
    const text = new Uint8Array(LABEL.length + BYTES);
    text.set(LABEL);
    let link = fromHex(end);
    /** @type {string[]} */
    const links = [end];
    for (let at = 0; at < length; at++) {
      text.set(link, LABEL.length);
      link = sha256(text);
      links.push(toHex(link));
    }
    this.links = links.reverse();
    this.at = 0; // of the newest that the match has
  }

  get commitment() {
    return /** @type {string} */ (this.links[0]);
  }

  /** The link to show next; undefined at the end of the chain. @returns {string | undefined} */
  get next() {
    return this.links[this.at + 1];
  }

  /** Note what links the match has taken. @param {Schemas["Entry"]["events"]} events */
  note(events) {
    for (const event of /** @type {any[]} */ (events)) if (event.type === "table.LinkRevealed") this.goTo(event.link);
  }

  /** Go on from a link, if it is one of this chain; never back, as what was read may be old. @param {string | null} link */
  goTo(link) {
    this.at = Math.max(this.at, link === null ? 0 : this.links.indexOf(link));
  }

  /** Return whether a seat is bound to this chain, and go on from what it has shown. @param {Schemas["Match"]["seeds"][number] | undefined} bound */
  follow(bound) {
    if (bound?.commitment !== this.commitment) return false;
    this.goTo(bound.seed);
    return true;
  }
}

/** @type {Map<string, Chain>} by their ends */
const chains = new Map();

/** @param {string} end */
function getChain(end) {
  const found = chains.get(end) ?? new Chain(end);
  chains.set(end, found);
  return found;
}

/**
 * Take a seat and commit it to a new chain; without one if it is refused for that, or if this browser stores nothing.
 * @param {(commitment?: any) => Promise<any>} take @returns {Promise<[any, string?]>} what it answers, and the end of the chain
 */
export async function takeSeat(take) {
  if (!canStore()) return [await take()];
  const chain = drawEnd();
  try {
    return [await take(getChain(chain).commitment), chain];
  } catch (failure) {
    if (!(failure instanceof Refused && WITHOUT.includes(failure.kind))) throw failure;
    return [await take()];
  }
}

/** @param {Schemas["Match"]} about */
const hasDraws = (about) => Object.values(about.chance).includes("server") && ["lobby", "running", "disputed"].includes(about.status);

/** Write what a seat adds; whatever the server says, play goes on without. The receipt is kept, as the next link is shown upon its word alone. @param {SavedSeat} saved @param {"seed" | "key"} noun @param {any} body */
async function write({ match, seat, token }, noun, body) {
  try {
    const written = await call("PUT", `${matchPath(match, seat)}/${noun}`, { token, body });
    keepReceipt(match, written?.receipt);
    return noun === "key" || Boolean(written?.receipt);
  } catch (failure) {
    if (failure instanceof Refused || failure instanceof Unreachable) return false;
    throw failure;
  }
}

/** @type {Set<string>} seats that were bound to a chain since the page was opened */
const opened = new Set();

/** Return the chain of a seat of this device. If the match knows of none or of another when the page is opened, commit to a new one. @param {SavedSeat} saved @param {Schemas["Match"]} about @returns {Promise<Chain | null>} */
async function findChain(saved, about) {
  const kept = saved.chain ? getChain(saved.chain) : null, key = `${saved.match}/${saved.seat}`, isFirst = !opened.has(key);
  opened.add(key);
  if (kept?.follow(about.seeds.find((each) => each.seat === saved.seat)) && kept.next) return kept;
  if (!isFirst || !canStore()) return null;
  const end = drawEnd(), chain = getChain(end);
  saveSeat({ ...saved, chain: end });
  return (await write(saved, "seed", { commitment: chain.commitment })) ? chain : null;
}

/** @type {Set<string>} seats whose key was named since the page was opened */
const signed = new Set();

/** Return the key of a seat of this device. If the match knows of none or of another when the page is opened, name it. @param {SavedSeat} saved @param {Schemas["Match"]} about @returns {Promise<DeviceKey | null>} */
async function findKey(saved, about) {
  const named = about.seats.find((each) => each.seat === saved.seat)?.device_key, place = `${saved.match}/${saved.seat}`;
  const key = saved.secret ? new DeviceKey(saved.secret) : DeviceKey.draw(), isFirst = !signed.has(place);
  signed.add(place);
  if (named === key.key) return key;
  if (!isFirst || !canStore()) return null; // another device signs for the seat
  saveSeat({ ...saved, secret: key.secret });
  return (await write(saved, "key", { key: key.key })) ? key : null;
}

/** Sign the moves of a followed seat, and watch what others sign. @param {import("../lib/match.js").FollowedMatch} followed */
async function tendKey(followed) {
  const { about, match, seat } = followed, saved = listSeats().find((each) => each.match === match && each.seat === seat);
  if (!about || !["lobby", "running", "disputed"].includes(about.status)) return;
  if (!saved || followed.signing) return;
  const key = await findKey(saved, about);
  followed.signing = new Signing(followed, key);
}

/** Show the first links of this device's seats once nobody is missing; return whether any was shown. @param {Schemas["Match"]} about */
async function showSeeds(about) {
  let isShown = false;
  if (about.status !== "lobby" || about.seats.some((each) => each.kind === "human" && !each.taken)) return isShown;
  for (const saved of listSeats()) {
    if (saved.match !== about.id || saved.seat === null) continue;
    const chain = await findChain(saved, about);
    for (let link = chain?.next; chain && link && chain.at < FIRST && (await write(saved, "seed", { reveal: link })); link = chain.next) {
      chain.goTo(link);
      isShown = true;
    }
  }
  return isShown;
}

/** @param {import("../lib/match.js").FollowedMatch} followed */
async function tend(followed) {
  const { about, match, seat } = followed;
  await tendKey(followed);
  const saved = listSeats().find((each) => each.match === match && each.seat === seat);
  if (!about || !saved || !hasDraws(about)) return;
  followed.chain = await findChain(saved, about);
  await showSeeds(about);
}

let queue = Promise.resolve();

/** Work on chains after what was begun before, as each rests on what the one before has written. @param {() => Promise<void>} work */
const workInTurn = (work) => (queue = queue.then(work).catch(reportError));

/** Keep the chain of a followed seat; called whenever there is news of who sits there. @param {import("../lib/match.js").FollowedMatch} followed */
export const tendChain = (followed) => void workInTurn(() => tend(followed));

/** Before the start show what is hidden still, and give the others a moment to do the same. @param {string} match @param {string} token */
export async function prepareStart(match, token) {
  const until = performance.now() + BEFORE_START;
  const show = async () => {
    while (performance.now() < until) {
      const about = /** @type {Schemas["Match"]} */ (await call("GET", matchPath(match), { token }));
      if (!hasDraws(about)) return;
      let isShown = false;
      await workInTurn(async () => void (isShown = await showSeeds(about)));
      if (isShown) continue; // to read what the match has now
      if (about.seeds.every((each) => each.seed !== null)) return;
      await pause(BETWEEN);
    }
  };
  await Promise.race([show().catch(reportError), pause(BEFORE_START)]);
}
