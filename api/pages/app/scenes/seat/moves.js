// @ts-check
// Legal moves as buttons grouped by what they do, and what is not possible with the reason behind it.
import { call } from "../../lib/api.js";
import { useHiding } from "../../lib/follow.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { fillNames, say, sayUnfinished, t } from "../../lib/words.js";
import { Face, Tap } from "../../parts/basic.js";
import { DicePads } from "../../parts/dice.js";
import { findMaps, MoveMap } from "../../parts/places.js";
import { PickerSheet } from "./picker.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

const MOST_TRIED = 5; // moves that are looked at for dice that follow
const FEW = 3; // cards: a move put together of more than that is no button
const NEAR = 6, CALM = 350; // milliseconds without a new situation before near misses are asked for

/**
 * @param {{followed: import("../../lib/match.js").FollowedMatch, drawing: any, attempt: (write: () => Promise<any>, title: string, move?: any) => Promise<void>,
 *   showWhy: (why: any) => void, isOpen: boolean, onOpen: () => void}} props
 */
export function Moves({ followed, drawing, attempt, showWhy, isOpen, onOpen }) {
  const { moves, seat } = followed, { names } = drawing;
  const [picker, setPicker] = useState(/** @type {Schemas["Picker"] | null} */ (null));
  useHiding(() => setPicker(null)); // it may list the hand
  const near = useNearMisses(followed), rolling = useRollAhead(followed);
  if (!moves) return null;
  const hand = listHandCards(followed.view?.board, seat);
  /** @param {Schemas["LegalMove"]} legal */
  const play = (legal) => attempt(() => followed.makeMove(legal.move), fillNames(say(legal.told), names), legal.move);
  const isCovered = !isOpen && hand.size > 0, inWindow = isCovered && moves.window !== null;
  const groups = sortGroups(moves.groups, moves.legal).map((group) => ({
    group,
    legal: moves.legal.filter((each) => each.move.type === group.type && each.flag !== "gives_up"),
    pickers: moves.pickers.filter((each) => each.type === group.type),
  }));
  const leaving = moves.legal.filter((each) => each.flag === "gives_up");
  const choices = moves.legal.length - leaving.length + moves.pickers.length;
  const refused = near.filter((each) => (!isCovered || (!inWindow && !namesHandCard(each.move, hand))) && !moves.pickers.some(({ type }) => type === each.move.type));
  const drawn = { ...drawing, isCovered: !isOpen };
  return html`${groups.filter(({ legal, pickers }) => legal.length + pickers.length > 0).map(({ group, legal, pickers }) => {
    // in a window the buttons are the same whatever lies in a covered hand: passing, and one to look into it
    const hidden = !isCovered ? [] : legal.filter((each) => (inWindow ? each.flag !== "passes" : each.cards.some((card) => hand.has(card))));
    const shown = legal.filter((each) => !hidden.includes(each)), isAlone = legal.length + pickers.length === 1;
    const maps = hidden.length > 0 ? [] : findMaps(legal, drawing.game); // a map names its card
    if (maps.length > 0) return html`<section key=${group.type}><h2 class="grp">${say(group.says, names)}</h2>
      ${maps.map((map, index) => html`<${MoveMap} key=${index} map=${map} board=${followed.view?.board} drawing=${drawn} onPlay=${play} />`)}</section>`;
    const needsHeading = !isAlone && shown.length + pickers.length > 0;
    return html`<section key=${group.type}>${needsHeading && html`<h2 class="grp">${say(group.says, names)}</h2>`}
      <div class=${isAlone ? "" : "grid2"}>
        ${shown.map((each) => html`<${MoveButton} key=${JSON.stringify(each.move)} legal=${each} drawing=${drawing} onClick=${() => play(each)}
          title=${isAlone ? say(group.says, names) : ""} isOnly=${choices === 1 && !inWindow} />`)}
        ${pickers.map((each) => html`<button key=${JSON.stringify(each.move)} class=${isAlone ? "wide tall" : ""} data-type=${each.type} onClick=${() => setPicker(each)}><b>${sayUnfinished(group.says, names)}</b>${pickers.length > 1 && html`<small>${say(each.says, names)}</small>`}</button>`)}
        ${hidden.length > 0 && !inWindow && html`<button class="covered span2" onClick=${(/** @type {MouseEvent} */ event) => openHand(event, onOpen)}><b>${say(group.says, names)}</b><small>${t("uncover")}</small></button>`}
      </div></section>`;
  })}
  ${inWindow && moves.awaited && html`<section><button class="covered wide tall" onClick=${(/** @type {MouseEvent} */ event) => openHand(event, onOpen)}><b>${t("react")}</b><small>${t("uncover")}</small></button></section>`}
  ${rolling && html`<${RollAhead} rolling=${rolling} names=${names} onRolled=${(/** @type {any[]} */ reports) =>
    attempt(() => followed.makeMove(rolling.legal.move, reports), say(rolling.legal.told, names))} />`}
  ${refused.length > 0 && html`<section><h2 class="grp">${t("not_now")}</h2><div class="grid2">
    ${refused.map((each) => html`<button class="why" key=${JSON.stringify(each.move)} onClick=${() => showWhy({ title: fillNames(say(each.told), names), ruling: each.ruling, move: each.move, isUnsent: true })}>
      <span>${fillNames(say(each.told), names)}</span><i aria-label=${t("why_title")}>?</i></button>`)}</div></section>`}
  ${leaving.length > 0 && html`<details class="leave"><summary>${t("more")}</summary>
    ${leaving.map((each) => html`<button class="wide" onClick=${() => confirm(`${say(each.told, names)}?`) && play(each)}>${say(each.told, names)}</button>`)}</details>`}
  ${picker && html`<${PickerSheet} picker=${picker} followed=${followed} seat=${seat} drawing=${drawing} onClose=${() => setPicker(null)}
    onChosen=${(/** @type {any} */ move) => { setPicker(null); attempt(() => followed.makeMove(move), say(picker.says, names), move); }} />`}`;
}

