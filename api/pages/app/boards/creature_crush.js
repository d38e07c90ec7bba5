// @ts-check
// Creature Crush: two boards of three rows with the rows A in the middle, dice, attacks and chains.
import { html } from "../lib/html.js";
import { say, t } from "../lib/words.js";
import { Die, Face, Icon } from "../parts/basic.js";
import { Veil } from "../parts/veil.js";
import { Arrow, fitRows, listLater, Marks, Pending, Player, sign, Small, Stack, Stat, Who } from "../parts/player.js";

/** @typedef {import("../parts/card.js").Drawing} Drawing */
/** @typedef {import("../parts/places.js").Spots} Spots */
/** @typedef {{board: any, drawing: Drawing}} Props */

const ROWS = ["C", "B", "A"];

/** Whether both have a deck; before that nobody can have lost. @param {any} board */
const isPrepared = (board) => !board.running.some((/** @type {any} */ each) => ["draft", "decks"].includes(each.kind));

/** @param {any} seat @param {any} board */
export const describeSeat = (seat, board) => (seat.cards_left === null || !isPrepared(board) ? "" : t("cc_cards_left", { n: seat.cards_left }));

/** @param {Props} props */
export const Running = ({ board, drawing }) => html`${board.draw_offered_by !== null && html`<p class="facts"><${Who} seat=${board.draw_offered_by} drawing=${drawing} /> ${t("cc_offers_draw")}</p>`}
  <${Pending} lines=${listLater(board)} drawing=${drawing} />
  ${board.running.map((/** @type {any} */ each, /** @type {number} */ at) => html`<${Going} key=${at} going=${each} drawing=${drawing}
    hasAttack=${board.running.some((/** @type {any} */ other) => other.kind === "attack")} />`)}`;

/** Something that is going on. @param {{going: any, drawing: Drawing, hasAttack: boolean}} props */
function Going({ going, drawing, hasAttack }) {
  switch (going.kind) {
    case "attack":
      return html`<${Attack} attack=${going} drawing=${drawing} />`;
    case "chain":
      return html`<div class="chain"><ol>${going.effects.map((/** @type {any} */ each, /** @type {number} */ at) => html`<li key=${at} class="link">
          <${Effect} effect=${each} drawing=${drawing} />${at === going.effects.length - 1 && html`<span class="now-tag">${t("cc_first")}</span>`}</li>`)}</ol>
        ${going.window && html`${!(hasAttack && /attack/.test(going.window.event)) && html`<div class="goes">${going.window.cards.map((/** @type {any} */ card) => html`<${Small} key=${card.id} card=${card} drawing=${drawing} />`)}
          <span>${t(`cc_event_${going.window.event}`)}</span></div>`}
          <p class="facts"><span>${t("asked_are")}</span><${Marks} seats=${[going.window.asked]} drawing=${drawing} />
          ${going.window.has_other_passed && html`<span>${t("have_passed")}</span><${Marks} seats=${[1 - going.window.asked]} drawing=${drawing} />`}</p>`}</div>`;
    case "ordering":
      return html`<div class="goes"><${Who} seat=${going.seat} drawing=${drawing} />${[...going.chosen, ...going.left].map((effect, at) => html`<span class="who" key=${at}>
        ${at < going.chosen.length && html`<b class="num">${at + 1}.</b>`}<${Effect} effect=${effect} drawing=${drawing} /></span>`)}</div>`;
    case "effect":
      return html`<${Effect} effect=${going} drawing=${drawing} />`;
    case "choice":
      return html`<div class="goes"><${Small} card=${going.card} drawing=${drawing} /><${Arrow} /><${Who} seat=${going.seat} drawing=${drawing} />
        <span class="dice">${going.pips.map((/** @type {number} */ value, /** @type {number} */ at) => html`<${Die} key=${at} value=${value} />`)}</span></div>`;
    case "random":
      return html`<div class="goes"><${Small} card=${going.card} drawing=${drawing} /><${Arrow} />
        ${(going.candidates ?? []).map((/** @type {any} */ card) => html`<${Small} key=${card.id} card=${card} drawing=${drawing} />`)}</div>`;
    case "loss":
      return html`<div class="goes"><${Who} seat=${going.seat} drawing=${drawing} /><b>${t(`cc_loss_${going.source}`, { n: going.count })}</b></div>`;
    case "destroying":
      return html`<div class="goes">${going.cards.map((/** @type {any} */ card) => html`<${Small} key=${card.id} card=${card} drawing=${drawing} />`)}<${Icon} name="destroy" /></div>`;
    case "roll":
      return html`<div class="goes"><${Who} seat=${going.seat} drawing=${drawing} />${going.card && html`<${Small} card=${going.card} drawing=${drawing} />`}
        <span>${t(`cc_roll_${going.rolls}`)}</span><b class="num sum-up">${t("cc_dice", { n: going.dice })}</b></div>`;
    case "start_roll":
      return going.rolled.map((/** @type {number} */ value, /** @type {number} */ seat) => html`<div class="goes" key=${seat}><${Who} seat=${seat} drawing=${drawing} /><${Die} value=${value} /></div>`);
    case "draft":
      return html`<div class="goes"><b class="num sum-up">${t("cc_round", { n: going.round, of: going.rounds })}</b><span>${t("cc_keep", { n: going.keep, of: going.drawn })}</span></div>
        <${Waiting} seats=${going.waiting} drawing=${drawing} />`;
    case "decks":
      return html`<${Waiting} seats=${going.waiting} drawing=${drawing} />`;
    default:
      return null; // a draw offered stands above; what is reported the question says
  }
}

