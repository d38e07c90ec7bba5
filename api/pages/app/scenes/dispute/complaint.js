// @ts-check
// What is wrong: a slip of one's own with one tap, or an entry and a claim in plain words.
import { disputesPath, listEntries } from "../../lib/court.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { nameSeat, t } from "../../lib/words.js";
import { SeatMark, useOnce } from "../../parts/basic.js";
import { AnswerButton } from "../../parts/asked.js";
import { findCoveredText } from "../../parts/entry.js";
import { listTold, Oops } from "./oops.js";
import { canSayWhat, Seen } from "./seen.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */
/** @typedef {(path: string, body: any, options?: {ifMatch: number}) => Promise<any>} Send */

const LAST = 60, SHOWN = 8; // versions that are read, entries that are shown at first

/**
 * @param {{followed: import("../../lib/match.js").FollowedMatch, viewer: import("../../lib/court.js").Viewer, drawing: any, send: Send,
 *   refused: {at: number, move: any} | null}} props
 */
export function Complaint({ followed, viewer, drawing, send, refused }) {
  const entries = useLastEntries(viewer, followed.version), { names } = drawing, me = viewer.seat;
  const [many, setMany] = useState(SHOWN);
  const [chosen, setChosen] = useState(/** @type {Schemas["Entry"] | null} */ (null));
  const listed = listTold(entries, drawing);
  /** @param {any} body */
  const dispute = (body) => send(disputesPath(viewer.match), { seat: me, ...body });
  return html`
    ${refused && html`<section class="stack"><p class="ask">${t("court_refused_ask")}</p>
      <${AnswerButton} kind="call" label=${t("claim_wrong_refusal")} onTap=${() => dispute({ about: refused.at, claim: "wrong_refusal", move: refused.move })} /></section>`}
    <${Oops} entries=${entries} match=${viewer.match} seat=${me} version=${followed.version} drawing=${drawing} send=${send} />
    <section><h2 class="grp">${t("court_which")}</h2>
      ${listed.length > many && html`<button class="wide" onClick=${() => setMany(many + 20)}>${t("court_earlier")}</button>`}
      <ol class="log">${listed.slice(-many).map((each) => html`<li key=${each.version}><button class=${chosen?.version === each.version ? "hit" : ""}
        aria-pressed=${chosen?.version === each.version} onClick=${() => setChosen(chosen?.version === each.version ? null : each)}><span class="num">${each.version}</span>
        ${typeof each.seat === "number" ? html`<${SeatMark} seat=${each.seat} name=${nameSeat(each.seat, names)} />` : html`<span></span>`}<span>${findCoveredText(each, names, drawing.cards, drawing.me)}</span></button>
        ${chosen?.version === each.version && html`<${Claims} entry=${each} viewer=${viewer} drawing=${drawing} dispute=${dispute} />`}</li>`)}</ol></section>
    <details><summary>${t("court_no_entry")}</summary><${AnswerButton} label=${t("claim_impossible_table")} onTap=${() => dispute({ claim: "impossible_table" })} /></details>`;
}

/** What is said to be wrong with an entry. @param {{entry: Schemas["Entry"], viewer: import("../../lib/court.js").Viewer, drawing: any, dispute: (body: any) => Promise<any>}} props */
function Claims({ entry, drawing, dispute }) {
  const [claim, setClaim] = useState("");
  const [statement, setStatement] = useState("");
  const [, open] = useOnce(() => dispute({ about, claim, statement: statement.trim() }));
  const isReport = entry.actor.kind === "reporter", about = entry.version, isDice = Array.isArray(/** @type {any} */ (entry.move).values);
  const claims = [...(isReport ? [] : ["illegal_move"]), ...(canSayWhat(entry.move, drawing) && isReport ? ["misreported"] : []), "missed_effect", "wrong_count", "other"];
  /** @param {string} name */
  const choose = (name) => (name === "illegal_move" ? dispute({ about, claim: name }) : setClaim(name));
  return html`<div class="claims"><p class="grp">${t("court_what")}</p><div class="grid2">${claims.map((name) => html`<button key=${name} class=${claim === name ? "chosen" : ""}
      aria-pressed=${claim === name} onClick=${() => choose(name)}>${t(name === "misreported" ? (isDice ? "claim_dice" : "claim_card") : `claim_${name}`)}</button>`)}</div>
    ${claim === "misreported" && html`<${Seen} entry=${entry} drawing=${drawing} onClose=${() => setClaim("")}
      onSeen=${(/** @type {any} */ move) => { setClaim(""); dispute({ about, claim: "misreported", move }); }} />`}
    ${claim && claim !== "misreported" && html`<form class="form" onSubmit=${open}>
      <label>${t("court_statement")}<input value=${statement} required maxlength="200" onInput=${(/** @type {any} */ event) => setStatement(event.target.value)} /></label>
      <button class="call wide"><b>${t("court_open")}</b></button></form>`}</div>`;
}

/** @param {import("../../lib/court.js").Viewer} viewer @param {number} version */
function useLastEntries(viewer, version) {
  const [entries, setEntries] = useState(/** @type {Schemas["Entry"][]} */ ([]));
  useEffect(() => {
    let isCurrent = true;
    if (version > 0) listEntries(viewer, Math.max(0, version - LAST)).then((found) => isCurrent && setEntries(found), () => {});
    return () => void (isCurrent = false);
  }, [viewer.match, version]);
  return entries;
}
