// @ts-check
// Munchkin: levels, what lies before each player, and the combat with both sides.
import { html } from "../lib/html.js";
import { say, t } from "../lib/words.js";
import { Die } from "../parts/basic.js";
import { Arrow, describeLasting, fitRows, listLater, Marks, Pending, Player, sign, Small, Stack, Stat, Who } from "../parts/player.js";

/** @typedef {import("../parts/card.js").Drawing} Drawing */
/** @typedef {{board: any, drawing: Drawing}} Props */

const ROW = 8; // cards in a row on the big screen

/** @param {any} seat */
export const describeSeat = (seat) => (seat.is_dead ? t("mk_dead") : t("mk_level", { level: seat.level }));

/** @param {Props} props */
export const Running = ({ board, drawing }) => html`<${Pending} drawing=${drawing} lines=${[
    ...board.lasting.map((/** @type {any} */ each) => ({ ...each, note: describeLasting(each, drawing) })), ...listLater(board)]} />
  ${board.combat && html`<${Combat} combat=${board.combat} drawing=${drawing} />`}
  ${board.running.map((/** @type {any} */ each, /** @type {number} */ at) => html`<${Going} key=${at} going=${each} drawing=${drawing} />`)}
  ${board.combat === null && board.trades.map((/** @type {any} */ trade) => html`<div class="goes" key=${`${trade.by}-${trade.to}`}><${Who} seat=${trade.by} drawing=${drawing} />
    ${trade.gives.map((/** @type {any} */ card) => html`<${Small} key=${card.id} card=${card} drawing=${drawing} />`)}<${Arrow} />
    <${Who} seat=${trade.to} drawing=${drawing} />${trade.takes.map((/** @type {any} */ card) => html`<${Small} key=${card.id} card=${card} drawing=${drawing} />`)}</div>`)}`;

/** Both sides. What they count line by line stands below it on a phone; a big screen shows the sums here. @param {{combat: any, drawing: Drawing}} props */
function Combat({ combat, drawing }) {
  const fighters = [combat.main, combat.helper].filter((seat) => seat !== null);
  const isSummed = drawing.me === null || combat.stage === "flight" || combat.stage === "rewards"; // else the sums of the view say it
  const { munchkins, monsters } = combat.strength;
  /** @param {string} side */
  const additions = (side) => combat.additions.filter((/** @type {any} */ each) => each.side === side).map((/** @type {any} */ each) =>
    html`<${Small} key=${each.card.id} card=${each.card} drawing=${drawing}><b class="num"> ${sign(each.strength)}</b><//>`);
  return html`<div class="versus">
    <div class=${combat.leads === "munchkins" ? "leads" : ""}><div class="heads">${fighters.map((seat) => html`<${Who} key=${seat} seat=${seat} drawing=${drawing} />`)}</div>
      ${isSummed && html`<b class="num total">${munchkins ?? "?"}</b>`}<div class="lying">${additions("munchkins")}</div></div>
    <div class=${combat.leads === "monsters" ? "leads" : ""}><div class="heads"><b>${t(combat.monsters.length > 1 ? "mk_monsters" : "mk_monster")}</b></div>
      ${isSummed && html`<b class="num total">${monsters ?? "?"}</b>`}
      <div class="lying">${combat.monsters.map((/** @type {any} */ each) => html`<${Small} key=${each.card.id} card=${{ ...each.card, card: each.of, name: each.name }} drawing=${drawing}>
        ${each.is_twin && html` <span class="note">${t("mk_twin")}</span>`}${each.enhancers.length === 0 && html`<b class="num"> ${each.strength ?? "?"}</b>`}<//>
        ${each.enhancers.map((/** @type {any} */ card) => html`<${Small} key=${card.id} card=${card} drawing=${drawing}><b class="num"> ${sign(card.strength)}</b><//>`)}
        ${each.enhancers.length > 0 && combat.monsters.length > 1 && html`<b class="num">= ${each.strength ?? "?"}</b>`}`)}${additions("monsters")}</div></div>
  </div>
  <p class="facts"><${Stat} icon="treasure" label=${t("mk_treasures")} value=${combat.treasures} /><${Stat} icon="bonus" label=${t("mk_levels")} value=${sign(combat.levels)} />
    ${combat.wins_game && html`<b>${t("mk_wins_game")}</b>`}${combat.short > 0 && combat.stage === "fight" && html`<span>${t("mk_short", { n: combat.short })}</span>`}</p>
  ${combat.deal && html`<p class="small">${say(combat.deal.text, drawing.names)}</p>`}
  ${combat.talks && html`<p class="small"><${Who} seat=${combat.talks.by} drawing=${drawing} /> <${Arrow} /> <${Who} seat=${combat.talks.asked} drawing=${drawing} /> ${say(combat.talks.deal.text, drawing.names)}</p>`}
  ${combat.claim && html`<p class="facts">${combat.claim.waiting.length > 0 && html`<span>${t("asked_are")}</span><${Marks} seats=${combat.claim.waiting} drawing=${drawing} />`}
    ${combat.claim.passed.length > 0 && html`<span>${t("have_passed")}</span><${Marks} seats=${combat.claim.passed} drawing=${drawing} />`}</p>`}
  ${combat.escapes.slice(drawing.me === null ? 0 : 1).map((/** @type {any} */ each) => html`<p class="facts" key=${`${each.seat}-${each.monster}`}><${Who} seat=${each.seat} drawing=${drawing} />
    <span>${t("mk_escape", { monster: say(drawing.cards[each.monster]?.name), need: sayFace(each.face) })}</span></p>`)}`;
}

