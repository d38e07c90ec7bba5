// @ts-check
// Calls of the public API: typed by the contract, repeated safely, never twice in effect.
import { drawKey } from "./device.js";
import { language } from "./words.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */
/** @typedef {{token?: string, body?: any, text?: string, ifMatch?: number, key?: string, minimal?: boolean, tries?: number}} Options */

const TRIES = 5, AGAIN = [429, 502, 503, 504];

/** A refusal of the API, with its problem document (RFC 9457). */
export class Refused extends Error {
  /** @param {number} status @param {Schemas["Problem"] | null} problem */
  constructor(status, problem) {
    super(problem?.detail || problem?.title || `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
    this.kind = (problem?.type ?? "").replace("/problems/", "");
  }
  /** Whether others were faster: nothing is wrong, the next situation shows what is. */
  get isOvertaken() {
    return this.status === 412 || ["overtaken", "window-closed", "match-over"].includes(this.kind);
  }
}

/** The server cannot be reached just now. */
export class Unreachable extends Error {}

/** @param {number} milliseconds @returns {Promise<void>} */
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @param {number} failed @returns {number} milliseconds: more each time, and drawn so that phones do not come all at once */
export const drawWait = (failed) => (0.5 + Math.random() / 2) * Math.min(8000, 300 * 2 ** failed);

/**
 * Return all items of a list, page by page.
 * @param {string} path @param {Options} [options] @returns {Promise<any[]>}
 */
export async function callPages(path, options) {
  const found = [];
  for (let after = ""; ;) {
    const page = await call("GET", `${path}${path.includes("?") ? "&" : "?"}limit=200${after}`, options);
    found.push(...page.items);
    if (page.next_cursor === null) return found;
    after = `&after=${page.next_cursor}`;
  }
}

/** @param {string} [token] @returns {Record<string, string>} */
export function makeHeaders(token) {
  return { "Accept-Language": language(), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
}

/**
 * Make a request and return the body of the answer. A write has one key for all tries, so it is done once.
 * @param {string} method @param {string} path @param {Options} [options] @returns {Promise<any>}
 */
export async function call(method, path, { token, body, text, ifMatch, key, minimal, tries = TRIES } = {}) {
  const headers = makeHeaders(token);
  if (method !== "GET") headers["Idempotency-Key"] = key ?? drawKey();
  if (ifMatch !== undefined) headers["If-Match"] = `"v${ifMatch}"`;
  if (minimal) headers.Prefer = "return=minimal";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (text !== undefined) headers["Content-Type"] = "application/x-ndjson";
  const init = { method, headers, body: body === undefined ? text : JSON.stringify(body) };
  for (let tried = 1; ; tried++) {
    let wait = drawWait(tried);
    try {
      const answer = await fetch(path, init);
      if (answer.ok) return answer.status === 204 ? null : await readBody(answer);
      const refused = await readRefusal(answer);
      if (!AGAIN.includes(answer.status) || tried >= tries) throw refused;
      wait = 1000 * Number(answer.headers.get("Retry-After")) || wait;
    } catch (failure) {
      if (failure instanceof Refused) throw failure;
      if (tried >= tries) throw new Unreachable(String(failure));
    }
    await pause(wait);
  }
}

/** @param {Response} answer */
function readBody(answer) {
  return answer.headers.get("Content-Type")?.includes("json") ? answer.json() : answer.text();
}

/** @param {Response} answer */
export async function readRefusal(answer) {
  const isProblem = answer.headers.get("Content-Type")?.startsWith("application/problem+json") ?? false;
  return new Refused(answer.status, isProblem ? await answer.json() : null);
}

/** @param {string} match @param {number | "chance" | null} [seat] the address of a match, or of a seat of it */
export const matchPath = (match, seat) => `/v1/matches/${encodeURIComponent(match)}${seat == null ? "" : `/seats/${seat}`}`;

/** Return what gives seats a share in the draws; null where it does not come in time. It is loaded once the page stands. */
export const findChains = () => Promise.race([import("../chain/chain.js").catch(() => null), pause(1500).then(() => null)]);

/** @type {Map<string, Promise<any>>} */
const kept = new Map();

/** Return what does not change while the page is open, asking once. @param {string} path @returns {Promise<any>} */
export function callOnce(path) {
  const key = `${language()} ${path}`;
  let found = kept.get(key);
  if (!found) {
    found = call("GET", path);
    kept.set(key, found);
    found.catch(() => kept.delete(key));
  }
  return found;
}
