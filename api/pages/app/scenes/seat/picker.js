// @ts-check
// Put a move together where there are too many to list: choose a card, several, a number, places.
import { call, matchPath } from "../../lib/api.js";
import { readValue, writeText } from "../../lib/device.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { nameSeat, say, t } from "../../lib/words.js";
import { Face, Sheet } from "../../parts/basic.js";
import { arePlaces, LayOut, PlaceChoice, stepByArrow } from "../../parts/places.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

const MANY = 8; // values beyond which there is a search
const RECENT = 24; // cards that are remembered to be shown first

/** @typedef {{picker: Schemas["Picker"], followed: import("../../lib/match.js").FollowedMatch, seat: number | "chance", drawing: any,
 *   onChosen: (move: any) => void, isReport?: boolean}} PickerProps */

/** Choose among the moves of one kind on a sheet over the scene. @param {PickerProps & {onClose: () => void}} props */
export const PickerSheet = ({ onClose, ...picking }) => html`<${Sheet} title=${say(picking.picker.says, picking.drawing.names)} onClose=${onClose}>
  <${picking.picker.choices[0]?.kind === "changes" ? WrittenText : PickerChoices} ...${picking} /><//>`;

/** The form for free texts, loaded once it is needed. @param {PickerProps} props */
function WrittenText(props) {
  const [form, setForm] = useState(/** @type {any} */ (null));
  useEffect(() => void import("../written/written.js").then((loaded) => setForm(() => loaded.default)), []);
  return form && html`<${form} ...${props} isReal=${props.followed.about?.chance.deck === "table"} />`;
}

/**
 * Choose among the moves of one kind, by the card first; what the referee cannot list is put together freely.
 * @param {PickerProps} props
 */
export function PickerChoices({ picker, followed, seat, drawing, onChosen, isReport = false }) {
  const whole = useWholeList(picker, followed, seat);
  const [first, setFirst] = useState(/** @type {any} */ (undefined));
  const field = picker.choices.find((choice) => choice.kind === "one" && choice.values.length > 1)?.field;
  const isFree = picker.choices.some((choice) => choice.kind !== "one");
  useEffect(() => { // a keyboard goes on where the choice goes on
    if (first !== undefined && document.activeElement === document.body) /** @type {HTMLElement | null} */ (document.querySelector("[role=dialog] [data-move]"))?.focus();
  }, [first]);
  /** @param {any} move */
  const choose = (move) => {
    noteRecent(drawing, Object.values(move).flat());
    onChosen(move);
  };
  if (whole === null) return html`<p class="note" role="status">${t("loading")}</p>`;
  if (isLongListOfSets(picker, whole)) return html`<${FreeChoice} picker=${picker} drawing=${drawing} onChosen=${choose} isReport=${isReport} allowed=${whole} />`;
  const left = whole.filter((legal) => first === undefined || field === undefined || /** @type {any} */ (legal.move)[field] === first);
  const values = field === undefined || first !== undefined ? [] : [...new Set(whole.map((legal) => /** @type {any} */ (legal.move)[field]))];
  /** @param {any} value */
  const narrow = (value) => {
    const found = whole.filter((legal) => /** @type {any} */ (legal.move)[field ?? ""] === value);
    if (found.length === 1) choose(found[0]?.move);
    else setFirst(value);
  };
  return html`${values.length > 1
      ? html`<${Choice} choice=${{ field: field ?? "", kind: "one", values, copies: null, least: null, most: null }} value=${undefined} drawing=${drawing} onChange=${narrow} />`
      : left.length > 0 && html`<div class="stack">${left.map((legal) => html`<button key=${JSON.stringify(legal.move)} data-move=${JSON.stringify(legal.move)}
          onClick=${() => choose(legal.move)}>${say(legal.told, drawing.names)}</button>`)}</div>`}
    ${whole.length === 0 ? html`<${FreeChoice} picker=${picker} drawing=${drawing} onChosen=${choose} isReport=${isReport} />`
      : isFree && html`<details><summary>${t("more")}</summary><${FreeChoice} picker=${picker} drawing=${drawing} onChosen=${choose} isReport=${isReport} /></details>`}`;
}

/** Whether the moves are sets of cards, too many to be read one by one. @param {Schemas["Picker"]} picker @param {Schemas["LegalMove"][]} whole */
function isLongListOfSets(picker, whole) {
  const [only, ...others] = picker.choices.filter(isOpen);
  return whole.length > MANY && others.length === 0 && only?.kind === "several";
}

