// @ts-check
// Cards by form: pick a game, enter cards, see them, have them checked, keep them as files, publish them.
import "./texts.js";
import { callOnce, Refused } from "../../lib/api.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { say, t } from "../../lib/words.js";
import { LanguageSwitch, Toggle } from "../../parts/basic.js";
import { useGames } from "../../parts/games.js";
import { ProblemSheet } from "../../parts/ruling.js";
import { Editor } from "./editor.js";
import { checkTable, gamePath, publishBook, readDraft, ROWS_ABOVE, saveFile, writeCsv, writeDraft } from "./table.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {import("./table.js").Cells} Cells */
/** @typedef {import("./table.js").Draft} Draft */

const GAMES = ["creature_crush", "here_to_slay", "munchkin"]; // those that take card books

/** @param {{hash: string, go: (address: string) => void, language: string, setLanguage: (language: "de" | "en") => void}} props `hash` is the game */
export default function Cards({ hash, go, language, setLanguage }) {
  const games = useGames(), form = useForm(GAMES.includes(hash) ? hash : "");
  return html`<main class="home library judge"><div class="row"><h1 class="grow">${t("cards_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div>
    <p>${t("cards_lead")}</p>
    <div class="row wrap" role="group" aria-label=${t("host_game")}>${games.filter((each) => GAMES.includes(each.name)).map((each) => html`<${Toggle} key=${each.name} on=${each.name === hash} onClick=${() => go(`/cards#${each.name}`)}>${say(each.title)}<//>`)}</div>
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

/** @param {{game: string, form: Schemas["CardForm"]}} props */
function Book({ game, form }) {
  const [draft, setDraft] = useState(() => readDraft(game));
  const [at, setAt] = useState(-1); // the card that is open
  const [checked, setChecked] = useState(/** @type {Schemas["CheckedTable"] | null} */ (null));
  const [said, setSaid] = useState("");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const { head, cards } = draft;
  const table = () => writeCsv(game, head, cards);

  /** @param {Partial<Draft>} part */
  function change(part) {
    const changed = { ...draft, ...part };
    setDraft(changed);
    setChecked(null);
    setSaid("");
    writeDraft(game, changed);
  }
  /** @param {Cells} cells */
  function add(cells) {
    change({ cards: [...cards, cells] });
    setAt(cards.length);
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
    return found;
  });
  /** @param {File | undefined} file */
  const load = (file) => file && attempt(async () => {
    const found = await checkTable(game, file, file.name.split(".").pop()?.toLowerCase());
    if (found.cards.length) {
      change({ head: { ...head, ...found.head }, cards: found.cards.map((each) => normalize(form, each.cells)) });
      setAt(-1);
      setSaid(t("cards_loaded", { n: found.cards.length }));
    }
    setChecked(found);
  });
  /** @param {string} token */
  const publish = (token) => attempt(async () => {
    const found = await check();
    if (!found || found.errors.length) return;
    const { isNew, edition } = await publishBook(game, found.book, token);
    setSaid(t(isNew ? "cards_published" : "cards_published_before", { edition }));
  });
  /** @param {string} name */
  const enter = (name) => (/** @type {any} */ event) => change({ head: { ...head, [name]: event.target.value } });

  return html`<details class="seat-part"><summary>${t("cards_book")} <span class="detail">${head.book}</span></summary><div class="stack form">
      <label>${t("cards_book_name")}<input value=${head.book} pattern="[a-z][a-z0-9_]{1,39}" autocapitalize="off" onInput=${enter("book")} /></label>
      <label>${t("cards_title_en")}<input value=${head.title} onInput=${enter("title")} /></label>
      <label>${t("cards_title_de")}<input value=${head.title_de} onInput=${enter("title_de")} /></label>
      ${!form.extends && html`<label class="check"><input type="checkbox" checked=${head.extends !== "no"} onChange=${(/** @type {any} */ event) => change({ head: { ...head, extends: event.target.checked ? "printed" : "no" } })} />${t("cards_extends")}</label>`}
    </div></details>
    <h2>${t("cards_list", { n: cards.length })}</h2>
    <ul class="list">${cards.map((cells, index) => html`<li key=${index}><button class="wide" aria-expanded=${index === at} onClick=${() => setAt(index === at ? -1 : index)}><b>${cells.name || cells.name_de || "?"}</b><small>${say(form.kinds.find((each) => each.name === cells.kind)?.label)}</small></button>
      ${index === at && html`<${Editor} form=${form} game=${game} cells=${cells} change=${(/** @type {Cells} */ changed) => change({ cards: cards.map((each, other) => (other === index ? changed : each)) })} />
        <div class="row wrap"><button class="solid" onClick=${() => setAt(-1)}>${t("cards_done")}</button><button onClick=${() => add({ ...cells, name: "", name_de: "", id: "" })}>${t("cards_copy")}</button>
          <button onClick=${() => { change({ cards: cards.filter((_, other) => other !== index) }); setAt(-1); }}>${t("cards_drop")}</button></div>`}</li>`)}</ul>
    <button class="wide" onClick=${() => add({ kind: form.kinds[0]?.name ?? "" })}>${t("cards_new")}</button>
    <label class="drop"><b>${t("cards_load")}</b><input type="file" accept=".csv,.xlsx,.ods" onChange=${(/** @type {any} */ event) => { load(event.target.files[0]); event.target.value = ""; }} /></label>
    ${cards.length > 0 && html`<button class="call wide" onClick=${check}>${t("cards_check")}</button>`}
    <div role="status" class="stack">${said && html`<p class="ask">${said}</p>`}${checked && html`<${Findings} checked=${checked} />`}</div>
    ${cards.length > 0 && html`<div class="row wrap"><button onClick=${async () => { const found = await check(); if (found && !found.errors.length) saveFile(found.book, "application/yaml", `${head.book}.yaml`); }}>${t("cards_save_yaml")}</button>
        <button onClick=${() => saveFile(`\ufeff${table()}`, "text/csv", `${head.book}.csv`)}>${t("cards_save_csv")}</button><${Clear} onClear=${() => { change({ cards: [] }); setAt(-1); }} /></div>
      <${Publish} publish=${publish} />`}
    ${problem && html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`}`;
}

/** Cells with kind and places under their own names, however they were written. @param {Schemas["CardForm"]} form @param {Cells} cells */
function normalize(form, cells) {
  /** @param {Schemas["CardChoice"][]} choices @param {string} written */
  const find = (choices, written) => choices.find((each) => [each.name, ...Object.values(each.label)].some((text) => text.toLowerCase() === written.toLowerCase()))?.name ?? written;
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, name === "kind" ? find(form.kinds, cell) : name.startsWith("when_") ? find(form.places, cell) : find(form.columns.find((each) => each.name === name && each.form === "word")?.words ?? [], cell)]));
}

/** What the check says. @param {{checked: Schemas["CheckedTable"]}} props */
function Findings({ checked }) {
  const { cards, errors } = checked;
  if (!errors.length) return html`<p class="ask">${t("cards_good", { n: cards.length })}</p>`;
  /** @param {number} row */
  const nameRow = (row) => { const cells = cards.find((each) => each.row === row)?.cells; return cells?.name || cells?.name_de || (row > ROWS_ABOVE ? `${row}` : t("cards_book")); };
  return html`<p><b>${t("cards_wrong", { n: errors.length })}</b></p>${errors.map((each, index) => html`<p key=${index} class="wrong-here">${t(each.column ? "cards_error" : "cards_error_row", { name: nameRow(each.row), column: each.column, detail: each.detail })}</p>`)}`;
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
