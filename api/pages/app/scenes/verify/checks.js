// @ts-check
// The checks of a bundle, in the steps of `/verify.py`, which shares no code with the server either.
import { areSame, firstLine, fromHex, hash, isKeyNamed, splitLast, toHex, Unfit, verifyCheckpoint } from "./bytes.js";
import { parseEnvelope, parseObject } from "./canonical.js";
import { readBundle } from "./bundle.js";
import { checkDevices, describeDevices } from "./devices.js";
import { checkMakers, checkTimes, findStatus } from "./makers.js";
import { checkChance, checkOpenings } from "./secrets.js";
import { describeShares } from "./seeds.js";
import { computeRoots, hashLeaf, isIncluded } from "./tree.js";
import { judgeCosignatures, lookAtStamp } from "./vouching.js";

/** @typedef {import("./bundle.js").Line} Line */
/** @typedef {{kind: string, why: string, values: Record<string, any>, version: number | null, step: string}} Finding */
/** @typedef {{version: number, entry: Line, envelope: Line | null}} Logged */

/** @type {Record<string, number>} exit codes of the verifiers */
export const CODES = { unreadable: 10, key: 11, signature: 12, version: 13, root: 14, fork: 15, opening: 16, chance: 17, rules: 18, book: 20, published: 21, time: 23, device: 25 };
const STEPS = /** @type {const} */ (["keys", "homes", "signatures", "versions", "tree", "compared", "openings", "makers", "chance", "book", "devices", "times", "published"]);
/** @typedef {typeof STEPS[number]} Step */

/** Return what the header of a tournament has to say. @param {Line | undefined} opened @returns {Line} */
const describeTournament = (opened) => ({ match: opened?.tournament, game: "tournament", variant: opened?.format?.game, edition: "", ruleset: "1", later_scheme: Boolean(opened?.format?.scheme), commitment: opened?.commitment, chance: { lots: "server" } });

/** A bundle under check: its findings, and the states of the steps: done, failed, or why one was skipped. */
export class BundleChecks {
  /** @param {Record<string, Line[]>} found @param {Uint8Array[]} trusted @param {string[]} receipts @param {import("./bytes.js").Witnesses} [witnesses] */
  constructor(found, trusted, receipts, witnesses = new Map()) {
    this.witnesses = witnesses;
    /** @type {Set<string>} names of witnesses of whom no key is known */
    this.unknown = new Set();
    /** @type {{why: string, values: Record<string, any>}[]} what others say of the log that has the match */
    this.said = [];
    /** @type {Record<string, Line[]>} */
    this.found = found;
    this.trusted = trusted;
    this.receipts = receipts;
    this.header = this.lines("header")[0] ?? {};
    this.match = String(this.header.match);
    this.origin = String(this.header.origin);
    this.eyes = String(this.header.eyes);
    const [store, about] = splitLast(this.origin, "/");
    this.store = store;
    this.about = about;
    /** @type {Logged[]} */
    this.log = this.lines("entry").map((entry, at) => ({ version: at + 1, entry, envelope: parseEnvelope(entry.envelope) }));
    this.roots = computeRoots(this.log.map(({ entry }) => hashLeaf(entry.envelope)));
    this.size = this.log.length;
    const opened = this.findEvents("table.MatchOpened").find(({ version }) => version === 1);
    this.opened = opened?.event ?? {};
    this.isTournament = this.header.game === "tournament"; // whose rules and lots only a server judges
    if (this.isTournament) this.opened = describeTournament(this.findEvents("tournament.Opened").find(({ version }) => version === 1)?.event);
    this.left = this.findEvents("table.MatchMoved");
    this.came = this.findEvents("table.MatchArrived");
    /** @type {Uint8Array[]} the keys that count */
    this.good = [];
    /** @type {Map<string, Uint8Array[]>} by server */
    this.vouch = new Map();
    /** @type {{size: number, root: Uint8Array}[]} */
    this.signed = [];
    /** @type {{size: number, root: Uint8Array}[]} */
    this.kept = [];
    /** up to this entry receipts agree */
    this.receipted = 0;
    /** whether a receipt is for more entries than there are here */
    this.isOlder = false;
    /** @type {import("./seeds.js").Share[]} */
    this.shares = [];
    /** @type {Map<number, number[]>} by seat: up to where its device had seen the log when it signed moves */
    this.saw = new Map();
    /** @type {Map<number, number[]>} by seat: the player's entries without a signature */
    this.unsigned = new Map();
    /** @type {Finding[]} */
    this.findings = [];
    /** @type {{step: Step, state: "done" | "failed" | "skipped", why: string}[]} */
    this.steps = [];
    /** @type {string} */
    this.step = "";
  }

