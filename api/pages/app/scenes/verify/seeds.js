// @ts-check
// What the seats add to the draws, and who had a share in which of them.
import { encodeText, fromHex, hash, toHex } from "./bytes.js";
import { isObject } from "./canonical.js";

/** @typedef {import("./checks.js").BundleChecks} BundleChecks */
/** @typedef {{first: number, last: number, seats: number[]}} Share a run of draws: its first and last entry, the seats with a share */
/** @typedef {{why: string, values: Record<string, any>}} Notice what is not wrong, but good to know */

const NOTHING = new Uint8Array(0), MANY = 5; // runs of draws that are told

/** What the seats add to the draws, as it stands before an entry. */
export class SeatSeeds {
  /** @param {boolean} isChained whether seats go on showing links during play */
  constructor(isChained) {
    this.isChained = isChained;
    /** @type {Map<number, any>} by seat: the hash of what it shows next */
    this.awaited = new Map();
    /** @type {Map<number, string>} by seat: the seed, or the newest link of its chain */
    this.shown = new Map();
    /** @type {Set<number>} seats whose link has served in no draw yet; of a new chain two may come at once */
    this.fresh = new Set();
    this.hasStarted = false;
    this.at = 0;
    this.secretAt = 0;
    /** @type {Map<number, number>} */
    this.boundAt = new Map();
    /** @type {Map<number, {bound: number, before: number, shown: number}>} by seat: when it was bound to its chain, when it showed the link before (of the first: was bound; 0: was left since), and its link */
    this.shownAt = new Map();
  }

  /** Return the seeds as a draw takes them. */
  encode() {
    const seeds = [...this.shown].sort(([one], [other]) => one - other);
    return seeds.length ? encodeText(JSON.stringify(seeds)) : NOTHING;
  }

  /** Return the seats that have a share in the next draw: the link before their newest was written when the server and all other seats were bound. A device sends a link only when the one before is written, so nobody knew the newest then. Who has left the seat has none. */
  listSharingSeats() {
    const times = [...this.shownAt];
    return times.filter(([seat, { before }]) => before > this.secretAt && times.every(([other, { bound }]) => other === seat || before > bound))
      .map(([seat]) => seat).sort((one, other) => one - other);
  }

  /** Return whether a link that was sent with a move was due, and these events do not have it. The newest one is not due again, although a seat may commit to its hash. @param {number} seat @param {string} link @param {any[]} events */
  leavesOut(seat, link, events) {
    if (!this.isChained || this.fresh.has(seat) || link === this.shown.get(seat) || !/^([0-9a-f]{2})+$/.test(link)) return false;
    if (this.awaited.get(seat) !== toHex(hash("referee/v1/seed|", fromHex(link)))) return false;
    return !events.some((event) => event.type === "table.LinkRevealed" && event.link === link);
  }

  /** Take the next event of the log; return what is wrong with it, empty if nothing is. @param {any} event */
  take({ type, seat, commitment, seed, link }) {
    this.at++;
    if (type === "table.MatchOpened" || type === "table.ChanceRenewed") {
      this.secretAt = this.at;
      this.fresh.clear();
    } else if (type === "table.DrawsCounted") this.fresh.clear();
    else if (type === "table.Started") this.hasStarted = true;
    else if (this.hasStarted && !this.isChained) return "";
    else if (type === "table.SeatLeft" && !this.hasStarted) {
      for (const known of [this.awaited, this.shown, this.boundAt, this.shownAt]) known.delete(seat);
    } else if (type === "table.SeatLeft") {
      const own = this.shownAt.get(seat);
      if (own) own.before = 0; // the link goes on counting, but nobody is there to show the next
    } else if (type === "table.SeedCommitted") this.bind(seat, commitment);
    else if (type === "table.SeedRevealed") return this.show(seat, String(seed));
    else if (type === "table.LinkRevealed") return this.show(seat, String(link));
    return "";
  }

  /** @param {number} seat @param {any} commitment */
  bind(seat, commitment) {
    if (!this.isChained) {
      this.shown.delete(seat);
      this.shownAt.delete(seat);
    }
    this.awaited.set(seat, commitment);
    this.boundAt.set(seat, this.at);
    if (this.hasStarted) this.fresh.add(seat);
    else this.fresh.delete(seat);
  }

  /** Take a seed or a link that a seat shows; return what is wrong with it. @param {any} seat @param {string} text */
  show(seat, text) {
    if (!Number.isInteger(seat)) throw new TypeError("no seat");
    const seed = /^([0-9a-f]{2})+$/.test(text) ? fromHex(text) : NOTHING;
    const isBound = this.awaited.get(seat) === toHex(hash("referee/v1/seed|", seed)), isEarly = this.isChained && this.fresh.has(seat);
    this.shown.set(seat, text);
    const bound = this.boundAt.get(seat) ?? 0, last = this.shownAt.get(seat), isFirst = last?.bound !== bound;
    this.shownAt.set(seat, { bound, before: isFirst ? bound : /** @type {any} */ (last).shown, shown: this.at });
    if (this.isChained) {
      this.awaited.set(seat, text);
      if (!isFirst) this.fresh.add(seat);
    }
    return !isBound ? "seed_other" : isEarly ? "link_early" : "";
  }
}

/** Return place and seeds of each draw by its entry; keep who had a share in it. @param {BundleChecks} checks */
export function collectSeeds(checks) {
  const seeds = new SeatSeeds(Boolean(checks.opened.later_scheme));
  /** @type {Map<number, {place: string, seeds: Uint8Array}>} */
  const found = new Map(), scheme = checks.opened.later_scheme || 1;
  for (const { version, envelope } of checks.log) {
    if (envelope?.actor === "chance") {
      found.set(version, { place: `v${scheme}|${checks.match}|${seeds.isChained ? found.size + 1 : version}`, seeds: seeds.encode() });
      noteShare(checks.shares, version, seeds.listSharingSeats());
      seeds.fresh.clear();
    }
    for (const event of envelope?.events ?? []) {
      const why = isObject(event) ? seeds.take(event) : "";
      if (why) checks.addFinding("chance", why, version);
    }
  }
  return found;
}

/** @param {Share[]} shares @param {number} version @param {number[]} seats */
function noteShare(shares, version, seats) {
  const last = shares.at(-1);
  if (last && last.seats.join() === seats.join()) last.last = version;
  else shares.push({ first: version, last: version, seats });
}

/** Return who had a share in the draws besides the server. @param {BundleChecks} checks @returns {Notice[]} */
export function describeShares({ opened, shares }) {
  if (!isObject(opened.chance) || !Object.values(opened.chance).includes("server")) return [];
  const [only] = shares, name = (/** @type {number[]} */ seats) => seats.map((seat) => seat + 1).join(", ");
  /** @type {Notice[]} */
  const found = [];
  if (!only || shares.every(({ seats }) => seats.length === 0)) found.push({ why: "shares_none", values: {} });
  else if (shares.length === 1) found.push({ why: "shares_all", values: { seats: name(only.seats), n: only.seats.length } });
  else {
    for (const { first, last, seats } of shares.slice(0, MANY))
      found.push({ why: seats.length ? "shares_from" : "shares_from_none", values: { first, last, seats: name(seats), n: seats.length } });
    if (shares.length > MANY) found.push({ why: "shares_more", values: {} });
  }
  if (!opened.later_scheme) found.push({ why: "shares_steered", values: {} });
  return found;
}
