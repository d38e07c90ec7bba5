// @ts-check
// A match as one viewer sees it: follows its stream, keeps what is not sent yet, and tells those who draw it.
import { call, matchPath, Refused, Unreachable } from "./api.js";
import { drawKey, readValue, writeText } from "./device.js";
import { keepReceipt, keepRefusal } from "./receipts.js";
import { readStream } from "./stream.js";
import { onLanguage, tellApart } from "./words.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */
/** @typedef {"opening" | "open" | "lost" | "ended" | "refused"} Connection */
/** @typedef {{key: string, path: string, body: any, ifMatch?: number, at: number}} Pending */

const MOST_ENTRIES = 400, RECENT = 8, ROSTER = /^table\./;

/** Return what bots are called by those who see them. @param {Schemas["Match"]} about @returns {Record<string, string>} */
const nameBots = (about) => Object.fromEntries(about.seats.filter((each) => each.kind === "bot" && !each.taken)
  .map((each) => [each.seat, `Bot ${each.seat + 1}`]));

/** One match, one viewer. Whoever draws it calls `subscribe`. */
export class FollowedMatch {
  /** @param {{match: string, seat: number | null, token?: string}} who */
  constructor({ match, seat, token }) {
    this.match = match;
    this.seat = seat;
    this.token = token;
    /** @type {Schemas["Match"] | null} */
    this.about = null;
    /** @type {Schemas["BoardView"] | null} */
    this.view = null;
    /** @type {Schemas["MoveListing"] | null} */
    this.moves = null;
    /** @type {Schemas["Entry"][]} the newest last */
    this.entries = [];
    /** @type {Record<string, string>} */
    this.names = {};
    /** @type {Record<string, string>} names of officials, by their appointments */
    this.officials = {};
    /** @type {number[]} seats of which a device listens */
    this.present = [];
    /** @type {{ends: number, limit: number} | null} in milliseconds of `performance.now()` */
    this.deadline = null;
    /** @type {Connection} */
    this.connection = "opening";
    this.isHeard = false; // whether the stream is open, though a write may have found the server away
    /** @type {Refused | null} why nothing can be followed */
    this.refusal = null;
    /** @type {Refused | null} what became of a write that was left over */
    this.lateRefusal = null;
    /** @type {Pending[]} */
    this.pending = readValue(this.pendingKey, []);
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** @type {import("../chain/chain.js").Chain | null} what the seat adds to the draws */
    this.chain = null;
    /** @type {import("../chain/keys.js").Signing | null} how the seat signs, and whether others saw the same */
    this.signing = null;
    /** @type {{seat: number | null, version: number} | null} whose device has seen another history, and where */
    this.split = null;
    /** @type {Map<number, string>} by version, of what was looked at: the roots of the log */
    this.roots = new Map();
    this.stopped = new AbortController();
    this.ends = [onLanguage(() => this.restart()), this.watchOtherTabs()];
  }

  get pendingKey() {
    return `referee.pending.${this.match}.${this.seat ?? "-"}`;
  }

  get path() {
    return matchPath(this.match, this.seat);
  }

  get version() {
    return this.view?.version ?? this.about?.version ?? 0;
  }

  /** @param {() => void} listener @returns {() => void} ends it */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  announce() {
    for (const listener of [...this.listeners]) listener();
  }

  start() {
    this.loadAbout().then(() => this.loadRecent());
    this.follow();
    this.sendPending();
  }

  stop() {
    this.stopped.abort();
    for (const end of this.ends) end();
  }

  /** Open the stream again, such as in another language. */
  restart() {
    this.stopped.abort();
    this.stopped = new AbortController();
    this.follow();
    this.loadAbout();
  }

  async loadAbout() {
    try {
      const [about, names] = await Promise.all([
        call("GET", matchPath(this.match), { token: this.token }),
        call("GET", `${matchPath(this.match)}/names`, { token: this.token }),
      ]);
      this.about = about;
      this.names = tellApart({ ...nameBots(about), ...names.names });
      this.officials = tellApart(names.officials);
    } catch (failure) {
      if (failure instanceof Refused) this.refuse(failure);
    }
    this.announce();
  }

