// @ts-check
// What an official decides: whether it was right, what happens now, and why.
import { stepPath } from "../../lib/court.js";
import { html, useState } from "../../lib/html.js";
import { t } from "../../lib/words.js";
import { Toggle } from "../../parts/basic.js";
import { useDispute } from "../dispute/case.js";
import { RemedyCard } from "../dispute/remedies.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

/**
 * @param {{viewer: import("../../lib/court.js").Viewer, version: number, record: Schemas["DisputeRecord"], role: "arbiter" | "host", drawing: any,
 *   send: (path: string, body: any) => Promise<any>}} props
 */
export function RulingForm({ viewer, version, record, role, drawing, send }) {
  const dispute = useDispute(viewer, record.dispute, version), last = record.rulings.at(-1);
  const [upheld, setUpheld] = useState(/** @type {boolean | null} */ (null));
  const [remedy, setRemedy] = useState(""), [reason, setReason] = useState(""), [keep, setKeep] = useState(false);
  if (!dispute || !dispute.steps.some((each) => each.step === "rulings" && each.by.includes(role))) return null;
  const isOverruling = !record.open;
  const options = dispute.remedies.filter((each) => each.remedy !== "partial_fix" || each.offered); // else nobody has said what is right
  const isReady = upheld !== null && remedy !== "" && reason.trim() !== "";
  /** @param {Event} event */
  async function rule(event) {
    event.preventDefault();
    if (remedy === "void" && !confirm(t("desk_void_sure"))) return;
    const clauses = (last?.clauses ?? []).map((each) => each.id).slice(0, 8);
    await send(stepPath(viewer.match, record.dispute, "rulings"), {
      upheld, remedy, reason: reason.trim(), keep, ...(clauses.length > 0 ? { clauses } : {}), ...(remedy === "void" ? { confirm: true } : {}) });
  }
  const form = html`<form class="form ruling-form" onSubmit=${rule}>
    <fieldset><legend class="grp">${t("desk_verdict")}</legend><div class="grid2">
      <${Toggle} on=${upheld === true} onClick=${() => setUpheld(true)}>${t("desk_stands")}<//><${Toggle} on=${upheld === false} onClick=${() => setUpheld(false)}>${t("desk_not_stands")}<//></div></fieldset>
    <fieldset class="stack"><legend class="grp">${t("desk_and_now")}</legend>
      ${options.map((each) => html`<${RemedyCard} key=${each.remedy} viewer=${viewer} dispute=${dispute} remedy=${each} drawing=${drawing} isFirst=${remedy === each.remedy} isMine=${false} isOpen
        onTap=${async () => setRemedy(each.remedy)} />`)}</fieldset>
    <label>${t("desk_reason")}<input value=${reason} required maxlength="500" onInput=${(/** @type {any} */ event) => setReason(event.target.value)} /></label>
    <${Toggle} on=${keep} onClick=${() => setKeep(!keep)}>${t("desk_keep")}<//>
    <button class="wide solid" disabled=${!isReady}><b>${t("desk_rule")}</b></button></form>`;
  return isOverruling ? html`<details><summary>${t("desk_undo")}</summary>${form}</details>` : form;
}