/** @param {{seats: number[], drawing: Drawing}} props */
const Waiting = ({ seats, drawing }) => seats.length > 0 && html`<p class="facts"><span>${t("still_choosing")}</span><${Marks} seats=${seats} drawing=${drawing} /></p>`;

/** @param {{effect: any, drawing: Drawing}} props */
const Effect = ({ effect, drawing }) => html`<span class="goes"><${Small} card=${effect.card} drawing=${drawing} /><span class="stack-tight"><${Who} seat=${effect.seat} drawing=${drawing} />
  <span class="note">${t(`cc_part_${effect.part}`)}</span></span></span>`;

/** @param {{attack: any, drawing: Drawing}} props */
function Attack({ attack, drawing }) {
  const other = 1 - attack.seat, isSummed = drawing.me === null; // on a phone the sums of the view say it
  return html`<div class="goes duel"><${Small} card=${attack.attacker} drawing=${drawing} mark="from">${isSummed && attack.attacker_left !== null && attack.block_damage > 0 && html`<${Left} left=${attack.attacker_left} />`}<//>
    <span class="blow">${isSummed && html`<b class="num sum-up">${attack.damage ?? ""}</b>`}<${Arrow} />${isSummed && attack.block_damage > 0 && html`<b class="num no">−${attack.block_damage}</b>`}</span>
    ${attack.target ? html`<${Small} card=${attack.target} drawing=${drawing} mark="to">${isSummed && attack.target_left !== null && html`<${Left} left=${attack.target_left} />`}<//>`
      : html`<span class="stack-tight"><${Who} seat=${other} drawing=${drawing} />${attack.loses && html`<span class="note">${t(`cc_loses_${attack.loses}`)}</span>`}</span>`}
    ${attack.fails && html`<b class="no">${t(`cc_fails_${attack.fails}`)}</b>`}</div>`;
}

/** The life points that would be left. @param {{left: number}} props */
const Left = ({ left }) => html`<b class=${left === 0 ? "no" : ""}> ${left === 0 ? t("cc_dies") : t("cc_left", { n: left })}</b>`;

/**
 * The board of a player. `lies`: with the rows as columns, as on a big screen; `isOther`: seen from the other side.
 * @param {{seat: any, drawing: Drawing, isOther?: boolean, lies?: boolean, spots?: Spots, onPick?: (key: string) => void}} props
 */
export function Field({ seat, drawing, isOther = false, lies = false, spots, onPick }) {
  const places = [...seat.field, ...seat.crush.map((/** @type {any} */ each) => ({ ...each, row: "C" }))];
  return html`<div class=${`field ${lies ? "lies-down" : ""}`} role="group">${places.map((place) => {
    const depth = ROWS.indexOf(place.row) + 1, across = isOther ? depth : 4 - depth;
    const style = lies ? { gridColumn: across, gridRow: place.column } : { gridRow: across, gridColumn: place.column };
    const inside = html`<${Inside} place=${place} drawing=${drawing} />`;
    return spots?.has(place.name) ? html`<button key=${place.name} type="button" class="spot open" style=${style} aria-label=${spots.get(place.name)} onClick=${() => onPick?.(place.name)}>${inside}</button>`
      : html`<div key=${place.name} class=${`spot ${place.row === "C" ? "crush" : ""}`} style=${style}>${inside}</div>`;
  })}</div>`;
}

/** What lies on a place. @param {{place: any, drawing: Drawing}} props */
function Inside({ place, drawing }) {
  const { creature, card } = place;
  if (creature) return html`<${Creature} creature=${creature} drawing=${drawing} />`;
  if (!card) return html`<span class="num spot-name">${place.name}</span>`;
  const design = card.card && !drawing.isCovered ? drawing.cards[card.card] : null;
  return html`<span class="lies"><${Face} design=${design && { ...design, name: say(card.name) }} game="creature_crush" /><span class="note">${place.name}${place.dice !== null ? html` · <b class="num">${t("cc_dice", { n: place.dice })}</b>` : ""}</span></span>`;
}

/** @param {{creature: any, drawing: Drawing}} props */
function Creature({ creature, drawing }) {
  const { marks, attack, printed_attack: printed, life_left: left, life, armor } = creature, design = drawing.cards[creature.card];
  const isAsleep = marks.includes("entered") && !marks.includes("may_act") && !marks.includes("acted"), mark = ["attacks", "attacked"].find((each) => marks.includes(each));
  return html`<span class=${`lies creature ${mark ? "from" : ""} ${marks.includes("acted") ? "acted" : ""} ${marks.includes("may_act") ? "ready" : ""}`}>
    <${Face} design=${design && { ...design, name: say(creature.name) }} game="creature_crush" />
    ${isAsleep && html`<span class="badge" title=${t("cc_asleep")}><${Icon} name="sleep" size=${16} /><span class="sr">${t("cc_asleep")}</span></span>`}
    ${marks.includes("borrowed") && html`<span class="badge" title=${t("cc_borrowed")}><${Icon} name="swap" size=${16} /><span class="sr">${t("cc_borrowed")}</span></span>`}
    <span class="creature-name">${say(creature.name)}</span>
    <span class="vital"><span class=${attack === null || attack === printed ? "" : attack > printed ? "yes" : "no"}><${Icon} name="sword" size=${13} /><b class="num">${attack ?? "?"}</b></span>
      <span class=${left < life ? "no" : ""}><${Icon} name="heart" size=${13} /><b class="num">${left}${left < life ? `/${life}` : ""}</b></span>
      ${armor ? html`<span><${Icon} name="shield" size=${13} /><b class="num">${armor}</b></span>` : ""}</span></span>`;
}

/** @param {Props} props */
const Dice = ({ board }) => board.turn !== null && board.dice.left.length + board.dice.burned > 0 && html`<p class="facts"><span>${t("cc_dice_left")}</span><span class="dice">${board.dice.left.map((/** @type {number} */ value, /** @type {number} */ at) => html`<${Die} key=${at} value=${value} />`)}</span>
  ${board.dice.burned > 0 && html`<span class="note">${t("cc_burned", { n: board.dice.burned })}</span>`}</p>`;

/** @param {{seat: any, board: any, drawing: Drawing, isOther?: boolean, lies?: boolean}} props */
function Side({ seat, board, drawing, isOther = false, lies = false }) {
  const piles = [seat.deck, seat.hell, seat.flipped, seat.sought && { ...seat.sought, cards: [] }].filter(Boolean), draft = listDraft(seat.draft, drawing);
  const stats = html`<${Stat} icon="draw" label=${t("hand_cards")} value=${seat.hand.count} />${isPrepared(board) && html`<${Stat} icon="heart" label=${t("cc_cards_left_label")} value=${seat.cards_left} />`}
    ${seat.extra_dice !== 0 && html`<${Stat} icon="bonus" label=${t("cc_extra")} value=${sign(seat.extra_dice)} />`}
    ${seat.crush_change !== 0 && html`<${Stat} icon="bonus" label=${t("cc_crush_change")} value=${sign(seat.crush_change)} />`}`;
  return html`<${Player} seat=${seat.seat} board=${board} drawing=${drawing} stats=${stats}>
    ${isPrepared(board) && html`<div class="side"><${Field} seat=${seat} drawing=${drawing} isOther=${isOther} lies=${lies} />
      <div class="lying stacks">${piles.map((/** @type {any} */ pile) => html`<${Stack} key=${pile.place} pile=${pile} drawing=${drawing} />`)}</div></div>`}
    ${draft.length > 0 && html`<div class="lying" style=${fitRows(draft.length, 8)}>${draft.map((/** @type {any} */ card) => html`<${Small} key=${card.id} card=${card} drawing=${drawing} />`)}</div>`}<//>`;
}

