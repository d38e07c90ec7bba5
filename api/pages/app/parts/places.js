// @ts-check
// Choose a place by a tap on a drawing of the table: the place of a move, or a place for each of several cards.
import { findDrawer } from "../boards/boards.js";
import { html, useState } from "../lib/html.js";
import { say, t } from "../lib/words.js";
import { Die, Face } from "./basic.js";
import { Small } from "./player.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */
/** @typedef {Map<string, string>} Spots what can be tapped, with what that means, by the name of the place or by `x,y` */

const MOST_MAPS = 2; // more maps than that say less than a list

/** Return the place that a move names, or null. @param {any} move */
const findSpot = (move) => ("x" in move && "y" in move ? `${move.x},${move.y}` : typeof move.place === "string" ? move.place : null);

/**
 * Return moves of one kind that differ only by a place, each with its map; empty if they differ by more than that.
 * @param {Schemas["LegalMove"][]} legal @param {string} game @returns {Map<string, Schemas["LegalMove"]>[]}
 */
export function findMaps(legal, game) {
  /** @type {Map<string, Map<string, Schemas["LegalMove"]>>} */
  const maps = new Map();
  for (const each of legal) {
    const spot = findSpot(each.move), { x, y, place, ...rest } = /** @type {any} */ (each.move), key = JSON.stringify(rest);
    if (spot === null || maps.get(key)?.has(spot)) return [];
    maps.set(key, (maps.get(key) ?? new Map()).set(spot, each));
  }
  const found = [...maps.values()];
  return findDrawer(game).Places && legal.length > 1 && found.length <= MOST_MAPS ? found : [];
}

/**
 * A map on which a move is made by a tap.
 * @param {{map: Map<string, Schemas["LegalMove"]>, board: any, drawing: any, onPlay: (legal: Schemas["LegalMove"]) => void}} props
 */
export function MoveMap({ map, board, drawing, onPlay }) {
  const { Places } = findDrawer(drawing.game), [first] = map.values();
  const spots = new Map([...map].map(([spot, legal]) => [spot, say(legal.told, drawing.names)]));
  const isAttack = /** @type {any} */ (first?.move).attack === true;
  return html`<div class="move-map" onKeyDown=${stepByArrow}>${isAttack && html`<h3 class="grp">${t("with_attack")}</h3>`}
    ${first && html`<${Played} legal=${first} drawing=${drawing} />`}
    <${Places} board=${board} drawing=${drawing} spots=${spots} onPick=${(/** @type {string} */ spot) => onPlay(/** @type {any} */ (map.get(spot)))} /></div>`;
}

/** Show what the moves of a map have in common: the card and the dice that pay for it, without which two maps look the same. @param {{legal: Schemas["LegalMove"], drawing: any}} props */
function Played({ legal, drawing }) {
  const [card] = legal.cards, { dice } = /** @type {any} */ (legal.move);
  if (!card) return null;
  return html`<div class="goes"><${Small} card=${{ card }} drawing=${drawing} />${Array.isArray(dice) && html`<span class="note">${t(dice.length > 0 ? "map_burns" : "map_burns_none")}</span>
    <span class="dice">${dice.map((value, at) => html`<${Die} key=${at} value=${value} />`)}</span>`}</div>`;
}

/** Whether the values of a choice are places that the board of the game draws. @param {Schemas["PickerChoice"]} choice @param {any} board @param {any} drawing */
export function arePlaces(choice, board, drawing) {
  if (choice.kind !== "one" || !board || drawing.me === null || !findDrawer(drawing.game).Places) return false;
  return choice.values.length > 0 && choice.values.every((value) => typeof value === "string" && /^[A-C][1-3]$/.test(value));
}

/** @param {{choice: Schemas["PickerChoice"], value: any, board: any, drawing: any, onChange: (value: any) => void}} props */
export function PlaceChoice({ choice, value, board, drawing, onChange }) {
  const { Places } = findDrawer(drawing.game), spots = new Map(choice.values.map((each) => [String(each), String(each)]));
  return html`<div onKeyDown=${stepByArrow}><${Places} board=${board} drawing=${drawing} spots=${spots} onPick=${onChange} /></div><p role="status">${value ?? ""}</p>`;
}

