// @ts-check
// A real table: what the dice show as taps on pips, what was turned up by search, and "nobody reacts".
import { call, matchPath } from "../../lib/api.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { say, sayUnfinished, t } from "../../lib/words.js";
import { Face, Tap } from "../../parts/basic.js";
import { DicePads } from "../../parts/dice.js";
import { useGames } from "../../parts/games.js";
import { labelValue, PickerChoices, PickerSheet } from "./picker.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

/** @param {{followed: import("../../lib/match.js").FollowedMatch, drawing: any, attempt: (write: () => Promise<any>, title: string) => Promise<void>}} props */
export function Reports({ followed, drawing, attempt }) {
  const [listing, setListing] = useState(/** @type {Schemas["MoveListing"] | null} */ (null));
  const [picker, setPicker] = useState(/** @type {Schemas["Picker"] | null} */ (null));
  useEffect(() => {
    call("GET", `${matchPath(followed.match)}/seats/chance/moves`, { token: followed.token }).then(setListing, () => setListing(null));
  }, [followed.view?.version]);
  if (!listing) return null;
  /** @param {any} move */
  const report = (move) => attempt(() => followed.makeMove(move, undefined, "chance"), t("report_now"));
  const dice = countDice(listing), [only] = listing.pickers, isOpen = only && dice === 0 && listing.legal.length === 0 && listing.pickers.length === 1;
  if (isOpen) return html`<section class="reports stack" data-type=${only.type}><h2 class="grp">${say(only.says, drawing.names)}</h2>
    <${PickerChoices} picker=${only} followed=${followed} seat="chance" drawing=${drawing} isReport onChosen=${report} /></section>`;
  return html`<section class="reports">
    ${dice > 0 ? html`<${DicePads} many=${dice} onRolled=${(/** @type {number[]} */ values) => report({ type: "chance.rolled", values })} />` : html`<div class="picks">
      ${listing.legal.map((legal) => html`<${Tap} key=${JSON.stringify(legal.move)} onTap=${() => report(legal.move)} data=${JSON.stringify(legal.move)}>${legal.cards[0]
        ? html`<${Face} design=${drawing.cards[legal.cards[0]]} game=${drawing.game} /><span>${labelValue(legal.cards[0], "card", drawing)}</span>`
        : html`<span>${say(legal.told, drawing.names)}</span>`}<//>`)}
      ${listing.pickers.map((each) => html`<button class="wide" key=${each.type} data-type=${each.type} onClick=${() => setPicker(each)}><b>${sayUnfinished(each.says, drawing.names)}</b></button>`)}</div>`}
    ${picker && html`<${PickerSheet} picker=${picker} followed=${followed} seat="chance" drawing=${drawing} isReport onClose=${() => setPicker(null)}
      onChosen=${(/** @type {any} */ move) => { setPicker(null); report(move); }} />`}
  </section>`;
}

/** Return how many dice are asked for; 0: something else is. @param {Schemas["MoveListing"]} listing */
function countDice(listing) {
  const [first] = listing.legal, [picker] = listing.pickers;
  if (first) return first.move.type === "chance.rolled" ? first.move.values.length : 0;
  return picker?.type === "chance.rolled" ? picker.choices[0]?.least ?? 0 : 0;
}

/**
 * One tap for all at a table with real cards: nobody reacts to what is open; and the objection to that.
 * With `isLate` it is only the objection to what is over already.
 * @param {{isLate?: boolean, followed: import("../../lib/match.js").FollowedMatch, attempt: (write: () => Promise<any>, title: string) => Promise<void>}} props
 */
export function ForAll({ followed, attempt, isLate = false }) {
  const { about, moves, match, seat, entries } = followed, spoken = findSpoken(entries);
  const game = useGames().find((each) => each.name === about?.game);
  if (!isRealTable(about) || !game) return null;
  const objection = spoken && html`<${Tap} onTap=${() => attempt(() => followed.send(`${matchPath(match)}/windows/${spoken}/objections`, { seat }), t("objection"))}>
    <b>${t("objection")}</b><//>`;
  const isOpen = moves?.window != null && game.windows.includes(moves.window.kind);
  if (!isOpen) return objection && isLate ? html`<section>${objection}</section>` : null;
  if (isLate) return null;
  const id = moves.window?.id ?? "", isSaid = spoken === id;
  return html`<section class=${objection ? "grid2" : ""}>${!isSaid && html`<${Tap} kind="call wide tall" onTap=${() =>
    attempt(() => followed.send(`${matchPath(match)}/windows/${id}/no-reaction`), t("nobody_reacts"))}><b>${t("nobody_reacts")}</b><small>${about?.clocks.objection_ms ? t("nobody_reacts_wait", { seconds: about.clocks.objection_ms / 1000 }) : t("nobody_reacts_small")}</small><//>`}${objection}</section>`;
}

/** Whether dice or cards are real. @param {Schemas["Match"] | null} about */
export const isRealTable = (about) => Object.values(about?.chance ?? {}).includes("table");

/** Return the window of which somebody just said that nobody reacts, while chance has shown nothing since. @param {Schemas["Entry"][]} entries */
function findSpoken(entries) {
  for (const entry of entries.slice(-8).reverse()) {
    if (entry.seat === "chance") return null;
    if (entry.move?.type === "table.nobody_reacts") return /** @type {any} */ (entry.move).window;
  }
  return null;
}