/** @param {number | null} face the least face that escapes */
const sayFace = (face) => (face === null ? "?" : face > 6 ? t("mk_never") : face <= 1 ? t("mk_always") : `${face}+`);

/** Something that is going on. @param {{going: any, drawing: Drawing}} props */
function Going({ going, drawing }) {
  const { cards } = drawing, design = typeof going.card === "string" ? { card: going.card, name: cards[going.card]?.name } : going.card;
  switch (going.kind) {
    case "flight":
      return html`<div class="goes"><${Who} seat=${going.seat} drawing=${drawing} /><${Small} card=${{ card: going.monster }} drawing=${drawing} />
        ${going.die !== null ? html`<${Die} value=${going.die} /><b class="num sum-up">${going.total ?? "?"}</b>` : ""}
        <span class=${going.is_enough === null ? "" : going.is_enough ? "yes" : "no"}>${going.die === null ? t("mk_needs", { n: sayFace(going.face) })
          : going.is_enough ? t("mk_escaped") : t("mk_needs", { n: going.need })}</span></div>`;
    case "die":
      return html`<div class="goes"><${Who} seat=${going.seat} drawing=${drawing} /><${Small} card=${design} drawing=${drawing} />
        ${going.die !== null && html`<${Die} value=${going.die} /><b class="num sum-up">${going.total ?? "?"}</b>`}</div>`;
    case "start_roll":
      return html`<${Throws} rolled=${going.rolled} drawing=${drawing} />`;
    case "curse":
      return html`<div class="goes">${going.by !== null && html`<${Who} seat=${going.by} drawing=${drawing} />`}<${Small} card=${going.card} drawing=${drawing} /><${Arrow} />
        <${Who} seat=${going.victim} drawing=${drawing} /><span class="note">${t(`mk_curse_${going.state}`)}</span></div>`;
    case "treasures":
      return going.picks.length > 0 && html`<p class="facts"><span>${t("mk_picks")}</span><${Marks} seats=${going.picks} drawing=${drawing} /></p>`;
    case "looting":
      return html`<div class="goes"><${Who} seat=${going.dead} drawing=${drawing} /><${Stack} pile=${going.pile} drawing=${drawing} />
        ${going.order?.length > 0 && html`<${Arrow} /><${Marks} seats=${going.order} drawing=${drawing} />`}</div><${Throws} rolled=${going.rolled} drawing=${drawing} />`;
    case "charity":
      return html`<div class="goes"><${Who} seat=${going.seat} drawing=${drawing} /><b class="num">${t("cards_left", { n: going.count })}</b><${Arrow} />
        ${going.to.length > 0 ? html`<${Marks} seats=${going.to} drawing=${drawing} />` : html`<span>${t("discard_pile")}</span>`}</div>`;
    case "report":
      return null; // the question says it
    default:
      return design && html`<div class="goes"><${Small} card=${design} drawing=${drawing} /><${Arrow} /><${Who} seat=${going.seat} drawing=${drawing} />
        ${going.owed > 0 && html`<b class="num">${t("mk_gold", { n: going.owed })}</b>`}</div>`;
  }
}

