// @ts-check
// Legal moves as buttons grouped by what they do, and what is not possible with the reason behind it.
import { call } from "../../lib/api.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { fillNames, say, t } from "../../lib/words.js";
import { Face } from "../../parts/basic.js";
import { PickerSheet } from "./picker.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

const NEAR = 6, CALM = 350; // milliseconds without a new situation before near misses are asked for

/**
 * @param {{followed: import("../../lib/match.js").FollowedMatch, drawing: any, attempt: (write: () => Promise<any>, title: string) => Promise<void>,
 *   showWhy: (why: any) => void, isOpen: boolean, onOpen: () => void}} props
 */
export function Moves({ followed, drawing, attempt, showWhy, isOpen, onOpen }) {
  const { moves, seat } = followed, { names } = drawing;
  const [picker, setPicker] = useState(/** @type {Schemas["Picker"] | null} */ (null));
  const near = useNearMisses(followed);
  if (!moves) return null;
  const hand = listHandCards(followed.view?.board, seat);
  /** @param {Schemas["LegalMove"]} legal */
  const play = (legal) => attempt(() => followed.makeMove(legal.move), fillNames(say(legal.told), names));
  const groups = moves.groups.map((group) => ({
    group,
    legal: moves.legal.filter((each) => each.move.type === group.type && each.flag !== "gives_up"),
    pickers: moves.pickers.filter((each) => each.type === group.type),
  }));
  const leaving = moves.legal.filter((each) => each.flag === "gives_up");
  const choices = moves.legal.length - leaving.length + moves.pickers.length;
  return html`${groups.filter(({ legal, pickers }) => legal.length + pickers.length > 0).map(({ group, legal, pickers }) => {
    const hidden = isOpen ? [] : legal.filter((each) => each.cards.some((card) => hand.has(card)));
    const shown = legal.filter((each) => !hidden.includes(each));
    return html`<section key=${group.type}><h2 class="grp">${say(group.says, names)}</h2>
      <div class=${shown.length + pickers.length > 1 ? "grid2" : ""}>
        ${shown.map((each) => html`<${MoveButton} key=${JSON.stringify(each.move)} legal=${each} drawing=${drawing} isOnly=${choices === 1} onClick=${() => play(each)} />`)}
        ${pickers.map((each) => html`<button key=${JSON.stringify(each.move)} class="wide" onClick=${() => setPicker(each)}><b>${say(each.says, names)} …</b></button>`)}
        ${hidden.length > 0 && html`<button class="wide covered" onClick=${onOpen}><b>${t("uncover", { n: hidden.length })}</b></button>`}
      </div></section>`;
  })}
  ${near.length > 0 && html`<section><h2 class="grp">${t("not_now")}</h2><div class="grid2">
    ${near.filter((each) => isOpen || !namesHandCard(each.move, hand)).map((each) => html`<button class="why" key=${JSON.stringify(each.move)} onClick=${() => showWhy({ title: fillNames(say(each.told), names), ruling: each.ruling })}>
      <span>${fillNames(say(each.told), names)}</span><i aria-label=${t("why_title")}>?</i></button>`)}</div></section>`}
  ${leaving.length > 0 && html`<details class="leave"><summary>${t("more")}</summary>
    ${leaving.map((each) => html`<button class="wide" onClick=${() => confirm(`${say(each.told, names)}?`) && play(each)}>${say(each.told, names)}</button>`)}</details>`}
  ${picker && html`<${PickerSheet} picker=${picker} drawing=${drawing} onClose=${() => setPicker(null)}
    onChosen=${(/** @type {any} */ move) => { setPicker(null); attempt(() => followed.makeMove(move), say(picker.says, names)); }} />`}`;
}

/** @param {{legal: Schemas["LegalMove"], drawing: any, isOnly: boolean, onClick: () => void}} props */
function MoveButton({ legal, drawing, isOnly, onClick }) {
  const [busy, setBusy] = useState(false);
  const card = legal.cards.length > 0 ? drawing.cards[legal.cards[0] ?? ""] : null;
  const press = async () => {
    if (busy) return; // one tap, one move
    setBusy(true);
    await onClick();
    setBusy(false);
  };
  return html`<button class=${`move ${isOnly ? "call" : ""} ${card ? "with-card" : "wide"}`} aria-busy=${busy} onClick=${press}>
    ${card && html`<${Face} design=${card} game=${drawing.game} />`}<span>${say(legal.told, drawing.names)}</span></button>`;
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

/** @param {any} board @param {number | null} seat @returns {Set<string>} */
function listHandCards(board, seat) {
  const mine = board?.seats.find((/** @type {any} */ each) => each.seat === seat);
  return new Set((mine?.hand.cards ?? []).map((/** @type {any} */ card) => card.card));
}

/** @param {any} move @param {Set<string>} hand */
const namesHandCard = (move, hand) => Object.values(move).flat().some((value) => typeof value === "string" && hand.has(value));
