// @ts-check
// Small parts that every scene uses.
import { html, useEffect, useRef, useState } from "../lib/html.js";
import { say, t } from "../lib/words.js";
import { back, face, icon, seat as drawSeat } from "./faces.js";

/** Put a drawing of ours in the page. @param {{svg: string}} props */
export const Svg = ({ svg }) => html`<span class="svg" dangerouslySetInnerHTML=${{ __html: svg }}></span>`;

/** @param {{name: string, size?: number}} props */
export const Icon = ({ name, size = 20 }) => html`<${Svg} svg=${icon(name, size)} />`;

/** Return the first letter of a name; one of emoji has a whole one. @param {string} name */
const findMark = (name) => (Intl.Segmenter ? [...new Intl.Segmenter().segment(name)][0]?.segment : Array.from(name)[0]) ?? "";

/** Mark a seat by colour, shape and letter. @param {{seat: number, name?: string}} props */
export const SeatMark = ({ seat, name = "" }) =>
  html`<${Svg} svg=${drawSeat((seat % 7) + 1, findMark(name.replace(/^\u2068/, "")).toUpperCase())} />`;

/** A card face, or its back if `design` is missing. @param {{design: any, game?: string}} props */
export const Face = ({ design, game }) => html`<${Svg} svg=${design ? face(design, game) : back()} />`;

/** @type {[number, number][][]} where the pips of each number lie */
const PIPS = [[], [[2, 2]], [[1, 1], [3, 3]], [[1, 1], [2, 2], [3, 3]], [[1, 1], [3, 1], [1, 3], [3, 3]],
  [[1, 1], [3, 1], [2, 2], [1, 3], [3, 3]], [[1, 1], [3, 1], [1, 2], [3, 2], [1, 3], [3, 3]]];

/** A die that shows a number. @param {{value: number}} props */
export const Die = ({ value }) => html`<svg class="die" viewBox="0 0 40 40" role="img" aria-label=${String(value)}>
  <rect x="1.5" y="1.5" width="37" height="37" rx="8" class="die-body" />
  ${(PIPS[value] ?? []).map(([x, y]) => html`<circle cx=${x * 10} cy=${y * 10} r="3.6" class="pip" />`)}
</svg>`;

/** The time that is left: a bar that empties, and the seconds. @param {{deadline: {ends: number, limit: number} | null}} props */
export function Countdown({ deadline }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!deadline) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [deadline]);
  if (!deadline) return null;
  const left = Math.max(0, deadline.ends - now), seconds = Math.ceil(left / 1000);
  const share = Math.min(100, (100 * left) / deadline.limit);
  const shown = left === 0 ? t("time_up") : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return html`<div class="count"><span class="bar" aria-hidden="true"><i style=${{ width: `${share}%` }}></i></span>
    <span class="num" role="timer" aria-label=${left === 0 ? shown : t("time_left", { seconds })}>${shown}</span></div>`;
}

/**
 * A sheet over the scene, closed by its button, by Escape or by the shade. The focus goes into it, stays there, and goes back.
 * @param {{title: string, onClose: () => void, striped?: boolean, children?: any}} props
 */
export function Sheet({ title, onClose, striped = false, children }) {
  const sheet = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    document.getElementById("sheet-title")?.focus();
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      if (event.key === "Escape") onClose();
      else if (event.key === "Tab" && sheet.current) keepFocusIn(sheet.current, event);
    };
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
      before?.focus?.();
    };
  }, []);
  return html`<div class="shade" onClick=${onClose}></div>
    <section ref=${sheet} class=${`sheet ${striped ? "striped" : ""}`} role="dialog" aria-modal="true" aria-labelledby="sheet-title">
      <div class="row"><h2 id="sheet-title" class="grow" tabindex="-1">${title}</h2>
        <button class="icon" aria-label=${t("close")} onClick=${onClose}><${Svg} svg=${CROSS} /></button></div>
      ${children}
    </section>`;
}

