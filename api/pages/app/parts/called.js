// @ts-check
// The open call of an official: who called and why, that play and clock stand, and who comes.
import { call } from "../lib/api.js";
import { html, useEffect, useState } from "../lib/html.js";
import { joinWords, language, nameSeat, t } from "../lib/words.js";

/** @typedef {import("../contract").components["schemas"]} Schemas */

const AGAIN = 5000; // milliseconds between two looks whether an official of the tournament has said that they come

export const CALL_REASONS = ["rules", "slow_play", "conduct", "other"];

/** @param {Schemas["Match"] | null} about whether somebody may be called to this match */
export const hasOfficial = (about) => about?.officials.some((each) => each.decides && !each.left) ?? false;

/** @param {{followed: import("../lib/match.js").FollowedMatch, children?: any}} props */
export function CallNote({ followed, children }) {
  const { about, names, officials, token } = followed, open = about?.call, coming = useComing(about, token);
  if (!about || !open) return null;
  const called = about.officials.filter((each) => each.decides && !each.left).flatMap((each) => officials[each.official] ?? []);
  const until = new Date(open.until).toLocaleTimeString(language(), { timeStyle: "short" });
  return html`<section class="ref called" role="status"><p class="ask">${t("call_open", { name: nameSeat(open.by, names), why: t(`call_${open.reason}`) })}</p>
    <p>${t("call_clock", { time: until })}</p>
    ${coming ? html`<p><b>${t("call_comes", { name: coming.name ?? t("call_official") })}</b></p>` : about.tournament ? html`<p class="note">${t("call_nobody_yet")}</p>`
      : called.length > 0 && html`<p class="note">${t("call_called", { names: joinWords(called) })}</p>`}${children}</section>`;
}

/** Return the official of the tournament who has said that they come to the open call. @param {Schemas["Match"] | null} about @param {string} [token] */
function useComing(about, token) {
  const [coming, setComing] = useState(/** @type {Schemas["Officer"] | null} */ (null));
  const match = about?.id, tournament = about?.tournament, number = about?.call?.call;
  useEffect(() => {
    setComing(null);
    if (!tournament || !number) return;
    let isCurrent = true;
    /** @param {Schemas["Tournament"]} view */
    const take = (view) => {
      const officer = view.claims.find((each) => each.item === `call:${match}:${number}`)?.officer;
      if (isCurrent) setComing(view.officials.find((each) => each.officer === officer) ?? null);
    };
    const look = () => call("GET", `/v1/tournaments/${encodeURIComponent(tournament)}`, { token, tries: 1 }).then(take, () => {}); // the next look may succeed
    look();
    const timer = setInterval(look, AGAIN);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [match, tournament, number, token]);
  return coming;
}