/** A move and the dice that follow, in one tap. Below the buttons, which stay under the thumb. @param {{rolling: any, names: any, onRolled: (reports: any[]) => void}} props */
const RollAhead = ({ rolling, names, onRolled }) => html`<section class="rolled" data-move=${JSON.stringify(rolling.legal.move)}><h2 class="grp">${say(rolling.legal.told, names)}</h2>
  <${DicePads} many=${rolling.many} onRolled=${(/** @type {number[]} */ values) => onRolled([{ move: { type: "chance.rolled", values } }])} /></section>`;

/** @param {{legal: Schemas["LegalMove"], drawing: any, title: string, isOnly: boolean, onClick: () => void}} props */
function MoveButton({ legal, drawing, title, isOnly, onClick }) {
  const card = legal.cards.length > 0 ? drawing.cards[legal.cards[0] ?? ""] : null;
  const told = say(legal.told, drawing.names), isSame = told.replace(/\.$/, "") === title.replace(/\.$/, "");
  return html`<${Tap} kind=${`move ${isOnly ? "call" : ""} ${card ? "with-card" : ""} ${title ? "wide" : ""} ${title && !card ? "tall" : ""}`} onTap=${onClick} data=${JSON.stringify(legal.move)}>
    ${card && html`<${Face} design=${card} game=${drawing.game} />`}<span>${isSame ? html`<b>${title}</b>` : html`${title && html`<b>${title}</b>`}<span
      class=${title ? "detail" : ""}>${told}</span>`}</span><//>`;
}

/** Return what is almost possible, once the table is calm. @param {import("../../lib/match.js").FollowedMatch} followed @returns {Schemas["NearMiss"][]} */
function useNearMisses(followed) {
  const [near, setNear] = useState({ version: 0, items: /** @type {Schemas["NearMiss"][]} */ ([]) });
  const version = followed.moves?.version ?? 0, isMine = followed.moves?.awaited ?? false;
  useEffect(() => {
    if (!isMine) return;
    let isCurrent = true;
    const timer = setTimeout(() => call("GET", `${followed.path}/moves?near=${NEAR}`, { token: followed.token, tries: 1 }).then(
      (found) => isCurrent && setNear({ version, items: found.near }), () => {}), CALM);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [version, isMine]);
  return near.version === version ? near.items : [];
}

/**
 * Return the move after which real dice are rolled, if there is just one: then they are asked for at once.
 * @param {import("../../lib/match.js").FollowedMatch} followed @returns {{legal: Schemas["LegalMove"], many: number} | null}
 */
function useRollAhead(followed) {
  const { moves, about, path, token } = followed, version = moves?.version ?? 0;
  const [found, setFound] = useState(/** @type {{version: number, legal: Schemas["LegalMove"], many: number} | null} */ (null));
  useEffect(() => {
    const legal = (moves?.legal ?? []).filter((each) => each.flag === null);
    if (!moves?.awaited || about?.chance.dice !== "table" || moves.pickers.length > 0 || legal.length === 0 || legal.length > MOST_TRIED) return;
    let isCurrent = true;
    /** @param {any} move @param {number[]} values */
    const isFollowedBy = (move, values) => call("POST", `${path}/moves/check`, { token, tries: 1, body: { move, reports: [{ move: { type: "chance.rolled", values } }] } })
      .then((answer) => answer.verdict === "granted", () => false);
    const many = async (/** @type {Schemas["LegalMove"]} */ each) => ((await isFollowedBy(each.move, [1, 1])) ? 2 : (await isFollowedBy(each.move, [1])) ? 1 : 0);
    Promise.all(legal.map(many)).then((dice) => {
      const rolls = legal.flatMap((each, at) => (dice[at] ? [{ version, legal: each, many: dice[at] ?? 0 }] : []));
      if (isCurrent) setFound(rolls.length === 1 ? rolls[0] ?? null : null);
    });
    return () => void (isCurrent = false);
  }, [version, about?.chance.dice]);
  return found?.version === version ? found : null;
}

/** Open the hand and lead the focus to its first move. @param {MouseEvent} event @param {() => void} onOpen */
function openHand(event, onOpen) {
  onOpen();
  if (event.detail === 0) setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector("main button.move"))?.focus());
}

/** Put what passes or ends the turn last. @param {Schemas["MoveGroup"][]} groups @param {Schemas["LegalMove"][]} legal */
function sortGroups(groups, legal) {
  /** @type {Set<string>} */
  const ending = new Set(legal.filter((each) => each.flag !== null).map((each) => each.move.type));
  return [...groups].sort((one, other) => Number(ending.has(one.type)) - Number(ending.has(other.type)));
}

/** @param {any} board @param {number | null} seat @returns {Set<string>} */
function listHandCards(board, seat) {
  const mine = board?.seats.find((/** @type {any} */ each) => each.seat === seat);
  const covered = [...(mine?.hand?.cards ?? []), ...(mine?.draft?.cards ?? []), ...(mine?.crush ?? []).map((/** @type {any} */ each) => each.card)];
  return new Set(covered.flatMap((card) => card?.card ?? []));
}

/** @param {any} move @param {Set<string>} hand */
const namesHandCard = (move, hand) => Object.values(move).flat().some((value) => typeof value === "string" && hand.has(value.split(/[!#]/)[0] ?? value));