const SIDES = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/**
 * Lay cards on a floor that begins at the entrance: take a card, tap a free place; a tap on a laid card takes it back.
 * @param {{choice: Schemas["PickerChoice"], value: any, drawing: any, onChange: (value: any) => void}} props
 */
export function LayOut({ choice, value, drawing, onChange }) {
  const laid = /** @type {{card: string, x: number, y: number}[]} */ (value ?? []), { Places } = findDrawer(drawing.game);
  const left = choice.values.map((card, at) => ({ card: String(card), n: (choice.copies?.[at] ?? 1) - laid.filter((each) => each.card === card).length }));
  const [taken, setTaken] = useState(/** @type {string | null} */ (null));
  const inHand = left.find((each) => each.card === taken && each.n > 0) ?? left.find((each) => each.n > 0);
  const tiles = [{ x: 0, y: 0, kind: "entrance", card: null, turned: null }, ...laid.map(({ card, x, y }) => ({ x, y, card: { card, name: drawing.cards[card]?.name }, is_up: true, turned: null }))];
  const isLaid = new Set(tiles.map(({ x, y }) => `${x},${y}`));
  /** @type {Spots} */
  const spots = new Map(laid.map(({ card, x, y }) => [`${x},${y}`, t("take_back", { card: say(drawing.cards[card]?.name) || card })]));
  if (inHand) for (const { x, y } of tiles) for (const [right = 0, down = 0] of SIDES) {
    const spot = `${x + right},${y + down}`;
    if (!isLaid.has(spot)) spots.set(spot, t("lay_at", { card: say(drawing.cards[inHand.card]?.name) || inHand.card, place: `${x + right}|${y + down}` }));
  }
  /** @param {string} spot */
  const tap = (spot) => {
    const [x = 0, y = 0] = spot.split(",").map(Number);
    onChange(isLaid.has(spot) ? laid.filter((each) => each.x !== x || each.y !== y) : [...laid, { card: /** @type {any} */ (inHand).card, x, y }]);
  };
  return html`<p class="note" role="status">${t("chosen_of", { n: laid.length, most: choice.most ?? 0 })}</p>
    <div class="palette" onKeyDown=${stepByArrow} role="group" aria-label=${t("lay_which")}>${left.map(({ card, n }) => html`<button type="button" key=${card} class=${inHand?.card === card ? "chosen" : ""} disabled=${n === 0}
      aria-pressed=${inHand?.card === card} onClick=${() => setTaken(card)}><${Face} design=${drawing.cards[card] ?? null} game=${drawing.game} /><span class="note">${say(drawing.cards[card]?.name) || card}</span><b class="num">× ${n}</b></button>`)}</div>
    <div onKeyDown=${stepByArrow}><${Places} board=${{ hero: null, phase: "building" }} drawing=${drawing} tiles=${tiles} spots=${spots} onPick=${tap} /></div>`;
}

const AWAY = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] });

/** Give the focus to the nearest button in the direction of an arrow key. @param {KeyboardEvent} event its `currentTarget` holds the buttons */
export function stepByArrow(event) {
  const [right, down] = AWAY[event.key] ?? [0, 0], from = /** @type {Element} */ (event.target);
  if ((!right && !down) || from.tagName !== "BUTTON") return;
  event.preventDefault(); // else the page would scroll
  const start = from.getBoundingClientRect();
  let nearest = from, least = Infinity;
  for (const button of /** @type {Element} */ (event.currentTarget).querySelectorAll("button:enabled")) {
    const { x, y } = button.getBoundingClientRect(), ahead = (x - start.x) * right + (y - start.y) * down;
    const far = ahead + 2 * (Math.abs((x - start.x) * down) + Math.abs((y - start.y) * right));
    if (ahead > 1 && far < least) [nearest, least] = [button, far];
  }
  /** @type {HTMLElement} */ (nearest).focus();
}
