// @ts-check
// Reads disputes, history and what officials decide. Their addresses stand here and nowhere else on the page.
import { call, callPages, makeHeaders, matchPath, readRefusal, Unreachable } from "./api.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */
/** @typedef {{match: string, seat: number | null, token?: string}} Viewer `seat` null: public eyes */

const PAGE = 200;

/** @param {Viewer} viewer @param {string} what */
const viewPath = ({ match, seat }, what) => `${matchPath(match)}/${what}${seat === null ? "" : `${what.includes("?") ? "&" : "?"}viewer=seat:${seat}`}`;

/** @param {string} match @param {number} dispute @param {string} step an address to post to */
export const stepPath = (match, dispute, step) => `${matchPath(match)}/disputes/${dispute}/${step}`;
/** @param {string} match */
export const disputesPath = (match) => `${matchPath(match)}/disputes`;
/** @param {string} match */
export const takebacksPath = (match) => `${matchPath(match)}/takebacks`;
/** @param {string} match @param {number} report */
export const correctionsPath = (match, report) => `${matchPath(match)}/entries/${report}/corrections`;

/** @param {Viewer} viewer @returns {Promise<Schemas["DisputeRecord"][]>} the newest first */
export const listDisputes = async (viewer) => (await callPages(viewPath(viewer, "disputes"), viewer)).reverse();

/** @param {Viewer} viewer @param {number} dispute @returns {Promise<Schemas["Dispute"]>} */
export const loadDispute = (viewer, dispute) => call("GET", viewPath(viewer, `disputes/${dispute}`), viewer);

/** @param {Viewer} viewer @param {number} dispute @param {string} remedy @returns {Promise<Schemas["Remedy"]>} */
export const previewRemedy = (viewer, dispute, remedy) => call("GET", viewPath(viewer, `disputes/${dispute}/remedies/${remedy}`), viewer);

/** @param {Viewer} viewer @param {number} n @returns {Promise<Schemas["Explanation"]>} */
export const explainEntry = (viewer, n) => call("GET", viewPath(viewer, `entries/${n}/explanation`), viewer);

/** @param {Viewer} viewer @param {number} version @returns {Promise<Schemas["BoardView"]>} */
export const loadBoard = (viewer, version) => call("GET", viewPath(viewer, `board?version=${version}`), viewer);

/** @param {Viewer} viewer @returns {Promise<Schemas["Timeline"]>} */
export const loadTimeline = (viewer) => call("GET", `${matchPath(viewer.match)}/timeline`, viewer);

/** @param {Viewer} viewer @returns {Promise<{precedents: Schemas["Precedent"][], deviations: Schemas["Deviation"][]}>} what the table has decided for good */
export async function loadDecisions(viewer) {
  const [precedents, deviations] = await Promise.all([
    callPages(`${matchPath(viewer.match)}/precedents`, viewer), callPages(`${matchPath(viewer.match)}/deviations`, viewer)]);
  return { precedents, deviations };
}

/** Return the entries after a version, page by page. @param {Viewer} viewer @param {number} after @returns {Promise<Schemas["Entry"][]>} */
export async function listEntries(viewer, after) {
  /** @type {Schemas["Entry"][]} */
  const found = [];
  for (;;) {
    const { items } = await call("GET", viewPath(viewer, `entries?after=${after}&limit=${PAGE}`), viewer);
    found.push(...items);
    if (items.length < PAGE) return found;
    after = items.at(-1).version;
  }
}

/** Return the transcript as a page to print. @param {Viewer} viewer @returns {Promise<Blob>} */
export const loadTranscript = (viewer) => loadFile(viewPath(viewer, "entries"), { ...makeHeaders(viewer.token), Accept: "text/html" });

/** Return the match as a file that proves how it went, as the viewer may see it. @param {Viewer} viewer @returns {Promise<Blob>} */
export const loadBundle = (viewer) => loadFile(viewPath(viewer, "bundle"), makeHeaders(viewer.token));

/** @param {string} path @param {Record<string, string>} headers */
async function loadFile(path, headers) {
  const answer = await fetch(path, { headers }).catch((failure) => {
    throw new Unreachable(String(failure));
  });
  if (!answer.ok) throw await readRefusal(answer);
  return answer.blob();
}

/** Make a link by which somebody watches. @param {string} match @param {boolean} isPublic @param {string | undefined} host the host's token @returns {Promise<string | null>} null: only the host can make one */
export async function makeWatchLink(match, isPublic, host) {
  if (isPublic) return `${location.origin}/table#${match}`;
  if (!host) return null;
  const made = await call("POST", `${matchPath(match)}/invitations`, { token: host, body: { role: "spectator" } });
  return made.url;
}

/** A move without what it says. @param {any} move */
export function stripMove(move) {
  const { told: _, ...rest } = move ?? {};
  return rest;
}