/** @param {{rolled: {seat: number, dice: number[]}[], drawing: Drawing}} props */
const Throws = ({ rolled, drawing }) => rolled.map(({ seat, dice }) => html`<div class="goes" key=${seat}><${Who} seat=${seat} drawing=${drawing} />
  <span class="dice">${dice.map((value, at) => html`<${Die} key=${at} value=${value} />`)}</span></div>`);

/** What lies before a player. @param {any} seat @param {Drawing} drawing */
function drawBelongings(seat, drawing) {
  /** @param {any} card @param {string} mark */
  const draw = (card, mark) => html`<${Small} key=${card.id} card=${card} drawing=${drawing} mark=${`${mark} ${card.marks?.includes("no_bonus") ? "idle" : ""}`}>
    ${card.adds ? html`<b class="num"> ${sign(card.adds)}</b>` : card.bonus && card.adds === 0 ? html`<b class="num mute"> ${sign(0)}</b>` : ""}
    ${card.is_big && html`<span class="note"> ${t("mk_big")}</span>`}${card.attached && html`<span class="note"> + ${say(card.attached.name)}</span>`}<//>`;
  return [
    ...seat.citizenship.cards.map((/** @type {any} */ card) => draw(card, "town")), ...seat.items.cards.map((/** @type {any} */ card) => draw(card, "")),
    ...seat.ride.cards.map((/** @type {any} */ card) => draw(card, "")), ...seat.curses.cards.map((/** @type {any} */ card) => draw(card, "cursed")),
  ];
}

/** @param {{seat: any, board: any, drawing: Drawing}} props */
function Munchkin({ seat, board, drawing }) {
  const cards = drawBelongings(seat, drawing), role = seat.role && t(seat.role === "helper" ? "mk_helps" : "mk_fights");
  const note = seat.is_out ? t("mk_gone") : seat.is_dead ? t("mk_dead") : role;
  return html`<${Player} seat=${seat.seat} board=${board} drawing=${drawing} note=${note} stats=${html`
    <${Stat} icon="draw" label=${t("hand_cards")} value=${seat.hand.count} /><${Stat} icon="sword" label=${t("mk_strength")} value=${seat.strength} />
    <span class="stat level"><span class="sr">${t("mk_level", { level: seat.level })}</span><b class="num" aria-hidden="true">${seat.level}<small>/${board.goal}</small></b></span>`}>
    <div class="ladder" aria-hidden="true">${Array.from({ length: board.goal }, (_, at) => html`<i key=${at} class=${at < seat.level ? "has" : ""}></i>`)}</div>
    <div class="lying" style=${fitRows(cards.length, ROW)}>${cards.length > 0 ? cards : html`<p class="note">${t("nothing_lies")}</p>`}</div><//>`;
}

/** @param {Props} props */
const Piles = ({ board, drawing }) => html`<div class="lying stacks">${board.piles.filter((/** @type {any} */ pile) => pile.count !== 0 || pile.cards.length > 0)
  .map((/** @type {any} */ pile) => html`<${Stack} key=${pile.place} pile=${pile} drawing=${drawing} />`)}</div>`;

/** @param {Props} props */
export const Table = ({ board, drawing }) => html`<div class="stack players">${[...board.seats].sort((one, other) => Number(other.seat === drawing.me) - Number(one.seat === drawing.me))
  .map((seat) => html`<${Munchkin} key=${seat.seat} seat=${seat} board=${board} drawing=${drawing} />`)}<${Piles} board=${board} drawing=${drawing} /></div>`;

/** @param {Props} props */
export const Screen = ({ board, drawing }) => html`<div class="whole"><div class="players" style=${{ "--columns": board.seats.length > 4 || board.seats.length === 3 ? 3 : 2 }}>
  ${board.seats.map((/** @type {any} */ seat) => html`<${Munchkin} key=${seat.seat} seat=${seat} board=${board} drawing=${drawing} />`)}</div>
  <${Piles} board=${board} drawing=${drawing} /></div>`;
