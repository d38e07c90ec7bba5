// @ts-check
// How a match went: a line for each seat over the versions, from the boards that anyone may see.
import { call, matchPath } from "../lib/api.js";
import { html, useEffect, useState } from "../lib/html.js";
import { nameSeat, t } from "../lib/words.js";
import { SeatMark } from "./basic.js";

const SAMPLES = 14, WIDTH = 340, HEIGHT = 150, EDGE = 12;

/** @type {Record<string, {label: string, count: (seat: any) => number | null | undefined} | null>} what tells how far a seat has come; null: nothing does */
const MEASURES = {
  here_to_slay: { label: "course_party", count: (seat) => seat.slain.length + (seat.party?.length ?? 0) },
  munchkin: { label: "course_level", count: (seat) => seat.level },
  monster_combat: { label: "course_hearts", count: (seat) => seat.hearts },
  creature_crush: { label: "course_cards_left", count: (seat) => seat.cards_left },
  shy_monsters: null,
};
const CARDS = { label: "course_cards", count: (/** @type {any} */ seat) => seat.hand?.count };

/** @param {{match: string, token?: string, version: number, drawing: any}} props */
export function Course({ match, token, version, drawing }) {
  const measure = drawing.game in MEASURES ? MEASURES[drawing.game] : CARDS;
  const [boards, setBoards] = useState(/** @type {{at: number, board: any}[]} */ ([]));
  useEffect(() => {
    if (!measure) return;
    let isCurrent = true;
    loadBoards(match, token, version).then((found) => isCurrent && setBoards(found), () => {});
    return () => void (isCurrent = false);
  }, [match, version]);
  if (!measure || boards.length < 3) return null;
  const seats = /** @type {number[]} */ (boards[0]?.board.seats.map((/** @type {any} */ each) => each.seat));
  const lines = seats.map((seat) => boards.map(({ at, board }) => ({ at, count: measure.count(board.seats.find((/** @type {any} */ each) => each.seat === seat)) ?? 0 })));
  const most = Math.max(1, ...lines.flat().map(({ count }) => count));
  /** @param {number} at */
  const across = (at) => EDGE + ((WIDTH - 2 * EDGE) * at) / version;
  /** @param {number} count */
  const up = (count) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * count) / most;
  const spoken = lines.map((line, index) => `${nameSeat(seats[index] ?? 0, drawing.names)}: ${line[0]?.count} – ${line.at(-1)?.count}`).join("; ");
  return html`<section><h2 class="grp">${t(measure.label)}</h2><div class="course">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${spoken}>
      <path class="axis" d=${`M${EDGE} ${EDGE}V${HEIGHT - EDGE}H${WIDTH - EDGE}`} />
      <text class="num" x=${EDGE + 4} y=${EDGE + 6}>${most}</text>
      ${lines.map((line, index) => html`<polyline key=${index} class=${`line-${((seats[index] ?? 0) % 7) + 1}`} points=${line.map(({ at, count }) => `${across(at)},${up(count)}`).join(" ")} />`)}</svg>
    <ul class="row wrap">${lines.map((line, index) => html`<li class="row" key=${index}><${SeatMark} seat=${seats[index]} name=${nameSeat(seats[index] ?? 0, drawing.names)} />
      ${nameSeat(seats[index] ?? 0, drawing.names)} <b class="num">${line.at(-1)?.count}</b></li>`)}</ul></div></section>`;
}

/** Load the board at some versions from the start to the end. @param {string} match @param {string | undefined} token @param {number} version */
async function loadBoards(match, token, version) {
  const versions = [...new Set(Array.from({ length: SAMPLES }, (_, at) => Math.max(3, Math.round((version * (at + 1)) / SAMPLES))))];
  const views = await Promise.all(versions.map((each) => call("GET", `${matchPath(match)}/board?version=${each}`, { token })));
  return views.flatMap((view, at) => (view.board ? [{ at: versions[at] ?? 0, board: view.board }] : []));
}