  /** Load the last entries before those that the stream brings, so that what happened last can be read at once. */
  async loadRecent() {
    if (this.version === 0) return;
    try {
      const viewer = this.seat === null ? "" : `&viewer=seat:${this.seat}`, after = Math.max(0, this.version - RECENT);
      const { items } = await call("GET", `${matchPath(this.match)}/entries?after=${after}&limit=${RECENT}${viewer}`, { token: this.token });
      const first = this.entries[0]?.version ?? Infinity;
      this.entries = [...items.filter((/** @type {Schemas["Entry"]} */ each) => each.version < first), ...this.entries];
    } catch (failure) {
      if (!(failure instanceof Refused || failure instanceof Unreachable)) throw failure; // the stream tells why nothing can be read
    }
    this.announce();
  }

  /** @param {Refused} refusal */
  refuse(refusal) {
    this.refusal = refusal;
    this.connection = "refused";
  }

  async follow() {
    const { signal } = this.stopped, after = this.entries.at(-1)?.version ?? null;
    const path = `${matchPath(this.match)}/stream${this.seat === null ? "" : `?viewer=seat:${this.seat}&send=both`}`;
    try {
      for await (const event of readStream(path, { token: this.token, after, signal })) {
        if (signal.aborted) return;
        this.take(event);
        this.announce();
      }
      if (!signal.aborted) this.connection = "ended";
    } catch (failure) {
      if (failure instanceof Refused) this.refuse(failure);
      else throw failure;
    }
    this.announce();
  }

  /** @param {import("./stream.js").StreamEvent} event */
  take({ name, data }) {
    if (name === "open" || name === "lost") {
      this.connection = name;
      this.isHeard = name === "open";
      if (name === "open") this.sendPending();
    } else if (name === "situation") this.takeSituation(data);
    else if (name === "entry") this.takeEntry(data);
    else if (name === "snapshot") this.loadBoard();
    else if (name === "presence") this.takePresence(data.seats);
    else if (name === "deadline") this.takeDeadline(data.at ? data : null);
  }

  /** Note who is there. Whose name is missing may have sat down before it was written: by now it is. @param {number[]} seats */
  takePresence(seats) {
    this.present = seats;
    if (this.about && seats.some((seat) => !this.names[seat])) this.loadAbout();
  }

  /** @param {Schemas["Situation"]} situation */
  takeSituation({ version, root, view, moves }) {
    this.roots.set(version, root);
    this.view = view;
    this.moves = moves;
    this.takeDeadline(moves.deadline ?? view.deadline);
  }

  /** @param {Schemas["Entry"]} entry */
  takeEntry(entry) {
    this.chain?.note(entry.events);
    this.signing?.check(entry);
    this.entries = [...this.entries.filter((each) => each.version < entry.version), entry].slice(-MOST_ENTRIES);
    if (ROSTER.test(entry.move?.type ?? "table.")) this.loadAbout();
    if (this.seat === null) this.loadBoard();
  }

  /** Load the board for an onlooker, whose stream carries entries only; one request at a time. */
  async loadBoard() {
    if (this.seat !== null) return;
    this.wantsBoard = true;
    if (this.loadsBoard) return;
    this.loadsBoard = true;
    while (this.wantsBoard && !this.stopped.signal.aborted) {
      this.wantsBoard = false;
      try {
        this.view = await call("GET", `${matchPath(this.match)}/board`, { token: this.token });
      } catch (failure) {
        if (failure instanceof Refused) this.refuse(failure);
      }
      this.announce();
    }
    this.loadsBoard = false;
  }

  /** @param {{left_ms?: number, limit_ms: number} | null} deadline */
  takeDeadline(deadline) {
    this.deadline = deadline && { ends: performance.now() + (deadline.left_ms ?? deadline.limit_ms), limit: deadline.limit_ms };
  }

