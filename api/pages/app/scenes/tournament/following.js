// @ts-check
// Follows a tournament: its view as this device may see it, and what waits for officials.
import { call, Refused } from "../../lib/api.js";
import { findSeat, saveSeat } from "../../lib/device.js";
import { useEffect, useState } from "../../lib/html.js";
import { readStream } from "../../lib/stream.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {Schemas["Tournament"]} View */

const ROLE = "tournament"; // of a saved token: one for all that this device is there

/** @param {string} id @param {string} [rest] */
export const tournamentPath = (id, rest = "") => `/v1/tournaments/${encodeURIComponent(id)}${rest}`;

/** @param {string} id */
export const findToken = (id) => findSeat(id, ROLE)?.token;

/** @param {string} id @param {string} token @param {string} game */
export const saveToken = (id, token, game) => saveSeat({ match: id, role: ROLE, seat: null, token, game, at: Date.now() });

/** @param {string} id whether it names a tournament, and not a match */
export const isTournament = (id) => id.slice(2, 4) === "-T";

/** Return names by number, as texts of the API take them. @param {View} view @returns {Record<string, string>} */
export const listNames = (view) => Object.fromEntries(view.players.flatMap((each) => (each.name ? [[each.player, each.name]] : [])));

/** Follow a tournament while the scene is shown. @param {string} id @param {string} [token] */
export function useTournament(id, token) {
  const [view, setView] = useState(/** @type {View | null} */ (null)), [queue, setQueue] = useState(/** @type {Schemas["QueueItem"][]} */ ([]));
  const [refusal, setRefusal] = useState(/** @type {Refused | null} */ (null)), [isLost, setLost] = useState(false);
  const load = async () => {
    const found = /** @type {View} */ (await call("GET", tournamentPath(id), { token }));
    setView((before) => (before && before.version > found.version ? before : found));
    if (found.you.host || found.you.officer !== null) setQueue((await call("GET", tournamentPath(id, "/queue"), { token })).items);
  };
  useEffect(() => {
    const end = new AbortController();
    (async () => {
      await load();
      for await (const event of readStream(tournamentPath(id, "/stream"), { token, signal: end.signal })) {
        setLost(event.name === "lost");
        if (event.name === "snapshot") setView(event.data);
        else if (event.name === "queue") setQueue(event.data.items);
        else if (event.name === "lost") await load().catch(() => {}); // where all streams are taken, it is asked for again and again
        else await load();
      }
    })().catch((failure) => !end.signal.aborted && setRefusal(failure instanceof Refused ? failure : new Refused(0, null)));
    return () => end.abort();
  }, [id, token]);

  /** Give a command; it counts once, however often it is sent. @param {any} command */
  async function give(command) {
    const done = await call("POST", tournamentPath(id, "/commands"), { token, body: { command } });
    await load();
    return done;
  }
  return { view, queue, refusal, isLost, give };
}
