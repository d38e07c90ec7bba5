// @ts-check
// Who is said to have made the entries, when, and what became of the match: what everybody sees, without the rules.

/** @typedef {import("./checks.js").BundleChecks} BundleChecks */

const SET_BACK = 5 * 60_000, DAY = 24 * 3_600_000; // ms: how far a clock is set back, or two servers' clocks differ, at most
const STATUSES = /** @type {Record<string, string>} */ ({ "table.Started": "running", "table.Voided": "void" });

/** Return the status after all entries, of which some may have been taken back. @param {BundleChecks} checks */
export function findStatus(checks) {
  if (checks.isTournament) {
    const last = checks.findEvents("tournament.Started", "tournament.Ended").at(-1)?.event;
    return last ? String(last.status ?? "running") : "registration";
  }
  /** @type {{version: number, status: string}[]} the entries that changed it, as far as they still count */
  let counted = [{ version: 0, status: "lobby" }];
  /** @type {Map<number, typeof counted>} */
  const before = new Map();
  for (const { version, envelope } of checks.log) {
    before.set(version, counted);
    const events = (envelope?.events ?? []).filter((/** @type {any} */ event) => event && typeof event === "object");
    for (const { type, to, entry } of events) {
      if (type === "table.Rewound") counted = counted.filter((each) => each.version <= to);
      else if (type === "table.Restored") counted = before.get(entry) ?? counted;
    }
    for (const { type, status } of events)
      if (type in STATUSES || type === "table.Ended") counted = [...counted, { version, status: STATUSES[type] ?? String(status) }];
  }
  return counted.at(-1)?.status;
}

/** Check that whoever is said to have made an entry can have made it. @param {BundleChecks} checks */
export function checkMakers(checks) {
  const bots = new Set(), proxies = new Set(); // as they were at any time before
  let hasClock = false;
  for (const { version, envelope } of checks.log) {
    if (!envelope) continue;
    const { seat, actor, events } = envelope, [kind = ""] = actor.split(":");
    const fits = seat === -1 ? ["chance", "reporter"].includes(kind) : seat === -2 ? kind === "clock"
      : ["player", "spoken"].includes(kind) || (kind === "bot" && bots.has(seat)) || (kind === "proxy" && proxies.has(seat)) || (kind === "clock" && hasClock);
    if (seat !== -3 && !fits) checks.addFinding(kind === "clock" && seat >= 0 ? "time" : "rules", "made_by_other", version, { actor, seat });
    for (const event of events) {
      if (!event || typeof event !== "object") continue;
      const { type, chairs, clocks } = event;
      (Array.isArray(chairs) ? chairs : []).forEach((chair, at) => {
        if (chair.kind === "bot") bots.add(at);
        if (chair.kind === "table" || chair.proxy !== "nobody") proxies.add(at);
      });
      if (clocks?.move_ms || clocks?.window_ms) hasClock = true;
      if (type === "table.BotSeated") bots.add(event.seat);
      if (type === "table.ProxySet" && event.by !== "nobody") proxies.add(event.seat);
    }
  }
  return "";
}

/** Check that times do not fall, and that entries, keys and file are not of the future. @param {BundleChecks} checks */
export function checkTimes(checks) {
  const now = Date.now(), made = checks.header.made_ms, arrived = new Set(checks.came.map(({ version }) => version));
  /** @type {number[]} */
  const at = [0, ...checks.log.map(({ envelope }) => envelope?.at ?? 0)];
  const first = at[1] ?? 0, last = at.at(-1) ?? 0, latest = Math.max(...at);
  let highest = first;
  for (let version = 2; version < at.length; version++) {
    const here = at[version] ?? 0, before = at[version - 1] ?? 0, isArrival = arrived.has(version);
    if (isArrival ? before - here > DAY : highest - here > SET_BACK) {
      checks.addFinding("time", isArrival ? "time_arrival" : "time_falls", version);
      break;
    }
    highest = isArrival ? here : Math.max(highest, here);
  }
  if (Math.max(latest, made) > now + DAY) checks.addFinding("time", "time_future", latest > now + DAY ? at.indexOf(latest) : null);
  const isGone = checks.left.at(-1)?.version === checks.size;
  if (made < last - (isGone ? DAY : SET_BACK)) checks.addFinding("time", "time_made");
  const keys = checks.lines("key"), limit = Math.min(now, checks.eyes === "moving" ? now : made) + DAY;
  keys.forEach((key, n) => key.since_ms > limit && checks.addFinding("time", "time_key", null, { n: n + 1 }));
  if (keys[0] && checks.came.length === 0 && checks.size && keys[0].since_ms - first > 31 * DAY) checks.addFinding("time", "time_before_key", 1);
  return "";
}