/** Load all legal moves of the picker's kind; none if there are too many. @param {Schemas["Picker"]} picker @param {import("../../lib/match.js").FollowedMatch} followed @param {number | "chance"} seat @returns {Schemas["LegalMove"][] | null} */
function useWholeList(picker, followed, seat) {
  const [whole, setWhole] = useState(/** @type {Schemas["LegalMove"][] | null} */ (null));
  useEffect(() => {
    call("GET", `${matchPath(followed.match, seat)}/moves?whole=true&type=${picker.type}`, { token: followed.token }).then(
      (found) => setWhole(found.cut ? [] : found.legal), () => setWhole([]));
  }, [picker]);
  return whole;
}

/** @param {{picker: Schemas["Picker"], drawing: any, onChosen: (move: any) => void, isReport: boolean, allowed?: Schemas["LegalMove"][]}} props
 * `allowed` are all moves there are, if they are known: then only one of them can be sent */
export function FreeChoice({ picker, drawing, onChosen, isReport, allowed }) {
  const [chosen, setChosen] = useState(() => Object.fromEntries(picker.choices.flatMap((choice) => {
    const value = findDefault(choice);
    return value === undefined ? [] : [[choice.field, value]];
  })));
  const made = { ...picker.move, ...chosen };
  const move = !picker.choices.every((choice) => isChosen(choice, chosen[choice.field])) ? undefined
    : allowed ? allowed.find((legal) => sortMove(legal.move) === sortMove(made))?.move : made;
  return html`${picker.choices.filter(isOpen).map((choice) => html`<${Choice} key=${choice.field} choice=${choice} value=${chosen[choice.field]} drawing=${drawing}
      onChange=${(/** @type {any} */ value) => setChosen({ ...chosen, [choice.field]: value })} />`)}
    <button class="call wide tall" disabled=${!move} onClick=${() => onChosen(move)}><b>${t(isReport ? "confirm" : "choose_done")}</b></button>`;
}

/** Return a move as text, the same in whatever order its members and cards stand. @param {Record<string, any>} move */
const sortMove = (move) => JSON.stringify(Object.entries(move).map(([field, value]) => [field, Array.isArray(value) ? [...value].sort() : value]).sort());

/** Return all that may be chosen, each value as often as it may be. @param {Schemas["PickerChoice"]} choice @returns {any[]} */
const listCopies = ({ values, copies }) => values.flatMap((value, at) => Array.from({ length: copies?.[at] ?? 1 }, () => value));

/** Whether there is anything to choose, or only one way. @param {Schemas["PickerChoice"]} choice */
function isOpen(choice) {
  if (choice.kind === "one") return choice.values.length > 1;
  return choice.kind !== "several" || choice.copies === null || listCopies(choice).length > (choice.least ?? 0);
}

/** Return what a choice has until something else is chosen; undefined: it has to be chosen. @param {Schemas["PickerChoice"]} choice @returns {any} */
function findDefault(choice) {
  if (choice.kind === "number") return choice.least ?? 0;
  if (choice.kind === "text") return "";
  if (!isOpen(choice)) return choice.kind === "one" ? choice.values[0] : listCopies(choice);
  if (choice.kind !== "one") return choice.least ? undefined : [];
  return choice.values.find((value) => value === null || value === "" || value === false);
}

/** @param {Schemas["PickerChoice"]} choice @param {any} value */
function isChosen(choice, value) {
  if (choice.kind === "several" || choice.kind === "places") return (value?.length ?? 0) >= (choice.least ?? 0);
  return value !== undefined;
}

