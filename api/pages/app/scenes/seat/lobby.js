// @ts-check
// Before the start: who sits where, the QR code for everyone, and the start for the host.
import { call, makeHeaders, matchPath, Refused } from "../../lib/api.js";
import { findSeat } from "../../lib/device.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { nameSeat, t } from "../../lib/words.js";
import { SeatMark } from "../../parts/basic.js";

/** @param {{followed: import("../../lib/match.js").FollowedMatch, attempt: (write: () => Promise<any>, title: string) => Promise<void>}} props */
export function Lobby({ followed, attempt }) {
  const { about, names, match } = followed, host = findSeat(match, "host");
  const link = useInvitation(match, host?.token);
  if (!about) return null;
  const free = about.seats.filter((each) => each.kind === "human" && !each.taken).length;
  const start = () => attempt(() => startMatch(match, /** @type {string} */ (host?.token)), t("lobby_start"));
  return html`<main class="home"><h1>${t("lobby_title")}</h1>
    ${link && free > 0 && html`<section class="ref centre"><h2>${t("lobby_scan")}</h2><img class="qr" alt=${t("lobby_scan")} src=${link.picture} />
      <p>${t("lobby_or_code", { address: location.host })}</p><p class="code num">${link.code}</p></section>`}
    <ul class="list">${about.seats.map((each) => html`<li class="person" key=${each.seat}><${SeatMark} seat=${each.seat} name=${nameSeat(each.seat, names)} />
      <b class="grow">${each.kind === "bot" ? t("lobby_bot", { level: each.level }) : each.taken ? nameSeat(each.seat, names) : t("lobby_free")}</b></li>`)}</ul>
    ${host ? html`<button class="call wide tall" disabled=${free > 0} onClick=${start}><b>${t("lobby_start")}</b>${free > 0 && html`<small>${t("lobby_missing", { n: free })}</small>`}</button>`
      : html`<p class="ask">${t("lobby_wait")}</p>`}
  </main>`;
}

/** Start at the version that the match has now. @param {string} match @param {string} token */
async function startMatch(match, token) {
  for (;;) {
    const { version } = await call("GET", matchPath(match), { token });
    try {
      return await call("POST", `${matchPath(match)}/start`, { token, ifMatch: version });
    } catch (failure) {
      if (!(failure instanceof Refused && failure.status === 412)) throw failure;
    }
  }
}

/** Make one link for all free seats, and its picture. @param {string} match @param {string | undefined} token */
function useInvitation(match, token) {
  const [link, setLink] = useState(/** @type {{code: string, picture: string} | null} */ (null));
  useEffect(() => {
    if (!token) return;
    invite(match, token).then(setLink, () => setLink(null));
  }, [match, token]);
  return link;
}

/** @param {string} match @param {string} token */
async function invite(match, token) {
  const made = await call("POST", `${matchPath(match)}/invitations`, { token, body: { role: "seat:any" } });
  const picture = await fetch(`${matchPath(match)}/invitations/${made.id}/qr.svg`, { headers: makeHeaders(token) });
  return { code: made.code, picture: `data:image/svg+xml,${encodeURIComponent(await picture.text())}` };
}
