// @ts-check
// What the host and the head official do: invite, start, pair, end, export.
import { html } from "../../lib/html.js";
import { tournamentPath } from "./following.js";
import { language, t } from "../../lib/words.js";
import { Invitations } from "./invitations.js";

/** @typedef {import("./shared.js").Drawing} Drawing */

const ROLES = ["player", "floor", "committee", "head"];

/** @param {{drawing: Drawing}} props */
export function HostControls({ drawing }) {
  const { send, view, id } = drawing, can = new Set(view.can), one = view.rounds.at(-1);
  const isReady = view.status === "running" && (!one || one.closed) && (view.planned_rounds === 0 || view.rounds.length < view.planned_rounds) && view.format.system !== "manual";
  return html`<section class="stack"><h2 class="grp">${t("tour_host")}</h2>
    ${view.you.host && !["finished", "withdrawn"].includes(view.status) && html`<details open=${view.status === "registration"}><summary>${t("tour_invite_all")}</summary><div class="stack">
      <${Invitations} drawing=${drawing} roles=${ROLES.filter((role) => role !== "player" || view.status === "registration")} />
      ${can.has("tournament.enter") && view.status === "registration" && html`<button class="wide" onClick=${() => send({ type: "tournament.enter", level: 1 })}>${t("tour_add_bot")}</button>`}</div></details>`}
    ${view.status === "registration" && can.has("tournament.start") && html`<button class="wide call" onClick=${() => send({ type: "tournament.start" })}><b>${t("tour_start")}</b></button>
      <button class="wide quiet" onClick=${() => confirm(t("tour_withdraw_sure")) && send({ type: "tournament.end" })}>${t("tour_withdraw")}</button>`}
    ${isReady && html`<button class="wide call" onClick=${() => send({ type: "tournament.pair" })}><b>${t("tour_pair", { n: view.rounds.length + 1 })}</b></button>`}
    ${view.status === "running" && one?.closed && html`<button class="wide" onClick=${() => send({ type: "tournament.end" })}>${t("tour_end")}</button>`}
    ${one && html`<div class="grid2">${["standings", "results"].map((sheet) => html`<a class="btn" key=${sheet} href=${tournamentPath(id, `/exports/${sheet}.csv?form=${language() === "de" ? "semicolon" : "comma"}`)} download>${t(`tour_sheet_${sheet}`)}</a>`)}</div>`}</section>`;
}