  /** @param {string} kind @returns {Line[]} */
  lines(kind) {
    return this.found[kind] ?? [];
  }

  /** Return the public events of these kinds with the versions of their entries. @param {...string} kinds @returns {{version: number, event: Line}[]} */
  findEvents(...kinds) {
    return this.log.flatMap(({ version, envelope }) =>
      (envelope?.events ?? []).filter((/** @type {any} */ event) => kinds.includes(event?.type)).map((/** @type {Line} */ event) => ({ version, event })));
  }

  /** @param {string} kind @param {string} why @param {number | null} [version] @param {Record<string, any>} [values] */
  addFinding(kind, why, version = null, values = {}) {
    this.findings.push({ kind, why, version, values, step: this.step });
  }

  run() {
    for (const step of STEPS) {
      const before = this.findings.length;
      let why = "";
      this.step = step;
      try {
        why = CHECKS[step](this);
      } catch (failure) {
        if (!(failure instanceof TypeError || failure instanceof RangeError || failure instanceof Unfit || failure instanceof SyntaxError)) throw failure;
        this.addFinding("unreadable", "odd_shape"); // a stranger's data may have any shape
      }
      const state = this.findings.length > before ? "failed" : why ? "skipped" : "done";
      this.steps.push({ step, state, why });
    }
    return this;
  }

  /** What is not wrong, but good to know. */
  get notices() {
    const unknown = [...this.unknown].map((name) => ({ why: "witness_unknown", values: { name } }));
    return [...this.said, ...unknown, ...describeShares(this), ...describeDevices(this)];
  }

  get exit() {
    return this.findings.length ? Math.min(...this.findings.map(({ kind }) => CODES[kind] ?? 10)) : 0;
  }

  /** Return the keys of a server, as the file lists them. @param {string} store @returns {Line[]} */
  findKeyChain(store) {
    return store === this.store ? this.lines("key") : this.lines("former").filter((line) => line.store === store);
  }

  /** Return whether this note signs that the match left a server after `version`. @param {string} note @param {string} store @param {number} version @param {Uint8Array[]} keys */
  isDepartureSigned(note, store, version, keys) {
    try {
      return verifyCheckpoint(note, `${store}/${this.about}`, keys).size === version;
    } catch (failure) {
      if (failure instanceof Unfit) return false;
      throw failure;
    }
  }

  /** @param {string} store @param {number} version @param {Uint8Array[]} keys */
  hasDeparture(store, version, keys) {
    return this.lines("checkpoint").some(({ note }) => this.isDepartureSigned(note, store, version, keys));
  }
}

/** @param {any} text */
const parseHexKey = (text) => (typeof text === "string" && /^[0-9a-f]{64}$/.test(text) ? fromHex(text) : null);
/** @param {Uint8Array[]} keys @param {Uint8Array | null} key */
const holds = (keys, key) => key !== null && keys.some((each) => areSame(each, key));

