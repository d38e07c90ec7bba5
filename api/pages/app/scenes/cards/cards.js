// @ts-check
// Cards by form: pick a game, enter cards, see them, have them checked, keep them as files, publish them, play with them.
import "./texts.js";
import { callOnce, Refused } from "../../lib/api.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { LanguageSwitch, Toggle } from "../../parts/basic.js";
import { CARD_GAMES, useGames } from "../../parts/games.js";
import { ProblemSheet } from "../../parts/ruling.js";
import { Editor } from "./editor.js";
import { findIndex, Findings } from "./findings.js";
import { checkTable, countBox, gamePath, KEPT, normalizeCells, normalizeHead, publishBook, readDraft, saveFile, writeCsv, writeDraft } from "./table.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {import("./table.js").Cells} Cells */
/** @typedef {import("./table.js").Draft} Draft */

/** @param {{hash: string, go: (address: string) => void, language: string, setLanguage: (language: "de" | "en") => void}} props `hash` is the game */
export default function Cards({ hash, go, language, setLanguage }) {
  const games = useGames(), form = useForm(CARD_GAMES.includes(hash) ? hash : "");
  return html`<main class="home library judge"><div class="row"><h1 class="grow">${t("cards_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div>
    <p>${t("cards_lead")} <a href="/docs/GUIDE.md" target="_blank">${t("cards_guide")}</a></p>
    <div class="row wrap" role="group" aria-label=${t("host_game")}>${games.filter((each) => CARD_GAMES.includes(each.name)).map((each) => html`<${Toggle} key=${each.name} on=${each.name === hash} onClick=${() => go(`/cards#${each.name}`)}>${say(each.title)}${each.name !== hash && html`<small>${t("cards_list", { n: readDraft(each.name).cards.length })}</small>`}<//>`)}</div>
    ${form && html`<${Book} key=${hash} game=${hash} form=${form} />`}
    <a class="btn wide" href="/">${t("back")}</a>
  </main>`;
}

/** Load what cards of a game may say. @param {string} game @returns {Schemas["CardForm"] | null} */
function useForm(game) {
  const [form, setForm] = useState(/** @type {Schemas["CardForm"] | null} */ (null));
  useEffect(() => {
    if (game) callOnce(`${gamePath(game)}/card-form?lang=all`).then(setForm, () => setForm(null));
  }, [game]);
  return form?.game === game ? form : null;
}

/** The draft of a game: what another tab writes is taken over. @param {string} game @param {() => void} onOther @returns {[Draft, (changed: Draft) => void]} */
function useDraft(game, onOther) {
  const [draft, setDraft] = useState(() => readDraft(game));
  useEffect(() => {
    /** @param {StorageEvent} event */
    const takeOver = (event) => {
      if (event.key !== KEPT + game) return;
      setDraft(readDraft(game));
      onOther();
    };
    addEventListener("storage", takeOver);
    return () => removeEventListener("storage", takeOver);
  }, [game]);
  return [draft, (changed) => {
    setDraft(changed);
    writeDraft(game, changed);
  }];
}

/** @param {{game: string, form: Schemas["CardForm"]}} props */
function Book({ game, form }) {
  const [at, setAt] = useState(-1); // the card that is open
  const [isNew, setNew] = useState(false); // and whether it has just been made
  const [checked, setChecked] = useState(/** @type {Schemas["CheckedTable"] | null} */ (null));
  const [isChanged, setIsChanged] = useState(false); // since it was checked
  const [said, setSaid] = useState("");
  const [before, setBefore] = useState(/** @type {Draft | null} */ (null)); // to go back to
  const [published, setPublished] = useState("");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [draft, keep] = useDraft(game, () => { setChecked(null); setBefore(null); setSaid(t("cards_other_tab")); });
  const { head, cards } = draft;
  const table = () => writeCsv(game, head, cards);

  /** @param {Partial<Draft>} part @param {{undo?: string, found?: Schemas["CheckedTable"] | null}} [how] what is said beside the way back */
  function change(part, { undo = "", found = null } = {}) {
    keep({ ...draft, ...part });
    setChecked(found);
    setIsChanged(found !== null);
    setBefore(undo ? draft : null);
    setSaid(undo);
    setPublished("");
  }
  /** Change a card; what is wrong with the others is still shown. @param {number} index @param {Cells} changed @param {string} undo */
  function changeCard(index, changed, undo) {
    const found = checked && { ...checked, errors: checked.errors.filter((each) => findIndex(checked, each.row) !== index), texts: { ...checked.texts, free: [] } };
    change({ cards: cards.map((each, other) => (other === index ? changed : each)) }, { undo, found: found?.errors.length ? found : null });
  }
  /** @param {Cells} cells */
  function add(cells) {
    change({ cards: [...cards, cells] });
    setAt(cards.length);
    setNew(true);
  }
  /** @param {number} index */
  function open(index) {
    setAt(index);
    setNew(false);
    if (index >= 0) setTimeout(() => document.querySelectorAll("main > ol.list > li")[index]?.scrollIntoView({ block: "start" }), 0);
  }
  /** @template T @param {() => Promise<T>} work @returns {Promise<T | null>} */
  async function attempt(work) {
    try {
      return await work();
    } catch (failure) {
      setProblem(failure instanceof Refused ? failure.problem ?? {} : { title: t("went_wrong"), detail: t("try_again") });
      return null;
    }
  }
  const check = () => attempt(async () => {
    const found = await checkTable(game, table());
    setChecked(found);
    setIsChanged(false);
    return found;
  });
  /** @param {File | undefined} file */
  const load = (file) => file && attempt(async () => {
    const found = await checkTable(game, file, file.name.split(".").pop()?.toLowerCase());
    if (found.cards.length && found.errors.every((each) => each.column !== "game")) {
      change({ head: { ...head, ...normalizeHead(found.head) }, cards: found.cards.map((each) => normalizeCells(form, each.cells)) }, { undo: t("cards_loaded", { n: found.cards.length }) });
      setAt(-1);
    }
    setChecked(found);
    setIsChanged(false);
  });
  /** @param {string} token */
  const publish = (token) => attempt(async () => {
    const found = await check();
    if (!found || found.errors.length) return;
    const { isNew: isFirst, edition } = await publishBook(game, found.book, token);
    setSaid(t(isFirst ? "cards_published" : "cards_published_before", { edition }));
    setPublished(edition);
  });
  const goBack = () => {
    if (before) change(before);
    setAt(-1);
  };
  const wrong = new Set((checked?.errors ?? []).map((each) => checked && findIndex(checked, each.row)));

  return html`<${Head} game=${game} form=${form} head=${head} cards=${cards} change=${(/** @type {Cells} */ part) => change({ head: { ...head, ...part } })} />
    <h2>${t("cards_list", { n: cards.length })}</h2>
    ${before && html`<div class="ask row wrap" role="status"><span class="grow">${said}</span><button onClick=${goBack}>${t("cards_undo")}</button></div>`}
    <ol class="list">${cards.map((cells, index) => html`<li key=${index}><button class="wide" aria-expanded=${index === at} onClick=${() => open(index === at ? -1 : index)}><b>${index + 1}. ${cells.name || cells.name_de || "?"}${wrong.has(index) && html` <span class="no" role="img" aria-label=${t("cards_is_wrong")}>✗</span>`}</b><small>${[say(form.kinds.find((each) => each.name === cells.kind)?.label), Number(cells.copies) > 1 && `×${cells.copies}`].filter(Boolean).join(" ")}</small></button>
      ${index === at && html`<${Editor} form=${form} game=${game} head=${head} cells=${cells} isNew=${isNew} change=${(/** @type {Cells} */ changed, /** @type {string} */ undo = "") => changeCard(index, changed, undo)} />
        <div class="row wrap"><button class="solid" onClick=${() => setAt(-1)}>${t("cards_done")}</button><button onClick=${() => add({ ...cells, name: "", name_de: "", id: "" })}>${t("cards_copy")}</button>
          <button onClick=${() => { change({ cards: cards.filter((_, other) => other !== index) }, { undo: t("cards_dropped", { name: cells.name || cells.name_de || "?" }) }); setAt(-1); }}>${t("cards_drop")}</button></div>`}</li>`)}</ol>
    <button class="wide" onClick=${() => add({ kind: cards.at(-1)?.kind ?? form.kinds[0]?.name ?? "" })}>${t("cards_new")}</button>
    <label class="drop"><b>${t("cards_load")}</b><input type="file" accept=".csv,.xlsx,.ods,.yaml,.yml" onChange=${(/** @type {any} */ event) => { load(event.target.files[0]); event.target.value = ""; }} /></label>
    ${cards.length > 0 && html`<button class="call wide" onClick=${check}>${t("cards_check")}</button>`}
    <div role="status" class="stack">${said && !before && html`<p class="ask">${said}</p>`}${checked && html`<${Findings} checked=${checked} isChanged=${isChanged} open=${open} />`}
      ${published && html`<div class="row wrap"><a class="btn call" href=${`/host#bots/${game}/${published}`}>${t("cards_play_alone")}</a><a class="btn" href=${`/host#table/${game}/${published}`}>${t("cards_play")}</a></div>`}</div>
    ${cards.length > 0 && html`<div class="row wrap"><button onClick=${async () => { const found = await check(); if (found && !found.errors.length) saveFile(found.book, "application/yaml", `${head.book}.yaml`); }}>${t("cards_save_yaml")}</button>
        <button onClick=${() => saveFile(`\ufeff${table()}`, "text/csv", `${head.book}.csv`)}>${t("cards_save_csv")}</button><${Clear} onClear=${() => { change({ cards: [] }, { undo: t("cards_cleared") }); setAt(-1); }} /></div>
      <${Publish} publish=${publish} />`}
    ${problem && html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`}`;
}

/** What the book is called, and whether it is a box of its own. @param {{game: string, form: Schemas["CardForm"], head: Cells, cards: Cells[], change: (part: Cells) => void}} props */
function Head({ game, form, head, cards, change }) {
  const isAlone = head.extends === "no", box = countBox(form, cards);
  /** @param {string} name */
  const enter = (name) => (/** @type {any} */ event) => change({ [name]: event.target.value });
  return html`<details class="seat-part"><summary>${t("cards_book")} <span class="detail">${head.book}</span></summary><div class="stack form">
      <label>${t("cards_book_name")}<input value=${head.book} pattern="[a-z][a-z0-9_]{1,39}" autocapitalize="off" onInput=${enter("book")} /></label>
      <label>${t("cards_title_en")}<input value=${head.title} onInput=${enter("title")} /></label>
      <label>${t("cards_title_de")}<input value=${head.title_de} onInput=${enter("title_de")} /></label>
      <label>${t("cards_language")}<select value=${head.language ?? "en"} onChange=${enter("language")}><option value="de">${t("cards_german")}</option><option value="en">${t("cards_english")}</option></select></label>
      <a href=${`/docs/${game}.md`} target="_blank">${t("cards_guide_game")}</a>
    </div></details>
    <div class="row wrap" role="group" aria-label=${t("cards_book")}><${Toggle} on=${!isAlone} onClick=${() => change({ extends: "printed" })}><b>${t("cards_beside")}</b><small>${t("cards_beside_small")}</small><//>
      <${Toggle} on=${isAlone} onClick=${() => change({ extends: "no" })}><b>${t("cards_alone")}</b><small>${t("cards_alone_small")}</small><//></div>
    ${isAlone && html`<ul class="note">${box.map((part) => html`<li key=${part.label.en}>${part.count >= part.least ? "✓ " : ""}${t("cards_of", { count: part.count, least: part.least, part: say(part.label) })}</li>`)}</ul>`}`;
}

/** Delete everything, after a second touch. @param {{onClear: () => void}} props */
function Clear({ onClear }) {
  const [isSure, setSure] = useState(false);
  return html`<button onClick=${() => (isSure ? onClear() : setSure(true))}>${t(isSure ? "cards_sure" : "cards_clear")}</button>`;
}

/** @param {{publish: (token: string) => void}} props */
function Publish({ publish }) {
  const [token, setToken] = useState("");
  return html`<details class="seat-part"><summary>${t("cards_publish")}</summary><form class="stack form" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); publish(token.trim()); }}>
    <p class="note">${t("cards_publish_note")}</p><label>${t("cards_token")}<input type="password" autocomplete="off" value=${token} onInput=${(/** @type {any} */ event) => setToken(event.target.value)} /></label>
    <button class="solid" disabled=${!token.trim()}>${t("cards_publish")}</button></form></details>`;
}
