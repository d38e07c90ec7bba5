// @ts-check
// What was hidden during play: openings of commitments, the server's secret, the players' seeds, every draw.
import { areSame, hash, toHex } from "./bytes.js";
import { iterateObjects, parseObject } from "./canonical.js";
import { computeSalt, isDrawReproduced, isMoveDrawn } from "./draws.js";
import { collectSeeds } from "./seeds.js";

/** @typedef {import("./checks.js").BundleChecks} BundleChecks */
/** @typedef {import("./bundle.js").Line} Line */

const OVER = ["finished", "void", "abandoned", "withdrawn", "archived"]; // in these states the secrets are disclosed
const NOTHING = new Uint8Array(0);

/** Check opened parts against commitments, and that no due part is missing. @param {BundleChecks} checks */
export function checkOpenings(checks) {
  const due = ["sealed", "moving"].includes(checks.eyes) ? "full" : checks.eyes;
  const payload = checks.lines("luggage").map((line) => line.text).join(""), last = checks.left.at(-1);
  const named = last?.version === checks.size ? last.event.luggage : null;
  if ((checks.eyes === "moving") !== Boolean(payload) || (payload && named !== toHex(hash(payload)))) checks.addFinding("opening", "payload_other");
  for (const { version, entry, envelope } of checks.log) {
    const committed = envelope?.commitments ?? {};
    for (const part of entry.parts)
      if (!Object.hasOwn(committed, part.who) || committed[part.who] !== toHex(hash(part.salt, part.part))) checks.addFinding("opening", "part_other", version);
    if (due === "public" && entry.parts.length) checks.addFinding("opening", "part_extra", version);
    const isRight = entry.parts.length === 1 && entry.parts[0].who === due;
    if (due !== "public" && Object.hasOwn(committed, due) && !isRight) checks.addFinding("opening", "part_missing", version);
  }
  return due === "public" ? "skip_openings" : "";
}

/** Check secrets against commitments, salts and draws against secrets, and moves. @param {BundleChecks} checks */
export function checkChance(checks) {
  const told = checks.lines("secret"), drawn = checks.lines("draw");
  if (checks.isTournament) {
    if (told.length || OVER.includes(checks.header.status)) checkSecrets(checks, new Map([[1, { first: 1, commitment: checks.opened.commitment }]]));
    if (drawn.length) checks.addFinding("chance", "draws_over");
    return "skip_lots";
  }
  const seeds = collectSeeds(checks), since = collectGenerations(checks);
  const isDue = ["full", "moving"].includes(checks.eyes) || (checks.eyes === "sealed" && OVER.includes(checks.header.status));
  if (told.length === 0 && drawn.length === 0 && !isDue) return "skip_chance";
  const secrets = checkSecrets(checks, since);
  /** @type {Map<number, Line>} */
  const draws = new Map(drawn.map((line) => [line.version, line]));
  if (draws.size !== drawn.length) checks.addFinding("chance", "draw_twice");
  /** @type {Map<string, number[][]>} by type of step in the log so far: the sides of its dice */
  const requested = new Map();
  for (const { version, entry, envelope } of checks.log) {
    const generation = Math.max(0, ...[...since].filter(([, { first }]) => first <= version).map(([number]) => number));
    const secret = secrets.get(generation) ?? NOTHING, draw = draws.get(version), behind = seeds.get(version);
    draws.delete(version);
    for (const part of entry.parts)
      if (!areSame(part.salt, computeSalt(secret, checks.match, version, part.who))) checks.addFinding("opening", "salt_other", version);
    const full = parseObject(entry.parts.find((/** @type {Line} */ part) => part.who === "full")?.part ?? "");
    if ((envelope?.actor === "chance") !== (draw !== undefined)) checks.addFinding("chance", "draw_undue", version);
    else if (draw && behind && (draw.generation !== generation || !isDrawReproduced(secret, draw, behind.place, behind.seeds))) checks.addFinding("chance", "draw_other", version);
    else if (draw && !isMoveDrawn(full.move, draw, requested.get(draw.purpose))) checks.addFinding("chance", "draw_move", version);
    noteDice(requested, full.events);
  }
  if (draws.size) checks.addFinding("chance", "draws_over");
  return "";
}

/**
 * Check the secrets against what was committed to, by generation, and return them.
 * @param {BundleChecks} checks @param {Map<number, {first: number, commitment: any}>} since
 */
function checkSecrets(checks, since) {
  const told = checks.lines("secret");
  /** @type {Map<number, Uint8Array>} */
  const secrets = new Map(told.map((line) => [line.generation, line.secret]));
  if (secrets.size !== told.length) checks.addFinding("opening", "secret_twice");
  for (const number of new Set([...since.keys(), ...secrets.keys()])) {
    const computed = toHex(hash("referee/v1/commitment|", secrets.get(number) ?? NOTHING));
    if (!secrets.has(number) || since.get(number)?.commitment !== computed) checks.addFinding("opening", "secret_other");
  }
  return secrets;
}

/** Note which dice the steps of an entry ask for. @param {Map<string, number[][]>} requested @param {any} events */
function noteDice(requested, events) {
  for (const { dice, sides, type } of iterateObjects(events)) {
    const rolls = Number.isInteger(dice) && Number.isInteger(sides) && 0 < dice && dice < 100 ? Array(dice).fill(sides) : [];
    const kind = String(type);
    requested.set(kind, [...(requested.get(kind) ?? []), rolls]);
  }
}

/** Return the first entry and the commitment of each generation of the secret. @param {BundleChecks} checks */
function collectGenerations(checks) {
  /** @type {Map<number, {first: number, commitment: any}>} */
  const since = new Map();
  for (const { version, event } of checks.findEvents("table.MatchOpened", "table.ChanceRenewed")) {
    const opens = event.type === "table.MatchOpened", number = since.size;
    if (opens !== (version === 1) || opens !== (number === 0) || (event.generation ?? 0) !== number) checks.addFinding("opening", "commitment_undue", version);
    else since.set(number, { first: version, commitment: event.commitment });
  }
  return since;
}