/** @param {{choice: Schemas["PickerChoice"], value: any, drawing: any, board?: any, onChange: (value: any) => void}} props */
function Choice({ choice, value, drawing, board = null, onChange }) {
  const [search, setSearch] = useState("");
  if (choice.kind === "number") return html`<${Stepper} choice=${choice} value=${value} onChange=${onChange} />`;
  if (choice.kind === "text") return html`<input value=${value ?? ""} maxlength="200" onInput=${(/** @type {any} */ event) => onChange(event.target.value)} />`;
  if (choice.kind === "places") return html`<${LayOut} choice=${choice} value=${value} drawing=${drawing} onChange=${onChange} />`;
  if (arePlaces(choice, board, drawing)) return html`<${PlaceChoice} choice=${choice} value=${value} board=${board} drawing=${drawing} onChange=${onChange} />`;
  const picked = /** @type {any[]} */ (choice.kind === "one" ? (value === undefined ? [] : [value]) : value ?? []);
  const found = choice.values.map((each, at) => ({ each, at, label: labelValue(each, choice.field, drawing) }))
    .filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()));
  const recent = readValue(recentKey(drawing), []);
  if (choice.values.length > MANY) found.sort((one, other) => rankRecent(recent, one.each) - rankRecent(recent, other.each));
  const most = choice.most ?? choice.values.length, least = choice.least ?? 0, isEnough = choice.kind !== "one" && most > 1 && picked.length >= most;
  /** @param {any} each @param {number} at */
  const pick = (each, at) => {
    if (choice.kind === "one") return onChange(each);
    const limit = choice.copies?.[at] ?? choice.most ?? 1, already = picked.filter((one) => one === each).length;
    if (most === 1) return onChange(already ? [] : [each]); // the other takes its place
    onChange(already >= limit || isEnough ? picked.filter((one) => one !== each) : [...picked, each]);
  };
  return html`<div class="stack">
    ${choice.values.length > MANY && html`<label><span class="sr">${t("search")}</span><input type="search" placeholder=${t("search")} value=${search}
      onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} /></label>`}
    ${choice.kind !== "one" && html`<p class="note" role="status">${t(least > 0 && least < most ? "chosen_from" : "chosen_of", { n: picked.length, least, most })}</p>`}
    <div class="picks" onKeyDown=${stepByArrow}>${found.map(({ each, at, label }) => {
      const count = picked.filter((one) => one === each).length, design = findDesign(each, drawing);
      return html`<button key=${at} aria-disabled=${isEnough && count === 0} class=${count ? "chosen" : ""} aria-pressed=${count > 0} data-value=${String(each)} onClick=${() => pick(each, at)}>
        ${design && html`<${Face} design=${design} game=${drawing.game} />`}<span>${label}${count > 1 ? ` × ${count}` : ""}</span></button>`;
    })}</div></div>`;
}

/** @param {{choice: Schemas["PickerChoice"], value: any, onChange: (value: number) => void}} props */
function Stepper({ choice, value, onChange }) {
  const least = choice.least ?? 0, most = choice.most ?? 99, shown = value ?? least;
  return html`<div class="row"><button aria-label="−" disabled=${shown <= least} onClick=${() => onChange(shown - 1)}><b>−</b></button>
    <b class="num big" role="status">${shown}</b><button aria-label="+" disabled=${shown >= most} onClick=${() => onChange(shown + 1)}><b>+</b></button></div>`;
}

/** Return the id of a card without the number of the deck that it has in a League. @param {any} value @returns {string} */
const stripCopy = (value) => String(value).replace(/#\d+$/, "");

/** @param {any} value @param {any} drawing */
const findDesign = (value, drawing) => drawing.cards[stripCopy(value)];

/** @param {any} value @param {string} field @param {any} drawing */
export function labelValue(value, field, drawing) {
  const design = findDesign(value, drawing);
  if (design) {
    const deck = /#(\d+)$/.exec(String(value))?.[1]; // both decks of a League may hold the same card
    return deck ? `${say(design.name)} (${nameSeat(Number(deck) - 1, drawing.names)})` : say(design.name);
  }
  if (typeof value === "number" && /seat|player|target|to|from|of|victim|helper/.test(field)) return nameSeat(value, drawing.names);
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return value === null ? t("none") : String(value);
}

/** @param {any} drawing */
const recentKey = (drawing) => `referee.recent.${drawing.game}`;

/** Remember the cards that were chosen. @param {any} drawing @param {any[]} values */
function noteRecent(drawing, values) {
  const cards = values.map((value) => stripCopy(value?.card ?? value)).filter((value) => value in drawing.cards);
  const kept = readValue(recentKey(drawing), []).filter((/** @type {string} */ card) => !cards.includes(card));
  writeText(recentKey(drawing), JSON.stringify([...cards, ...kept].slice(0, RECENT)));
}

/** @param {string[]} recent @param {any} value */
function rankRecent(recent, value) {
  const at = recent.indexOf(stripCopy(value));
  return at < 0 ? RECENT : at;
}