/** @type {Record<Step, (checks: BundleChecks) => string>} each returns why it was skipped, or nothing */
const CHECKS = {
  keys(checks) {
    checks.good = [...checks.trusted, ...findNamedKeys(checks)];
    /** @type {Uint8Array[]} */
    const before = [];
    checks.lines("key").forEach((line, at) => {
      const isFirst = at === 0 && !line.statement;
      if (isKeyNamed(line, checks.store, checks.good) || (at === 0 && checks.trusted.length === 0)) checks.good.push(line.public);
      const isNamed = isFirst || holds(checks.trusted, line.public) || isKeyNamed(line, checks.store, before);
      if (line.public.length !== 32 || !isNamed) checks.addFinding("key", "key_unnamed", null, { n: at + 1 });
      before.push(line.public);
    });
    if (!before.some((key) => holds(checks.good, key))) checks.addFinding("key", "key_not_trusted");
    return "";
  },

  homes(checks) {
    checks.vouch = new Map([[checks.store, checks.good]]);
    const stays = [...checks.left.map((each) => ({ ...each, what: "left" })), ...checks.came.map((each) => ({ ...each, what: "came" }))]
      .sort((one, other) => one.version - other.version);
    let before = { version: 0, what: "came" };
    for (const stay of stays) {
      if (stay.what === before.what || (stay.what === "came" && stay.version !== before.version + 1)) {
        checks.addFinding("version", "stay_odd", stay.version);
        return "";
      }
      before = stay;
    }
    if (stays.length && before.what === "left" && before.version !== checks.size) checks.addFinding("version", "after_leaving", before.version);
    checks.left.slice(0, checks.came.length).forEach((left, at) => checkArrival(checks, left, /** @type {any} */ (checks.came[at])));
    const last = stays.length ? String(stays.at(-1)?.event.store) : checks.store;
    if (last !== checks.store && checks.eyes !== "public") checks.addFinding("version", "header_server");
    return stays.length ? "" : "skip_homes";
  },

  signatures(checks) {
    const notes = checks.lines("checkpoint").map((line) => line.note), isHere = (/** @type {string} */ note) => firstLine(note) === checks.origin;
    const here = verifyNotes(checks, "checkpoint", notes.filter(isHere));
    checks.signed = [...here, ...verifyNotes(checks, "checkpoint", notes.filter((note) => !isHere(note)))];
    checks.kept = verifyNotes(checks, "receipt", checks.receipts);
    if (here.every(({ size }) => size < checks.size)) checks.addFinding("signature", "not_all_signed", null, { n: checks.size });
    return "";
  },

  versions(checks) {
    for (const { version, entry, envelope } of checks.log) {
      if (!envelope && areSame(entry.root, rootAt(checks, version))) checks.addFinding("unreadable", "no_envelope", version);
      const shown = envelope ?? { version, match: checks.match }; // otherwise the root is a finding
      if (entry.version !== version || shown.version !== version || shown.match !== checks.match) checks.addFinding("version", "other_entry", version);
    }
    const most = Math.max(checks.header.size, 1, ...checks.signed.map(({ size }) => size));
    if (most !== checks.size) checks.addFinding("version", "entries_missing", null, { most, n: checks.size });
    for (const field of checks.log[0]?.envelope ? ["match", "game", "variant", "edition", "ruleset"] : [])
      if (checks.opened[field] !== checks.header[field]) checks.addFinding("version", "header_other", 1, { field });
    if (checks.about !== checks.match) checks.addFinding("version", "header_origin");
    if (checks.log.length && checks.header.status !== findStatus(checks)) checks.addFinding("version", "header_other", null, { field: "status" });
    const seats = new Set(checks.log.flatMap(({ envelope }) => Object.keys(envelope?.commitments ?? {})));
    if (!["public", "full", "sealed", "moving"].includes(checks.eyes) && !seats.has(checks.eyes)) checks.addFinding("version", "header_viewer");
    return "";
  },

  tree(checks) {
    const wrong = checks.log.find(({ version, entry }) => !areSame(entry.root, rootAt(checks, version)));
    if (wrong) checks.addFinding("root", "root_wrong", wrong.version);
    for (const { size, root } of checks.signed)
      if (size <= checks.size && (size === 0 || !areSame(root, rootAt(checks, size)))) checks.addFinding("root", "checkpoint_other", null, { n: size });
    return "";
  },

  compared(checks) {
    for (const { size, root } of checks.kept) {
      if (size > checks.size) checks.isOlder = true; // than the receipt: that accuses nobody
      else if (size === 0 || !areSame(root, rootAt(checks, size))) checks.addFinding("fork", "receipt_other", null, { n: size });
      else checks.receipted = Math.max(checks.receipted, size);
    }
    return checks.receipts.length ? "" : "skip_receipts";
  },

  openings: checkOpenings,
  makers: checkMakers,
  chance: checkChance,

  book(checks) {
    const named = checks.opened.book || "", texts = checks.lines("book").map((line) => toHex(hash(line.text)));
    if (texts.join() !== named || texts.length > 1) checks.addFinding("book", "book_other");
    return named || texts.length ? "" : "skip_book";
  },

  devices: checkDevices,
  times: checkTimes,

  published(checks) {
    for (const line of checks.lines("published")) {
      const leaf = parseObject(line.leaf), [first] = line.note.split("\n"), named = first.replace(/\/roots$/, "");
      const store = checks.vouch.has(named) ? named : checks.store;
      try {
        const { size, root } = verifyCheckpoint(line.note, `${store}/roots`, checks.vouch.get(store) ?? []);
        if (!isIncluded(hashLeaf(line.leaf), line.index, size, line.path, root)) checks.addFinding("published", "published_elsewhere");
      } catch (failure) {
        if (!(failure instanceof Unfit)) throw failure;
        checks.addFinding("signature", failure.why, null, failure.values);
        continue;
      }
      const over = leaf.size, known = Number.isInteger(over) && 0 < over && over <= checks.size ? toHex(rootAt(checks, over)) : "";
      if (!known || leaf.kind !== "root" || leaf.match !== checks.match || leaf.root !== known) checks.addFinding("published", "published_other");
      else judgeCosignatures(checks, line.note, `${store}/roots`, over);
    }
    for (const line of checks.lines("stamp")) lookAtStamp(checks, line);
    return checks.lines("published").length ? "" : "skip_published";
  },
};

