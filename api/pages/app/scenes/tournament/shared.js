// @ts-check
// What phone and big screen draw alike of a tournament.
import "./texts.js";
import { call, Refused } from "../../lib/api.js";
import { saveSeat } from "../../lib/device.js";
import { html, useEffect, useMemo, useState } from "../../lib/html.js";
import { joinWords, t } from "../../lib/words.js";

document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("tournament.css", import.meta.url).href })); // only these scenes need it

/** @typedef {import("./following.js").View} View */
/** @typedef {import("./following.js").Schemas} Schemas */
/** @typedef {{id: string, token: string | undefined, view: View, names: Record<string, string>, send: (command: any) => Promise<any>, go: (address: string) => void, fail: (problem: any) => void}} Drawing */

/** Remember that the token of the tournament is good in a match of it as well. @param {Drawing} drawing @param {string | null} match @param {string} role @param {number | null} seat */
export function lend({ token, view }, match, role, seat) {
  if (match && token) saveSeat({ match, role, seat, token, game: view.format.game, at: Date.now() });
}

/** Make a call of the API; a refusal is shown. @param {Drawing} drawing @param {string} method @param {string} path @param {any} [body] @returns {Promise<any>} null: it was refused */
export async function callOrFail({ token, fail }, method, path, body) {
  try {
    return (await call(method, path, { token, body })) ?? true;
  } catch (failure) {
    if (!(failure instanceof Refused)) throw failure;
    fail(failure.problem ?? { title: failure.message });
    return null;
  }
}

/** @param {View} view @param {number} player */
export function nameEntrant(view, player) {
  const found = view.players[player];
  return found?.name ?? t(found?.bot == null ? "tour_player" : "tour_bot", { n: player + 1 });
}

/** @param {View} view @param {number | null} officer */
export function nameOfficer(view, officer) {
  const found = view.officials.find((each) => each.officer === officer);
  return found ? (found.name ?? t(`tour_role_${found.office}`)) : "";
}

/** @param {View} view @param {Schemas["TournamentTable"]} table */
export function describeResult(view, table) {
  const [first, ...others] = table.result?.placement[0] ?? [];
  if (first === undefined) return t("tour_lost_all");
  return others.length === 0 ? t("tour_won", { name: nameEntrant(view, first) }) : t("tour_drawn");
}

/** Return the state of a table in a few words. @param {View} view @param {Schemas["TournamentTable"]} table */
export function describeTable(view, table) {
  if (isLapsed(table)) return t("tour_lapsed");
  if (!table.result) return t(view.format.plays === "reported" ? "tour_to_report" : table.match ? "tour_open" : "tour_opening");
  if (!table.final) return t(table.disputed.length > 0 ? "tour_disputed" : "tour_reported");
  const by = table.result.by.split(":")[0];
  return `${describeResult(view, table)} · ${t(by === "match" ? "tour_by_match" : by === "official" ? "tour_by_official" : "tour_final")}`;
}

/** @param {any} table whether its match ended without a result, so that an official has to look */
export const isLapsed = (table) => Boolean(table.lapsed && !table.result);

/** Say whether the referee runs the matches or the tables report. @param {{view: View}} props */
export const Plays = ({ view }) => html`<span class=${`plays ${view.format.plays}`}>${t(`tour_plays_${view.format.plays}`)}</span>`;

/** @param {View} view @param {number} round @param {number} table */
export const findOpenCall = (view, round, table) => view.calls.find((each) => each.round === round && each.table === table && !each.ended);

/** What is left of a table's time, by the server's clock. @param {{table: Schemas["TournamentTable"]}} props */
export function TableClock({ table }) {
  const [now, setNow] = useState(performance.now()), began = useMemo(() => performance.now(), [table]);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (table.left_ms === null || table.final) return null;
  if (table.paused) return html`<span class="clock">${t("tour_paused")}</span>`;
  const seconds = Math.ceil((table.left_ms - Math.max(0, now - began)) / 1000);
  return html`<span class=${`clock ${seconds <= 0 ? "late" : ""}`} role="timer">${seconds <= 0 ? t("tour_time_up") : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}</span>`;
}

/** @param {{drawing: {view: View}, most?: number}} props */
export function Standings({ drawing: { view }, most = 1000 }) {
  return html`<table class="standings"><thead><tr><th>${t("tour_rank")}</th><th>${t("tour_name")}</th><th>${t("tour_points")}</th></tr></thead><tbody>
    ${view.standings.slice(0, most).map((row) => html`<tr key=${row.player} class=${row.player === view.you.player ? "me" : ""}><td>${row.rank}</td><td>${nameEntrant(view, row.player)}${view.players[row.player]?.status !== "playing" && html` <small>${t("tour_left")}</small>`}</td><td>${row.points}</td></tr>`)}
  </tbody></table>`;
}

/** @param {View} view @param {readonly number[]} players */
export const joinEntrants = (view, players) => joinWords(players.map((each) => nameEntrant(view, each)));
