// @ts-check
// Judge without a match: write down the position, starting from an example; put the question; read verdict and clause; print them.
import "./texts.js";
import { call, callOnce, pause, Refused } from "../../lib/api.js";
import { html, useEffect, useMemo, useRef, useState } from "../../lib/html.js";
import { language, nameSeat, say, t, tellApart } from "../../lib/words.js";
import { LanguageSwitch, Sheet, Toggle } from "../../parts/basic.js";
import { useBooks, useCards, useGames } from "../../parts/games.js";
import { saveFile } from "../cards/table.js";
import { Facts } from "./facts.js";
import { ObjectField } from "./field.js";
import { MoveChoice } from "./moves.js";
import { HouseRulings } from "./house.js";
import { Dispute, Names } from "./parties.js";
import { countSeats, makeQuestion, openFile, writeBody } from "./question.js";
import { Ruling } from "./ruling.js";
import { fitExample, hasPlace, nameMember, parsePointer, SEAT_LISTS, setAt, tellPlace, tellValue } from "./written.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {import("./written.js").Wording} Wording */
/** @typedef {import("./question.js").Question} Question */

/** @typedef {Awaited<ReturnType<typeof openFile>>} Opened */

/** @type {Opened | null} the question of a file that was opened last: the scene starts again at each address */
let lastOpened = null;

/** @type {{game: string, kept: Pick<Question, "names" | "precedents">} | null} who sat there and how they read the rules, when other cards were chosen */
let lastTable = null;

const AFTER = 400; // milliseconds without a change, until the referee looks at the position
const WITHIN = "/position";

/** @param {string} game @param {string} [rest] */
const gamePath = (game, rest = "") => `/v1/games/${encodeURIComponent(game)}${rest}`;