/** @param {BundleChecks} checks @param {number} version */
const rootAt = (checks, version) => /** @type {Uint8Array} */ (checks.roots[version]);

/** Return the keys of next servers that a vouched-for server named at release. @param {BundleChecks} checks */
function findNamedKeys(checks) {
  /** @type {Uint8Array[]} */
  const known = [];
  for (const { version, event } of checks.trusted.length ? checks.left : []) {
    const store = String(event.store), good = [...checks.trusted, ...known];
    for (const line of checks.findKeyChain(store)) if (isKeyNamed(line, store, good)) good.push(line.public);
    const to = parseHexKey(event.to);
    if (to && checks.hasDeparture(store, version, good)) known.push(to);
  }
  return known;
}

/** Check that what arrives at a server is what left another. @param {BundleChecks} checks @param {{version: number, event: Line}} left @param {{version: number, event: Line}} came */
function checkArrival(checks, left, came) {
  const store = String(left.event.store), after = String(came.event.store), arrived = came.version;
  const bound = [...(came.event.their_keys ?? [])].map(parseHexKey).filter((key) => key !== null);
  const listed = checks.findKeyChain(store).map((line) => line.public), here = checks.findKeyChain(after).map((line) => line.public);
  if (!bound.every((key) => holds(listed, key)) || !holds(here, parseHexKey(came.event.key))) checks.addFinding("key", "arrival_keys", arrived);
  if (left.event.to && !holds(here, parseHexKey(left.event.to))) checks.addFinding("key", "arrival_server", arrived);
  const vouched = [...(checks.vouch.get(store) ?? []), ...bound, ...checks.trusted];
  checks.vouch.set(store, vouched);
  if (came.event.came_from !== store) checks.addFinding("version", "arrival_from", arrived);
  if (came.event.root !== toHex(rootAt(checks, left.version))) checks.addFinding("root", "arrival_root", arrived);
  if (!checks.hasDeparture(store, left.version, vouched)) checks.addFinding("signature", "departure_unsigned", left.version);
}

/** Return sizes and roots of this match's checkpoints; add findings for the others. @param {BundleChecks} checks @param {"checkpoint" | "receipt"} what @param {string[]} notes */
function verifyNotes(checks, what, notes) {
  const found = [];
  for (const note of notes) {
    const [store, about] = splitLast(firstLine(note), "/");
    if (about !== checks.about) {
      checks.addFinding("version", `${what}_of_other`);
      continue;
    }
    const known = checks.vouch.get(store), origin = known ? `${store}/${about}` : checks.origin;
    try {
      found.push(verifyCheckpoint(note, origin, known ?? checks.good));
    } catch (failure) {
      if (!(failure instanceof Unfit)) throw failure;
      checks.addFinding("signature", failure.why, null, failure.values);
    }
  }
  return found;
}

/** @typedef {{size: number, match: string, exit: number, findings: Finding[], steps: BundleChecks["steps"], checks: BundleChecks | null}} Report */

/** Check the bytes of a bundle. @param {Uint8Array} bytes @param {{trusted?: Uint8Array[], receipts?: string[], witnesses?: import("./bytes.js").Witnesses}} [known] @returns {Report} */
export function checkBundle(bytes, { trusted = [], receipts = [], witnesses } = {}) {
  try {
    const checks = new BundleChecks(readBundle(bytes), trusted, receipts, witnesses).run();
    return { size: checks.size, match: checks.match, exit: checks.exit, findings: checks.findings, steps: checks.steps, checks };
  } catch (failure) {
    if (failure instanceof Unfit) return refuseFile(failure);
    throw failure;
  }
}

/** @param {Unfit} failure @returns {Report} */
export const refuseFile = (failure) => ({ size: 0, match: "", exit: CODES.unreadable ?? 10, steps: [], checks: null,
  findings: [{ kind: "unreadable", why: failure.why, values: failure.values, version: null, step: "file" }] });

/** Return the match that a receipt names. @param {string} note */
export const findReceiptMatch = (note) => splitLast(firstLine(note), "/")[1];
