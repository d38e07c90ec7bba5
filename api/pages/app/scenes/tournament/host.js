// @ts-check
// What the host and the head official do: invite, start, pair, end, export.
import { call, Refused } from "../../lib/api.js";
import { html, useState } from "../../lib/html.js";
import { tournamentPath } from "./following.js";
import { t } from "../../lib/words.js";

/** @typedef {import("./shared.js").Drawing} Drawing */

const ROLES = ["player", "floor", "committee", "head"];

/** @param {{drawing: Drawing}} props */
export function HostControls({ drawing }) {
  const { send, view, id, token, fail } = drawing, can = new Set(view.can), one = view.rounds.at(-1);
  const [codes, setCodes] = useState(/** @type {Record<string, string>} */ ({}));
  /** @param {string} role */
  async function invite(role) {
    try {
      const { code } = await call("POST", tournamentPath(id, "/invitations"), { token, body: { role, uses: role === "player" ? view.format.most_players : 1 } });
      setCodes({ ...codes, [role]: code });
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      fail(failure.problem ?? { title: failure.message });
    }
  }
  const isReady = view.status === "running" && (!one || one.closed) && (view.planned_rounds === 0 || view.rounds.length < view.planned_rounds) && view.format.system !== "manual";
  return html`<section class="stack"><h2 class="grp">${t("tour_host")}</h2>
    ${view.you.host && !["finished", "withdrawn"].includes(view.status) && html`<details><summary>${t("tour_players")}</summary><div class="stack">
      ${ROLES.filter((role) => role !== "player" || view.status === "registration").map((role) => html`<div class="row" key=${role}><button class="grow" onClick=${() => invite(role)}>${t("tour_invite", { role: t(`tour_role_${role}`) })}</button>${codes[role] && html`<b class="code">${codes[role]}</b>`}</div>`)}
      ${can.has("tournament.enter") && view.status === "registration" && html`<button onClick=${() => send({ type: "tournament.enter", level: 1 })}>${t("tour_add_bot")}</button>`}</div></details>`}
    ${view.status === "registration" && can.has("tournament.start") && html`<button class="wide call" onClick=${() => send({ type: "tournament.start" })}><b>${t("tour_start")}</b></button>
      <button class="wide quiet" onClick=${() => confirm(t("tour_withdraw_sure")) && send({ type: "tournament.end" })}>${t("tour_withdraw")}</button>`}
    ${isReady && html`<button class="wide call" onClick=${() => send({ type: "tournament.pair" })}><b>${t("tour_pair", { n: view.rounds.length + 1 })}</b></button>`}
    ${view.status === "running" && one?.closed && html`<button class="wide" onClick=${() => send({ type: "tournament.end" })}>${t("tour_end")}</button>`}
    <a class="btn wide" href=${tournamentPath(id, "/exports/results.csv")} download>${t("tour_sheet")}</a></section>`;
}
