// @ts-check
// Shy Monsters: the floor as a map with the hero, open and hidden cards.
import { html } from "../lib/html.js";
import { say, t } from "../lib/words.js";
import { Face, Icon, Svg } from "../parts/basic.js";
import { Veil } from "../parts/veil.js";
import { Player, Small, Stack } from "../parts/player.js";

/** @typedef {import("../parts/card.js").Drawing} Drawing */
/** @typedef {import("../parts/places.js").Spots} Spots */
/** @typedef {{board: any, drawing: Drawing}} Props */

const HERO = `<svg viewBox="0 0 24 30" aria-hidden="true"><path d="M12 1.500a6 6 0 0 1 3.400 11c3.600 2 5.600 6.500 5.600 15.500H3c0-9 2-13.500 5.600-15.500A6 6 0 0 1 12 1.500z" fill="var(--call)" stroke="#14201D" stroke-width="2" stroke-linejoin="round"/></svg>`;

/** @param {any} seat @param {any} board */
export const describeSeat = (seat, board) => [seat.role && t(`sm_${seat.role}`), board.match_games > 1 && t("sm_wins", { n: seat.wins })].filter(Boolean).join(", ");

/** @param {Props} props */
export const Running = ({ board }) => (board.phase ? html`<p class="facts"><b class="num sum-up">${t("sm_floor", { n: board.floor, of: board.floors })}</b>
  <span>${t(`sm_${board.phase}`)}</span>${board.phase === "exploring" && html`<${Skills} skills=${board.skills} />`}
  ${board.match_games > 1 && html`<span class="note">${t("sm_game", { n: board.match_game, of: board.match_games })}</span>`}</p>` : null);

/** What the hero can still do on this floor. @param {{skills: {attack: boolean | null, jump: boolean | null}}} props */
const Skills = ({ skills }) => html`<span class="skills">${/** @type {["attack" | "jump", string][]} */ ([["attack", "sword"], ["jump", "flee"]]).map(([skill, icon]) => skills[skill] !== null && html`
  <span key=${skill} class=${skills[skill] ? "has" : "used"}><${Icon} name=${icon} size=${18} /> ${t(`sm_${skill}`)}<span class="sr"> ${t(skills[skill] ? "sm_unused" : "sm_used")}</span></span>`)}</span>`;

/**
 * The floor. Places in `spots` are buttons, also those where nothing lies.
 * @param {Props & {spots?: Spots, onPick?: (key: string) => void, tiles?: any[]}} props
 */
export function Floor({ board, drawing, spots, onPick, tiles = board.tiles ?? [] }) {
  const free = [...(spots?.keys() ?? [])].map((key) => key.split(",").map(Number)), at = (/** @type {any} */ tile) => `${tile.x},${tile.y}`;
  const xs = [...tiles.map((tile) => tile.x), ...free.map(([x = 0]) => x)], ys = [...tiles.map((tile) => tile.y), ...free.map(([, y = 0]) => y)];
  if (xs.length === 0) return null;
  const left = Math.min(...xs), top = Math.min(...ys), laid = new Set(tiles.map(at));
  const cells = [...tiles, ...free.map(([x = 0, y = 0]) => ({ x, y, isFree: true })).filter((cell) => !laid.has(at(cell)))].sort((one, other) => one.y - other.y || one.x - other.x);
  const size = { "--columns": Math.max(...xs) - left + 1, "--lines": Math.max(...ys) - top + 1 };
  return html`<div class="floor" style=${size} role="group" aria-label=${t("sm_map")}>${cells.map((cell) => {
    const key = at(cell), style = { gridColumn: cell.x - left + 1, gridRow: cell.y - top + 1 };
    const isHero = board.hero && board.hero[0] === cell.x && board.hero[1] === cell.y && board.phase === "exploring";
    const inside = html`${cell.isFree ? html`<span class="plus" aria-hidden="true">+</span>` : html`<${Tile} tile=${cell} drawing=${drawing} />`}${isHero && html`<span class="hero"><${Svg} svg=${HERO} /><span class="sr">${t("sm_hero")}</span></span>`}`;
    return spots?.has(key) ? html`<button key=${key} type="button" class="spot open" style=${style} aria-label=${spots.get(key)} onClick=${() => onPick?.(key)}>${inside}</button>`
      : html`<div key=${key} class="spot" style=${style}>${inside}</div>`;
  })}</div>`;
}

