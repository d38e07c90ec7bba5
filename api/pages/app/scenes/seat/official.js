// @ts-check
// Calls an official to the table, or withdraws the call.
import { call, matchPath } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { t } from "../../lib/words.js";
import { Countdown, Tap } from "../../parts/basic.js";
import { CALL_REASONS, CallNote, hasOfficial } from "../../parts/called.js";

/** @typedef {{followed: import("../../lib/match.js").FollowedMatch, attempt: (write: () => Promise<any>, title: string) => Promise<void>}} Shared */

/** @param {Shared} props */
export function OpenCall({ followed, attempt }) {
  const { about, match, seat, token, deadline } = followed, open = about?.call;
  const withdraw = () => attempt(() => call("DELETE", `${matchPath(match, seat)}/calls/${open?.call}`, { token }), t("call_withdraw"));
  return html`<${CallNote} followed=${followed}><${Countdown} deadline=${deadline} />${open?.by === seat && html`<${Tap} kind="wide" onTap=${withdraw}>${t("call_withdraw")}<//>`}<//>`;
}

/** @param {Shared} props */
export function CallOfficial({ followed, attempt }) {
  const { about, match, seat } = followed;
  if (!hasOfficial(about) || about?.call) return null;
  /** @param {string} reason */
  const send = (reason) => attempt(() => followed.send(`${matchPath(match, seat)}/calls`, { reason }), t("call_title"));
  return html`<details><summary>${t("call_title")}</summary><div class="stack"><p class="note">${t("call_help")}</p>
    ${CALL_REASONS.map((reason) => html`<${Tap} key=${reason} kind="wide" onTap=${() => send(reason)}>${t(`call_${reason}`)}<//>`)}</div></details>`;
}