  /**
   * Send a write that must not be lost: it is stored first and sent until the server has answered, once in effect.
   * @param {string} path @param {any} [body] @param {{ifMatch?: number}} [options] @returns {Promise<any>} throws Refused
   */
  send(path, body, { ifMatch } = {}) {
    const pending = { key: drawKey(), path, body, ifMatch, at: Date.now() };
    this.keepPending([...readValue(this.pendingKey, []), pending]);
    return this.deliver(pending);
  }

  /** @param {any} move @param {any[]} [reports] @param {number | "chance"} [seat] */
  makeMove(move, reports, seat = this.seat ?? "chance") {
    const link = seat === this.seat ? this.chain?.next : undefined, signed = seat === this.seat ? this.signing?.sign(move, link) : undefined;
    const body = { move, seen: this.version, ...(reports?.length ? { reports } : {}), link, signed };
    return this.send(`${matchPath(this.match)}/seats/${seat}/moves`, body);
  }

  /** @param {Pending} pending */
  async deliver(pending) {
    for (;;) {
      try {
        const answer = await call("POST", pending.path, {
          token: this.token, body: pending.body, key: pending.key, ifMatch: pending.ifMatch, tries: 1, minimal: true,
        });
        keepReceipt(this.match, answer?.receipt);
        this.chain?.note(answer?.entry?.events ?? []);
        this.forget(pending);
        return answer;
      } catch (failure) {
        const isLater = failure instanceof Unreachable || (failure instanceof Refused && (failure.status >= 500 || failure.status === 429));
        if (!isLater) {
          this.forget(pending);
          if (failure instanceof Refused) keepRefusal(this.match, failure.problem?.refusal, pending.body);
          const proof = failure instanceof Refused ? { link: "link", seed: "link", signature: "signed" }[failure.kind.split("-")[0] ?? ""] : undefined;
          if (!proof || !pending.body?.[proof]) throw failure;
          if (proof === "link") this.chain = null; // another device has taken over the seat
          if (proof === "signed") this.signing?.doubt();
          else this.loadAbout();
          return this.send(pending.path, { ...pending.body, [proof]: undefined, signed: undefined }); // as it was signed with the link
        }
        if (this.connection === "open") this.connection = "lost";
        this.announce();
        await new Promise((resolve) => setTimeout(resolve, 1500));
      }
    }
  }

  /** Send what was left over when the page was closed or the network lost. */
  sendPending() {
    if (this.sentLeftovers) return;
    this.sentLeftovers = true;
    for (const pending of this.pending)
      this.deliver(pending).catch((failure) => {
        this.lateRefusal = failure instanceof Refused ? failure : null;
        this.announce();
      });
  }

  /** @param {Pending} pending */
  forget(pending) {
    if (this.isHeard && this.connection === "lost") this.connection = "open";
    this.keepPending(readValue(this.pendingKey, []).filter((/** @type {Pending} */ each) => each.key !== pending.key));
  }

  /** @param {Pending[]} pending */
  keepPending(pending) {
    this.pending = pending;
    writeText(this.pendingKey, pending.length ? JSON.stringify(pending) : null);
    this.announce();
  }

  /**
   * Leave the stream to the tab that is looked at: browsers open six connections to a server, and each stream takes one.
   * @returns {() => void} ends it
   */
  watchOtherTabs() {
    if (typeof BroadcastChannel === "undefined") return () => {};
    const channel = new BroadcastChannel("referee.tabs");
    let isPaused = false;
    channel.onmessage = () => {
      if (!document.hidden) return;
      isPaused = true;
      this.stopped.abort();
    };
    const show = () => {
      if (document.hidden) return;
      channel.postMessage("visible");
      if (isPaused) {
        isPaused = false;
        this.restart();
      }
    };
    document.addEventListener("visibilitychange", show);
    show();
    return () => {
      document.removeEventListener("visibilitychange", show);
      channel.close();
    };
  }
}
