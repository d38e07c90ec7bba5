// @ts-check
// The codes of a tournament that this device has made: with a picture to scan, a link to send, and how many are taken.
import { call } from "../../lib/api.js";
import { readValue, writeText } from "../../lib/device.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { tournamentPath } from "./following.js";
import { t } from "../../lib/words.js";
import { CopyLink, Tap } from "../../parts/basic.js";
import { callOrFail } from "./shared.js";

/** @typedef {import("./shared.js").Drawing} Drawing */
/** @typedef {import("./following.js").Schemas} Schemas */
/** @typedef {{id: string, role: string, code: string, uses: number, isWithdrawn?: boolean}} Kept */
/** @typedef {Schemas["TournamentInvitationState"] | null} State null: it is void, or its time is over */

/** @param {{drawing: Drawing, roles: string[]}} props */
export function Invitations({ drawing, roles }) {
  const { view, id, token } = drawing, key = `referee.codes.${id}`;
  const [kept, setKept] = useState(/** @type {Kept[]} */ (readValue(key, []))), [states, setStates] = useState(/** @type {Record<string, State>} */ ({}));
  useEffect(() => {
    let isCurrent = true;
    for (const each of kept.filter((one) => !one.isWithdrawn && (states[one.id] === undefined || states[one.id]?.uses_left))) { // what is taken or void stays so
      /** @param {State} state */
      const note = (state) => isCurrent && setStates((before) => ({ ...before, [each.id]: state }));
      call("GET", tournamentPath(id, `/invitations/${each.id}`), { token }).then(note, (failure) => ["unknown-invitation", "code-expired"].includes(failure.kind) && note(null));
    }
    return () => void (isCurrent = false);
  }, [kept, view.version]);
  /** @param {string} role */
  async function invite(role) {
    const uses = role === "player" ? view.format.most_players : 1, made = await callOrFail(drawing, "POST", tournamentPath(id, "/invitations"), { role, uses });
    if (!made) return;
    keep([...kept, { id: made.id, role, code: made.code, uses }]);
  }
  /** @param {Kept[]} all */
  function keep(all) {
    writeText(key, JSON.stringify(all));
    setKept(all);
  }
  /** @param {Kept} one */
  async function withdraw(one) {
    if (!confirm(t("tour_code_withdraw_sure")) || !(await callOrFail(drawing, "DELETE", tournamentPath(id, `/invitations/${one.id}`)))) return;
    keep(kept.map((each) => (each.id === one.id ? { ...each, isWithdrawn: true } : each)));
  }
  return html`${roles.includes("player") && html`<p class="note">${t("tour_invite_first")}</p>`}${roles.map((role) => html`<section class="stack invited" key=${role}><${Tap} kind="wide" onTap=${() => invite(role)}>${t("tour_invite", { role: t(`tour_role_${role}`) })}<//>
    ${kept.filter((each) => each.role === role).reverse().map((each, at) => html`<${Invitation} key=${each.id} kept=${each} state=${each.isWithdrawn ? null : states[each.id]} isNewest=${at === 0} onWithdraw=${() => withdraw(each)} />`)}</section>`)}`;
}

/** @param {{kept: Kept, state: State | undefined, isNewest: boolean, onWithdraw: () => void}} props */
function Invitation({ kept, state, isNewest, onWithdraw }) {
  const taken = state ? kept.uses - state.uses_left : 0;
  const says = state === undefined ? "" : state === null ? t("tour_code_void") : state.uses_left === 0 ? t("tour_code_taken") : kept.uses === 1 ? t("tour_code_free") : t("tour_code_used", { n: taken, all: kept.uses });
  return html`<article class="stack"><p class="row"><b class=${`code ${state?.uses_left ? "" : "used"}`}>${kept.code}</b><span class="note end">${says}</span></p>
    ${state && state.uses_left > 0 && html`<details open=${isNewest}><summary>${t("tour_code_picture")}</summary><div class="stack centre"><img class="qr" alt=${t("tour_code_scan")} src=${`data:image/svg+xml,${encodeURIComponent(state.qr)}`} /><${CopyLink} url=${state.url} /></div></details><button class="quiet" onClick=${onWithdraw}>${t("tour_code_withdraw")}</button>`}</article>`;
}
