// @ts-check
// Judge without a match: write down the position, starting from an example; put the question; read verdict and clause; print them.
import "./texts.js";
import { call, callOnce, pause, Refused } from "../../lib/api.js";
import { html, useEffect, useMemo, useRef, useState } from "../../lib/html.js";
import { language, say, t } from "../../lib/words.js";
import { LanguageSwitch, Sheet, Toggle } from "../../parts/basic.js";
import { useCards, useGames } from "../../parts/games.js";
import { Facts } from "./facts.js";
import { ObjectField } from "./field.js";
import { MoveChoice } from "./moves.js";
import { Ruling } from "./ruling.js";
import { nameMember, nameValue, parsePointer, SEAT_LISTS, setAt, tellValue } from "./written.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {import("./written.js").Wording} Wording */

const AFTER = 400; // milliseconds without a change, until the referee looks at the position
const WITHIN = "/position";

/** @param {string} game @param {string} [rest] */
const gamePath = (game, rest = "") => `/v1/games/${encodeURIComponent(game)}${rest}`;

/** @param {{hash: string, go: (address: string) => void, language: string, setLanguage: (language: "de" | "en") => void}} props `hash` is game/variant */
export default function Judge({ hash, go, language, setLanguage }) {
  const games = useGames(), [name = "", variant = ""] = hash.split("/"), game = games.find((each) => each.name === name);
  const form = useForm(game?.name, variant || game?.variants[0]);
  return html`<main class="home library judge"><div class="row no-print"><h1 class="grow">${t("judge_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div>
    <p class="no-print">${t("judge_lead")}</p>
    <div class="row wrap no-print" role="group" aria-label=${t("host_game")}>${games.map((each) => html`<${Toggle} key=${each.name} on=${each.name === name} onClick=${() => go(`/judge#${each.name}`)}>${say(each.title)}<//>`)}</div>
    ${game && game.variants.length > 1 && form && html`<div class="row wrap no-print" role="group" aria-label=${t("host_form")}>${game.variants.map((each) => html`<${Toggle} key=${each} on=${each === form.variant}
      onClick=${() => go(`/judge#${game.name}/${each}`)}>${say(form.words.values[each]) || each}<//>`)}</div>`}
    ${game && !form && html`<p class="note" role="status">${t("loading")}</p>`}
    ${game && form && html`<${Case} key=${`${game.name} ${form.variant}`} game=${game} form=${form} />`}
    <a class="btn wide no-print" href="/">${t("back")}</a>
  </main>`;
}

/** Load how positions of a game are written; again in another language. @param {string | undefined} game @param {string | undefined} variant @returns {Schemas["Positions"] | null} */
function useForm(game, variant) {
  const [form, setForm] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!game || !variant) return;
    callOnce(`${gamePath(game)}/positions?lang=all&variant=${encodeURIComponent(variant)}`).then((found) => setForm({ game, ...found }), () => setForm(null));
  }, [game, variant]);
  return form && form.game === game && form.variant === variant ? form : null;
}

/** @param {any} position */
const countSeats = (position) => position[SEAT_LISTS.find((name) => Array.isArray(position[name])) ?? ""]?.length ?? 2;

/** @param {{game: Schemas["Game"], form: Schemas["Positions"]}} props */
function Case({ game, form }) {
  const [position, setPosition] = useState(/** @type {any} */ (form.examples[0]));
  const [asked, setAsked] = useState(/** @type {{seat: number | "chance", move: any} | null} */ (null));
  const [isDisputed, setDisputed] = useState(false);
  const [unknown, setUnknown] = useState(/** @type {string[]} */ ([]));
  const [ruling, setRuling] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {Schemas["Problem"] | null} */ (null));
  const [isChoosing, setChoosing] = useState(false), cards = useCards(game.name, game.editions[0]);
  const { thinkable, found } = useThinkable(game.name, position);
  const wording = useMemo(() => makeWording(game.name, form, cards, countSeats(position)), [form, cards, countSeats(position)]);
  const shown = problem ?? found, mistakes = listMistakes(shown), verdict = useRef(/** @type {HTMLElement | null} */ (null));
  /** @param {any} changed */
  function change(changed) {
    setPosition(changed);
    setRuling(null);
    setProblem(null);
  }
  /** @param {number} at */
  function start(at) {
    change(form.examples[at]);
    setAsked(null);
    setUnknown([]);
    setChoosing(false);
  }
  /** @param {any} [changed] @param {string[]} [open] the places of which nobody knows what is there */
  async function rule(changed = position, open = unknown) {
    setRuling(null);
    setProblem(null);
    try {
      const body = { position: changed, ...asked, ...(isDisputed || open.length ? { claim: "illegal_move" } : {}), ...(open.length ? { unknown: open } : {}) };
      setRuling(await call("POST", `${gamePath(game.name)}/rulings`, { body }));
    } catch (failure) {
      setProblem(failure instanceof Refused && failure.problem ? failure.problem : /** @type {any} */ ({ title: t("went_wrong"), detail: t("try_again"), errors: [] }));
    }
    await pause(50); // until it is drawn
    verdict.current?.scrollIntoView({ block: "start" });
    verdict.current?.focus({ preventScroll: true });
  }
  useEffect(() => {
    if (ruling || problem) rule();
  }, [language()]);
  /** @param {string} pointer @param {any} value */
  function answer(pointer, value) {
    const changed = setAt(position, parsePointer(pointer.slice(WITHIN.length)), value);
    setPosition(changed);
    rule(changed);
  }
  /** @param {string} pointer */
  function admit(pointer) {
    setUnknown([...unknown, pointer]);
    rule(position, [...unknown, pointer]);
  }
  const facts = problem?.type === "/problems/facts-missing" ? /** @type {any[]} */ (problem.errors) : null;
  return html`<section class="ref stack no-print"><p class="note">${t("judge_question")}</p><p class="ask" role="status">${say(thinkable?.question?.asks) || t(found ? "judge_not_yet" : thinkable ? "judge_no_question" : "loading")}</p>
      <button type="button" class="wide" onClick=${() => setChoosing(true)}>${t("judge_other_question")}</button></section>
    ${isChoosing && html`<${Examples} form=${form} onClose=${() => setChoosing(false)} onChosen=${start} />`}
    <section class="stack no-print"><h2>${t("judge_position")}</h2>
      ${mistakes.length > 0 && html`<${Mistakes} problem=${shown} mistakes=${mistakes} wording=${wording} />`}
      <${ObjectField} schema=${form.schema} value=${position} path=${[]} wording=${wording} mistakes=${mistakes} label=${t("judge_position")} isBare onChange=${change} /></section>
    <section class="stack no-print"><h2>${t("judge_move")}</h2>
      <${MoveChoice} thinkable=${thinkable} kinds=${form.moves} wording=${wording} asked=${asked} onAsked=${(/** @type {any} */ chosen) => (setAsked(chosen), setRuling(null), setProblem(null))}
        mistakes=${mistakes.filter(({ whole }) => /^\/(move|seat)/.test(whole)).map((each) => ({ pointer: each.whole.replace("/move", ""), detail: each.detail }))} />
      <label class="check"><input type="checkbox" checked=${isDisputed} onChange=${(/** @type {any} */ event) => setDisputed(event.target.checked)} /><span>${t("judge_disputed")}</span></label>
      <button type="button" class="call wide tall" disabled=${!asked} onClick=${() => rule()}><b>${t("judge_ask")}</b></button></section>
    <div ref=${verdict} class="stack" tabindex="-1" aria-live="polite">
      ${facts && html`<${Facts} facts=${facts} schema=${form.schema} position=${position} wording=${wording} within=${WITHIN} onAnswer=${answer} onUnknown=${admit} />`}
      ${problem && !facts && html`<section class="ref stack no-print"><h2>${problem.title}</h2><p>${problem.detail}</p>${mistakes.length > 0 && html`<p class="small">${t("judge_see_above")}</p>`}</section>`}
      ${ruling && html`<${Ruling} ruling=${ruling} wording=${wording} game=${game.name} />
        <section class="only-print"><h2>${t("judge_position")}</h2><${Written} position=${position} schema=${form.schema} wording=${wording} /></section>
        <button type="button" class="wide no-print" onClick=${() => print()}><b>${t("judge_print")}</b></button>`}</div>`;
}

/** What the form says of its game. @param {string} game @param {any} form @param {Record<string, any>} cards @param {number} seats @returns {Wording} */
function makeWording(game, form, cards, seats) {
  const asks = Object.fromEntries(form.examples.map((/** @type {any} */ example, /** @type {number} */ at) => [example.question?.asks ?? example.question?.type ?? example.question, say(form.asks[at])]).reverse());
  return { game, cards, names: {}, me: null, seats, words: form.words, asks };
}

/** Ask what people could do in a position, and what is wrong with it. @param {string} game @param {any} position */
function useThinkable(game, position) {
  const [thinkable, setThinkable] = useState(/** @type {Schemas["PositionMoves"] | null} */ (null));
  const [found, setFound] = useState(/** @type {Schemas["Problem"] | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => call("POST", `${gamePath(game)}/positions/moves`, { body: { position } }).then(
      (moves) => isCurrent && (setThinkable(moves), setFound(null)),
      (failure) => isCurrent && failure instanceof Refused && setFound(failure.problem)), thinkable || found ? AFTER : 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [game, position, language()]);
  return { thinkable: found ? null : thinkable, found };
}

/** Return what is wrong, each with its place in the position. @param {Schemas["Problem"] | null} problem @returns {{pointer: string, detail: string, whole: string}[]} */
function listMistakes(problem) {
  if (!problem || problem.type === "/problems/facts-missing") return [];
  return (problem.errors ?? []).map((each) => ({ pointer: (each.pointer ?? "").replace(WITHIN, ""), detail: each.detail ?? "", whole: each.pointer ?? "" }));
}

/** All that is wrong, each with the way to its place. @param {{problem: Schemas["Problem"] | null, mistakes: {pointer: string, detail: string, whole: string}[], wording: Wording}} props */
function Mistakes({ problem, mistakes, wording }) {
  /** @param {string} pointer */
  const find = (pointer) => {
    for (let path = pointer; path; path = path.slice(0, path.lastIndexOf("/"))) {
      const place = document.getElementById(`at${path}`);
      if (!place) continue;
      place.closest("details")?.setAttribute("open", "");
      place.scrollIntoView({ block: "center" });
      return place.focus({ preventScroll: true });
    }
  };
  return html`<div class="box" role="alert"><b>${problem?.detail}</b><ul class="list">${mistakes.map((each) => html`<li key=${each.whole + each.detail}><button type="button" class="wide mistake" onClick=${() => find(each.pointer)}>
    <b class="small">${tellPlace(each.pointer, wording)}</b><small class="detail">${each.detail}</small></button></li>`)}</ul></div>`;
}

/** @param {string} pointer @param {Wording} wording */
function tellPlace(pointer, wording) {
  const path = parsePointer(pointer);
  return path.map((part, at) => (typeof part === "number" ? (SEAT_LISTS.includes(String(path[at - 1])) ? t("player", { n: part + 1 }) : `${part + 1}.`)
    : SEAT_LISTS.includes(part) && at < path.length - 1 ? "" : part === "cards" ? "" : part in wording.words.members ? nameMember(part, wording) : nameValue(part, wording))).filter(Boolean).join(", ");
}

/** The questions of the game, each with the example that asks it. @param {{form: Schemas["Positions"], onClose: () => void, onChosen: (at: number) => void}} props */
function Examples({ form, onClose, onChosen }) {
  const [search, setSearch] = useState("");
  const listed = form.asks.map((asks, at) => ({ at, text: say(/** @type {any} */ (asks)) })).filter(({ text }) => text.toLowerCase().includes(search.toLowerCase()));
  return html`<${Sheet} title=${t("judge_choose_question")} striped onClose=${onClose}><p class="note">${t("judge_examples_note")}</p>
    <label><span class="sr">${t("search")}</span><input type="search" placeholder=${t("search")} value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.target.value)} /></label>
    <div class="stack">${listed.map(({ at, text }) => html`<button type="button" key=${at} data-example=${at} onClick=${() => onChosen(at)}>${text || t("judge_no_question")}</button>`)}</div><//>`;
}

/** The position in words, for paper. @param {{position: any, schema: any, wording: Wording}} props */
const Written = ({ position, schema, wording }) => html`<dl class="written">${Object.entries(position).map(([name, value]) => {
  const part = schema.properties[name] ?? {};
  if (SEAT_LISTS.includes(name)) return value.map((/** @type {any} */ each, /** @type {number} */ seat) => html`<dt key=${seat}>${t("player", { n: seat + 1 })}</dt><dd>${tellValue(each, wording, part.items)}</dd>`);
  if ("const" in part || name.startsWith("pending") || name === "question") return null;
  return html`<dt key=${name}>${nameMember(name, wording)}</dt><dd>${tellValue(value, wording, part)}</dd>`;
})}</dl>`;
