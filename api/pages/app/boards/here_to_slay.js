// @ts-check
// The board of Here to Slay: parties with their leaders, items and slain monsters, the monsters to attack, the running roll.
import { html } from "../lib/html.js";
import { t } from "../lib/words.js";
import { Svg } from "../parts/basic.js";
import { Card, Pile } from "../parts/card.js";
import { emblem } from "../parts/faces.js";
import { describeLasting, listLater, Pending } from "../parts/player.js";
import { CardRow, Laid, Piles, Place, Places, Roll, Thing } from "../parts/running.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */
/** @typedef {import("../parts/card.js").Drawing} Drawing */

const CLASSES = ["fighter", "guardian", "ranger", "thief", "wizard", "bard"];

/** @param {Schemas["HereToSlaySeat"]} seat */
export const describeSeat = (seat) => t("hts_line", { cards: seat.hand.count ?? "?", slain: seat.slain.length, of: seat.of_slain });

/** The roll is drawn with its total: the sums line by line are a tap away. */
export const foldsSums = true;

/** @param {{board: Schemas["HereToSlayBoard"], drawing: Drawing}} props */
export const Running = ({ board, drawing }) => html`<${Pending} drawing=${drawing} lines=${[
    ...board.seats.flatMap(({ seat, lasting }) => lasting.map((each) => ({ seat, card: each.source, note: describeLasting(each, drawing) }))), ...listLater(board)]} />
  <${Going} board=${board} drawing=${drawing} />`;

/** What is dealt with first. @param {{board: Schemas["HereToSlayBoard"], drawing: Drawing}} props */
function Going({ board, drawing }) {
  const running = /** @type {any} */ (board.running.at(-1));
  if (!running) return null;
  if (running.kind === "challenge") return html`<${Thing} thing=${running} drawing=${drawing} /><${Roll} roll=${running.challenger} drawing=${drawing} /><${Roll} roll=${running.challenged} drawing=${drawing} />`;
  if (running.total !== undefined) return html`<${Roll} roll=${running} drawing=${drawing} targets=${running.targets ?? []} />`;
  return html`<${Thing} thing=${{ card: running.card ?? running.hero }} drawing=${drawing} />`;
}

/** @param {{seat: Schemas["HereToSlaySeat"], board: Schemas["HereToSlayBoard"], drawing: Drawing}} props */
function Party({ seat, board, drawing }) {
  const classes = /** @type {Set<string>} */ (new Set(seat.classes ?? []));
  return html`<${Place} seat=${seat.seat} drawing=${drawing} isOn=${board.turn === seat.seat} counts=${`${seat.slain.length} / ${seat.of_slain}`}>
    <p class="emblems" role="img" aria-label=${t("hts_classes", { n: classes.size })}>${CLASSES.map((each) => html`<span key=${each} class=${classes.has(each) ? "got" : ""}><${Svg} svg=${emblem(each, 18)} /></span>`)}</p>
    <${Laid} cards=${[]} many=${Number(seat.leader !== null) + (seat.party ?? []).length + seat.slain.length} drawing=${drawing}>${seat.leader && html`<${Card} card=${seat.leader.card} drawing=${drawing} small mark="leader" />`}
      ${(seat.party ?? []).map((hero) => html`<span class="party-hero" key=${hero.card.id}><${Card} card=${hero.card} drawing=${drawing} small mark=${hero.marks.includes("rolling") || hero.marks.includes("target") ? "now" : ""} />
        ${hero.item && html`<span class="worn"><${Card} card=${hero.item} drawing=${drawing} small /></span>`}</span>`)}
      ${seat.slain.map((monster) => html`<${Card} key=${monster.card.id} card=${monster.card} drawing=${drawing} small mark="slain" />`)}<//><//>`;
}

/** @param {{board: Schemas["HereToSlayBoard"], drawing: Drawing}} props */
export const Table = ({ board, drawing }) => html`
  <${CardRow} cards=${(board.row ?? []).map((monster) => monster.card)} drawing=${drawing} heading=${t("hts_monsters")} />
  <div class="places-list">${board.seats.map((seat) => html`<${Party} key=${seat.seat} seat=${seat} board=${board} drawing=${drawing} />`)}</div>
  <${Piles} board=${board} drawing=${drawing} Pile=${Pile} />`;

/** The big screen lays what the referee says between its own parts. */
export const takesPanel = true;

/** @param {{board: Schemas["HereToSlayBoard"], drawing: Drawing, children?: any}} props */
export const Screen = ({ board, drawing, children }) => html`<${Places} many=${board.seats.length}>${board.seats.map((seat) => html`<${Party} key=${seat.seat} seat=${seat} board=${board} drawing=${drawing} />`)}<//>
  <div class="screen-middle"><div class="piles">${(board.row ?? []).map((monster) => html`<${Card} key=${monster.card.id} card=${monster.card} drawing=${drawing} mark=${monster.is_attacked ? "now" : ""} />`)}</div>
    ${children}<${Piles} board=${board} drawing=${drawing} Pile=${Pile} /></div>`;