/** @param {{tile: any, drawing: Drawing}} props */
function Tile({ tile, drawing }) {
  const isCovered = drawing.isCovered && tile.is_up === false, id = isCovered ? null : tile.card?.card ?? (tile.kind === "entrance" ? "entrance" : null), design = id ? drawing.cards[id] ?? { id, kind: tile.kind } : null;
  const state = tile.is_alive === false ? "dead" : tile.is_active ? "active" : "", name = isCovered ? "" : say(tile.card?.name) || say(design?.name);
  return html`<span class=${`lies tile ${state} ${tile.is_up === false && design ? "hidden" : ""}`}><${Face} design=${design && { ...design, name }} game="shy_monsters" />
    ${tile.turned !== null && tile.turned !== undefined && html`<span class="badge num" title=${t("sm_turned")}>${tile.turned}</span>`}
    ${state && html`<span class="state">${t(`sm_${state}`)}</span>`}<span class="sr">${name || t("face_down")}</span></span>`;
}

/** @param {Props & {hasHands: boolean}} props */
const People = ({ board, drawing, hasHands }) => board.seats.map((/** @type {any} */ seat) => html`<${Player} key=${seat.seat} seat=${seat.seat} board=${board} drawing=${drawing} note=${seat.role && t(`sm_${seat.role}`)}
  stats=${board.match_games > 1 && html`<span class="stat">${t("sm_wins", { n: seat.wins })}</span>`}>
  ${hasHands && seat.hand && html`<div class="lying">${seat.hand.cards.length > 0 ? seat.hand.cards.map((/** @type {any} */ card) => html`<${Small} key=${card.id} card=${card} drawing=${drawing} />`)
    : html`<span class="note">${t("cards_left", { n: seat.hand.count ?? "?" })}</span>`}</div>`}<//>`);

/** Whether only the dungeon master sees what lies in a pile: monsters set aside that nobody has discovered. @param {any} pile */
const isSecret = (pile) => pile.place.startsWith("undiscovered:");

/** @param {Props} props */
const Piles = ({ board, drawing }) => html`<div class="lying stacks">${board.piles.filter((/** @type {any} */ pile) => pile.count !== 0).map((/** @type {any} */ pile) => html`<${Stack} key=${pile.place}
  pile=${drawing.isCovered && isSecret(pile) ? { ...pile, cards: [] } : pile} drawing=${drawing} />`)}</div>`;

/** Whether a seat sees more than lies open. @param {any} board */
const hasHidden = (board) => (board.tiles ?? []).some((/** @type {any} */ tile) => tile.is_up === false && tile.card?.card)
  || board.piles.some((/** @type {any} */ pile) => isSecret(pile) && pile.cards.some((/** @type {any} */ card) => card.card));

/** @param {Props} props */
export const Table = ({ board, drawing }) => html`<div class="stack players"><${Veil} drawing=${drawing} hasHidden=${drawing.me !== null && hasHidden(board)}
  draw=${(/** @type {Drawing} */ covered) => html`<${Floor} board=${board} drawing=${covered} /><${Piles} board=${board} drawing=${covered} />`} /></div>`;

/** @param {Props} props */
export const Screen = ({ board, drawing }) => html`<div class="whole with-map"><div class="map-room"><${Floor} board=${board} drawing=${drawing} /></div>
  <div class="beside"><${People} board=${board} drawing=${drawing} hasHands /><${Piles} board=${board} drawing=${drawing} /></div></div>`;

/** Draw the floor with places to choose from. @param {Props & {spots: Spots, onPick: (key: string) => void, tiles?: any[]}} props */
export const Places = (/** @type {any} */ props) => html`<${Floor} ...${props} drawing=${{ ...props.drawing, isCovered: true }} />`;