/** @param {{hash: string, go: (address: string) => void, language: string, setLanguage: (language: "de" | "en") => void}} props `hash` is game/variant/edition */
export default function Judge({ hash, go, language, setLanguage }) {
  const games = useGames(), [name = "", variant = "", edition = ""] = hash.split("/"), game = games.find((each) => each.name === name);
  const loaded = useForm(game?.name, variant || game?.variants[0], edition), form = loaded?.isLost ? null : loaded, books = useBooks(name);
  const [opened, setOpened] = useState(lastOpened), [note, setNote] = useState("");
  /** @param {Opened | null} found */
  const keep = (found) => setOpened((lastOpened = found));
  /** @param {string} [of] @param {string} [cards] */
  const turn = (of = form?.variant, cards = edition) => (keep(null), go(`/judge#${[name, of, cards].filter(Boolean).join("/")}`));
  /** @param {File | undefined} file */
  const open = (file) => file && openFile(file).then((found) => {
    setNote("");
    keep(found);
    go(`/judge#${[found.game, found.variant || games.find((each) => each.name === found.game)?.variants[0], found.edition].filter(Boolean).join("/")}`);
  }, (failure) => setNote(tellWrong(failure)));
  return html`<main class="home library judge"><div class="row no-print"><h1 class="grow">${t("judge_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div>
    <p class="no-print">${t("judge_lead")}</p>
    <div class="row wrap no-print" role="group" aria-label=${t("host_game")}>${games.map((each) => html`<${Toggle} key=${each.name} on=${each.name === name} onClick=${() => (keep(null), go(`/judge#${each.name}`))}>${say(each.title)}<//>`)}</div>
    ${game && game.variants.length > 1 && form && html`<div class="row wrap no-print" role="group" aria-label=${t("host_form")}>${game.variants.map((each) => html`<${Toggle} key=${each} on=${each === form.variant}
      onClick=${() => turn(each)}>${say(form.words.values[each]) || each}<//>`)}</div>`}
    ${game && form && books.length > 0 && html`<div class="row wrap no-print" role="group" aria-label=${t("judge_cards")}><${Toggle} on=${!edition} onClick=${() => turn(form.variant, "")}>${t("host_cards_own")}<//>
      ${books.map((each) => html`<${Toggle} key=${each.edition} on=${[each.edition, each.book].includes(edition)} onClick=${() => turn(form.variant, each.edition)}>${say(each.title)}<//>`)}</div>`}
    ${game && !form && html`<p class="note" role="status">${t(loaded ? "judge_no_form" : "loading")}</p>`}
    ${game && form && html`<${Case} key=${`${game.name} ${form.variant} ${edition} ${opened?.game === game.name ? opened.at : ""}`} game=${game} form=${form} edition=${edition} opened=${opened?.game === game.name ? opened.question : null} />`}
    <label class="drop no-print"><b>${t("judge_load")}</b><input type="file" accept=".yaml,.yml,.json,.txt,application/yaml,application/json,text/plain" onChange=${(/** @type {any} */ event) => { open(event.target.files[0]); event.target.value = ""; }} /></label>
    <p class="note no-print" role="status">${note || (opened?.isMoveLost ? t("judge_load_no_move") : "")}</p>
    <a class="btn wide no-print" href="/">${t("back")}</a>
  </main>`;
}

/** Return what is wrong with a file that cannot be opened. @param {any} failure */
const tellWrong = (failure) => [t("judge_load_wrong"), ...(failure instanceof Refused ? failure.problem?.errors?.map((each) => t("judge_load_line", { n: each.line ?? 1, detail: each.detail })) ?? [failure.message] : [t("try_again")])].join(" ");

/** Load how positions of a game are written; again in another language. @param {string | undefined} game @param {string | undefined} variant @param {string} edition empty for the game's own cards @returns {any} the form, `isLost` if there is none, null while it loads */
function useForm(game, variant, edition) {
  const [form, setForm] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!game || !variant) return;
    const cards = edition ? `&edition=${encodeURIComponent(edition)}` : "";
    callOnce(`${gamePath(game)}/positions?lang=all&variant=${encodeURIComponent(variant)}${cards}`).then((found) => setForm({ game, edition, ...found }), () => setForm({ game, variant, edition, isLost: true }));
  }, [game, variant, edition]);
  return form && form.game === game && form.variant === variant && form.edition === edition ? form : null;
}

/** @param {{game: Schemas["Game"], form: Schemas["Positions"], edition: string, opened: Question | null}} props `opened`: out of a file */
function Case({ game, form, edition, opened }) {
  const begin = (/** @type {number} */ at) => ({ ...makeQuestion(edition ? { ...fitExample(form.schema, form.examples[at]), edition } : form.examples[at]), ...(lastTable?.game === game.name ? lastTable.kept : {}) });
  const [question, setQuestion] = useState(/** @type {() => Question} */ (() => opened ?? begin(0))), { position, asked, isDisputed, names } = question;
  const [ruling, setRuling] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {Schemas["Problem"] | null} */ (null));
  const [isChoosing, setChoosing] = useState(false), cards = useCards(game.name, edition || game.editions[0]);
  const { thinkable, found } = useThinkable(game.name, position), seats = countSeats(position);
  const wording = useMemo(() => makeWording(game.name, form, cards, seats, names), [form, cards, seats, names]);
  const shown = problem ?? found, mistakes = listMistakes(shown, question), verdict = useRef(/** @type {HTMLElement | null} */ (null));
  /** Put changes into a question; with another position, what nobody knew of places that are gone is gone too. @param {Question} before @param {Partial<Question>} changed @returns {Question} */
  const merge = (before, changed) => {
    const { unknown, ...rest } = { ...before, ...changed };
    lastTable = { game: game.name, kept: { names: rest.names, precedents: rest.precedents } };
    return { ...rest, unknown: changed.position ? unknown.filter((each) => hasPlace(form.schema, changed.position, parsePointer(each.replace(/^\/position(?=\/)/, "")))) : unknown };
  };
  /** @param {Partial<Question>} changed */
  function change(changed) {
    setQuestion((/** @type {Question} */ before) => merge(before, changed));
    setRuling(null);
    setProblem(null);
  }
  /** @param {number} at */
  function start(at) {
    change(begin(at));
    setChoosing(false);
  }
  /** @param {Partial<Question>} [changed] */
  async function rule(changed = {}) {
    const put = merge(question, changed);
    setQuestion(put);
    setRuling(null);
    setProblem(null);
    try {
      setRuling(await call("POST", `${gamePath(game.name)}/rulings`, { body: writeBody(put) }));
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
  const save = () => saveFile(`${JSON.stringify({ game: game.name, variant: form.variant, ...writeBody(question) }, null, 2)}\n`, "application/json", `${game.name}.json`);
  const facts = problem?.type === "/problems/facts-missing" ? /** @type {any[]} */ (problem.errors) : null, parts = { schema: form.schema, question, wording, mistakes, onChange: change };
  return html`<section class="ref stack no-print"><p class="note">${t("judge_question")}</p><p class="ask" role="status">${say(thinkable?.question?.asks, wording.names) || t(found ? "judge_not_yet" : thinkable ? "judge_no_question" : "loading")}</p>
      <button type="button" class="wide" onClick=${() => setChoosing(true)}>${t("judge_other_question")}</button></section>
    ${isChoosing && html`<${Examples} form=${form} onClose=${() => setChoosing(false)} onChosen=${start} />`}
    <section class="stack no-print"><h2>${t("judge_position")}</h2>
      ${mistakes.length > 0 && html`<${Mistakes} problem=${shown} mistakes=${mistakes} wording=${wording} />`}
      <${Names} ...${parts} />
      <${ObjectField} schema=${form.schema} value=${position} path=${[]} wording=${wording} mistakes=${mistakes} label=${t("judge_position")} isBare onChange=${(/** @type {any} */ changed) => change({ position: changed })} /></section>
    <section class="stack no-print"><h2>${t("judge_move")}</h2>
      <${MoveChoice} thinkable=${thinkable} kinds=${form.moves} wording=${wording} asked=${asked} onAsked=${(/** @type {any} */ chosen) => change({ asked: chosen })}
        mistakes=${mistakes.filter(({ whole }) => /^\/(move|seat)/.test(whole)).map((each) => ({ pointer: each.whole.replace("/move", ""), detail: each.detail }))} />
      <label class="check"><input type="checkbox" checked=${isDisputed} onChange=${(/** @type {any} */ event) => change({ isDisputed: event.target.checked })} /><span>${t("judge_disputed")}</span></label>
      ${isDisputed && html`<${Dispute} ...${parts} />`}
      <${HouseRulings} game=${game.name} precedents=${question.precedents} onChange=${(/** @type {any[]} */ precedents) => change({ precedents })} />
      <button type="button" class="call wide tall" disabled=${!asked} onClick=${() => rule()}><b>${t("judge_ask")}</b></button>
      <button type="button" class="wide" onClick=${save}>${t("judge_save")}</button></section>
    <div ref=${verdict} class="stack" tabindex="-1" aria-live="polite">
      ${facts && html`<${Facts} facts=${facts} schema=${form.schema} position=${position} wording=${wording} within=${WITHIN}
        onAnswer=${(/** @type {string} */ pointer, /** @type {any} */ value) => rule({ position: setAt(position, parsePointer(pointer.slice(WITHIN.length)), value) })}
        onUnknown=${(/** @type {string} */ pointer) => rule({ unknown: [...question.unknown, pointer] })} />`}
      ${problem && !facts && html`<section class="ref stack no-print"><h2>${problem.title}</h2><p>${problem.detail}</p>${mistakes.length > 0 && html`<p class="small">${t("judge_see_above")}</p>`}</section>`}
      ${ruling && html`<${Ruling} ruling=${ruling} wording=${wording} game=${game.name} readings=${question.readings} onReadings=${(/** @type {Record<string, any>} */ readings) => rule({ readings })} />
        <section class="only-print"><h2>${t("judge_position")}</h2><${Written} position=${position} schema=${form.schema} wording=${wording} /></section>
        <button type="button" class="wide no-print" onClick=${() => print()}><b>${t("judge_print")}</b></button>`}</div>`;
}

/** What the form says of its game. @param {string} game @param {any} form @param {Record<string, any>} cards @param {number} seats @param {string[]} names @returns {Wording} */
function makeWording(game, form, cards, seats, names) {
  const asks = Object.fromEntries(form.examples.map((/** @type {any} */ example, /** @type {number} */ at) => [example.question?.asks ?? example.question?.type ?? example.question, say(form.asks[at])]).reverse());
  return { game, cards, names: tellApart(Object.fromEntries(Object.entries(names).filter(([, name]) => name.trim()))), me: null, seats, words: form.words, asks };
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

/** Return what is wrong, each with its place in the form. @param {Schemas["Problem"] | null} problem @param {Question} question @returns {{pointer: string, detail: string, whole: string}[]} */
function listMistakes(problem, question) {
  if (!problem || problem.type === "/problems/facts-missing") return [];
  const said = writeBody(question).says ?? []; // the form has them by seat
  /** @param {string} whole */
  const place = (whole) => whole.replace(WITHIN, "").replace(/^\/says\/([0-9]+)/, (_, at) => `/says/${said[at]?.seat ?? at}`);
  return (problem.errors ?? []).map((each) => ({ pointer: place(each.pointer ?? ""), detail: each.detail ?? "", whole: each.pointer ?? "" }));
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
    <b class="small">${each.pointer.startsWith("/unknown") ? t("judge_unknown") : tellPlace(each.pointer, wording)}</b><small class="detail">${each.detail}</small></button></li>`)}</ul></div>`;
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
  if (SEAT_LISTS.includes(name)) return value.map((/** @type {any} */ each, /** @type {number} */ seat) => html`<dt key=${seat}>${nameSeat(seat, wording.names)}</dt><dd>${tellValue(each, wording, part.items)}</dd>`);
  if ("const" in part || name.startsWith("pending") || name === "question") return null;
  return html`<dt key=${name}>${nameMember(name, wording)}</dt><dd>${tellValue(value, wording, part)}</dd>`;
})}</dl>`;