/** Return the cards to choose from; those that nobody may see as backs. @param {any} pile @param {Drawing} drawing @returns {any[]} */
function listDraft(pile, drawing) {
  if (!pile) return [];
  const isShown = pile.cards.length > 0 && !drawing.isCovered;
  return isShown ? pile.cards : Array.from({ length: pile.count ?? pile.cards.length }, (_, at) => ({ id: String(at), card: null, name: null }));
}

/** @param {Props} props */
export function Table({ board, drawing }) {
  const me = drawing.me ?? 0, sides = [board.seats[1 - me], board.seats[me]];
  const { crush, draft, sought } = board.seats[me], hasHidden = drawing.me !== null && [...crush.map((/** @type {any} */ each) => each.card), ...(draft?.cards ?? []), ...(sought?.cards ?? [])].some((card) => card?.card);
  return html`<div class="stack players"><${Dice} board=${board} drawing=${drawing} /><${Veil} hasHidden=${hasHidden} drawing=${drawing} draw=${(/** @type {Drawing} */ covered) =>
    sides.map((seat, at) => html`<${Side} key=${seat.seat} seat=${seat} board=${board} drawing=${covered} isOther=${at === 0} />`)} />
    ${board.quiet_turns > 0 && html`<p class="note">${t("cc_quiet", { n: board.quiet_turns, of: board.most_quiet_turns })}</p>`}</div>`;
}

/** @param {Props} props */
export const Screen = ({ board, drawing }) => html`<div class="whole"><div class="players">${board.seats.map((/** @type {any} */ seat, /** @type {number} */ at) =>
  html`<${Side} key=${seat.seat} seat=${seat} board=${board} drawing=${drawing} isOther=${at === 0} lies />`)}</div><${Dice} board=${board} drawing=${drawing} /></div>`;

/** Draw one's own places to choose from. @param {Props & {spots: Spots, onPick: (key: string) => void}} props */
export const Places = ({ board, drawing, spots, onPick }) => html`<${Field} seat=${board.seats[drawing.me ?? 0]} drawing=${{ ...drawing, isCovered: true }} spots=${spots} onPick=${onPick} />`;