/** Lead Tab from the last element to the first, and back. @param {HTMLElement} sheet @param {KeyboardEvent} event */
function keepFocusIn(sheet, event) {
  const found = /** @type {HTMLElement[]} */ ([...sheet.querySelectorAll("button:enabled, a[href], input, select, textarea, summary")]).filter((each) => each.getClientRects().length > 0);
  const first = found[0], last = found.at(-1), at = document.activeElement, isOutside = !sheet.contains(at);
  const next = event.shiftKey ? (isOutside || at === first || at?.id === "sheet-title") && last : (isOutside || at === last) && first;
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const CROSS = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" aria-hidden="true"><path d="M5 5l14 14M19 5 5 19"/></svg>`;
export const WHISTLE = `<svg viewBox="0 0 26 26" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true"><path d="M2.5 11h10l9.5-.5a6.5 6.5 0 1 1-9 6H8L6 14.500H2.500z"/><circle cx="17.500" cy="16" r="1.700"/><path d="M12 3v3M16 2.500l-.8 3M20 4l-1.800 2.500"/></svg>`;

/**
 * Return whether something is being done, and what does it: nothing if it is still being done, even if both taps come before the page is drawn.
 * @param {() => any} work @returns {[boolean, (event?: Event) => Promise<void>]}
 */
export function useOnce(work) {
  const [busy, setBusy] = useState(false), taken = useRef(false);
  return [busy, async (event) => {
    event?.preventDefault(); // a form stays on the page
    if (taken.current) return;
    taken.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      taken.current = false;
      setBusy(false);
    }
  }];
}

/**
 * A button that takes one tap at a time: until `onTap` is done, another does nothing.
 * @param {{onTap: () => any, kind?: string, children?: any, label?: string, isDisabled?: boolean, data?: string}} props `data` is the move that a tap makes
 */
export function Tap({ onTap, kind = "", children, label, isDisabled = false, data }) {
  const [busy, tap] = useOnce(onTap);
  return html`<button type="button" class=${kind} aria-busy=${busy} aria-label=${label} disabled=${isDisabled} data-move=${data} onClick=${tap}>${children}</button>`;
}

/** A clause with its sentence. @param {{clause: import("../contract").components["schemas"]["CitedClause"], names?: any, game?: string}} props */
export const Clause = ({ clause, names, game }) => html`<p class="cite">
  <a class="clause" href=${`/rules#${game ?? ""}/${clause.id}`}>${clause.id}</a> ${say(clause.says, names)}</p>`;

/** @param {{on: boolean, children?: any, onClick: () => void}} props a choice that stays pressed */
export const Toggle = ({ on, onClick, children }) =>
  html`<button type="button" class=${on ? "chosen" : ""} aria-pressed=${on} onClick=${onClick}>${children}</button>`;

/** The invitation to be sent on. Over plain http the marked text is copied: the clipboard is closed. @param {{url: string}} props */
export function CopyLink({ url }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null)), [isDone, setDone] = useState(false);
  const copy = () => {
    field.current?.select();
    setDone(document.execCommand("copy"));
  };
  return html`<div class="row link"><input ref=${field} class="grow" readonly aria-label=${t("lobby_scan")} value=${url} /><button type="button" onClick=${copy}>${t("lobby_copy")}</button>
    <span class="sr" role="status">${isDone ? t("lobby_copied") : ""}</span></div>`;
}

/** Choose the language of the page. @param {{language: string, onChoose: (language: "de" | "en") => void}} props */
export const LanguageSwitch = ({ language, onChoose }) => html`<div class="switch" role="group" aria-label=${t("language")}>
  ${/** @type {("de" | "en")[]} */ (["de", "en"]).map((each) => html`<button type="button" class=${each === language ? "solid" : ""}
    aria-pressed=${each === language} lang=${each} onClick=${() => onChoose(each)}>${each.toUpperCase()}</button>`)}</div>`;

/** Say that the connection is away, or what waits for it. @param {{connection: string, pending?: number}} props */
export function ConnectionBanner({ connection, pending = 0 }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), 1200); // a short gap needs no words
    return () => clearTimeout(timer);
  }, [connection, pending]);
  const text = connection === "lost" ? t(pending ? "lost_pending" : "lost") : pending ? t("sending") : "";
  return html`<div role="status" class=${text && isSlow ? "banner" : ""}>${isSlow ? text : ""}</div>`;
}

/** What stands in place of a scene that cannot be shown; without a title it is being loaded. @param {{title?: string, text?: string, children?: any}} props */
export const Instead = ({ title, text, children }) => (title ? html`<main class="home"><h1>${title}</h1>${text && html`<p>${text}</p>`}${children}<a class="btn wide" href="/">${t("desk_home")}</a></main>`
  : html`<main class="home" aria-busy="true"><p class="note">${t("loading")}</p></main>`);
