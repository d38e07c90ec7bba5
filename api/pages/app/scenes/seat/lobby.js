// @ts-check
// Before the start: who sits where, the QR code for everyone, and the start for the host.
import { call, findChains, makeHeaders, matchPath, Refused } from "../../lib/api.js";
import { canStore, findSeat, readValue, writeText } from "../../lib/device.js";
import { html, useEffect, useState } from "../../lib/html.js";
import { nameSeat, t } from "../../lib/words.js";
import { CopyLink, SeatMark, Tap, useOnce } from "../../parts/basic.js";
import { joinMatch } from "../join/join.js";

const NEAR = ["127.0.0.1", "localhost", "[::1]"]; // reached from this machine only
const MOST_SEATS = 7, SPOKEN_MINUTES = 60; // how often and how long the spoken code is good

/** @param {{followed: import("../../lib/match.js").FollowedMatch, attempt: (write: () => Promise<any>, title: string) => Promise<void>}} props */
export function Lobby({ followed, attempt }) {
  const { about, names, match } = followed, host = findSeat(match, "host");
  const link = useInvitation(match, host?.token);
  if (!about) return null;
  const open = about.seats.filter((each) => each.kind === "human" && !each.taken), free = open.length;
  const reached = link && new URL(link.url), isNear = reached && NEAR.includes(reached.hostname);
  const fill = () => attempt(() => Promise.all(open.map(({ seat }) => call("PUT", `${matchPath(match, seat)}/bot`, { token: host?.token, body: { level: 1 } }))), t("lobby_fill"));
  const close = () => confirm(t("lobby_close_ask")) && attempt(() => writeAsHost("DELETE", matchPath(match), match, /** @type {string} */ (host?.token)), t("lobby_close"));
  const start = () => attempt(() => startMatch(match, /** @type {string} */ (host?.token)), t("lobby_start"));
  return html`<main class="home"><h1>${t("lobby_title")}</h1>
    ${link && free > 0 && html`<section class="ref centre"><h2>${t("lobby_scan")}</h2><img class="qr" alt=${t("lobby_scan")} src=${link.picture} />
      <p>${t("lobby_or_code", { address: reached?.host ?? "" })}</p><p class="code num">${link.code}</p>
      <${CopyLink} url=${link.url} />${isNear && html`<p class="note">${t("lobby_near")}</p>`}</section>`}
    <ul class="list">${about.seats.map((each) => html`<li class="person" key=${each.seat}><${SeatMark} seat=${each.seat} name=${names[each.seat] ?? ""} />
      <b class="grow">${each.kind === "bot" ? t("lobby_bot", { name: nameSeat(each.seat, names), level: t(`bot_level_${each.level}`) }) : each.taken ? nameSeat(each.seat, names) : t("lobby_free")}</b></li>`)}</ul>
    ${link && free > 0 && html`<${SitHere} code=${link.code} attempt=${attempt} />`}
    ${host ? html`<${Tap} kind="call wide tall" isDisabled=${free > 0} onTap=${start}><b>${t("lobby_start")}</b>${free > 0 && html`<small>${t("lobby_missing", { n: free })}</small>`}<//>`
      : html`<p class="ask">${t("lobby_wait")}</p>`}
    ${host && free > 0 && html`<${Tap} kind="wide" onTap=${fill}>${t("lobby_fill")}<//>`}
    ${about.hints && html`<p class="note">${t("lobby_hints")}</p>`}
    ${!canStore() && html`<p class="note">${t("join_not_stored")}</p>`}
    ${host && html`<details class="leave"><summary>${t("more")}</summary><${Tap} kind="wide" onTap=${close}>${t("lobby_close")}<//></details>`}
  </main>`;
}

/** Seat somebody without a phone on this one. @param {{code: string, attempt: any}} props */
function SitHere({ code, attempt }) {
  const [name, setName] = useState("");
  const [, sit] = useOnce(async () => {
    await attempt(() => joinMatch(code, name.trim()), t("sit_here"));
    setName("");
  });
  return html`<details><summary>${t("sit_here")}</summary><form class="form" onSubmit=${sit}><label>${t("sit_here_name")}<input required maxlength="40" value=${name}
    onInput=${(/** @type {any} */ event) => setName(event.target.value)} /></label><button class="wide">${t("join_sit")}</button></form></details>`;
}

/** Start the match. @param {string} match @param {string} token */
export async function startMatch(match, token) {
  await (await findChains())?.prepareStart(match, token);
  return writeAsHost("POST", `${matchPath(match)}/start`, match, token);
}

/** Write at the version that the match has now. @param {string} method @param {string} path @param {string} match @param {string} token */
async function writeAsHost(method, path, match, token) {
  for (;;) {
    const { version } = await call("GET", matchPath(match), { token });
    try {
      return await call(method, path, { token, ifMatch: version });
    } catch (failure) {
      if (!(failure instanceof Refused && failure.status === 412)) throw failure;
    }
  }
}

/** Make one link for all free seats, and its picture. @param {string} match @param {string | undefined} token */
function useInvitation(match, token) {
  const [link, setLink] = useState(/** @type {{code: string, url: string, picture: string} | null} */ (null));
  useEffect(() => {
    if (!token) return;
    invite(match, token).then(setLink, () => setLink(null));
  }, [match, token]);
  return link;
}

/** Make a link for the picture and a code to be spoken, both for all free seats. @param {string} match @param {string} token */
async function invite(match, token) {
  const key = `referee.invitation.${match}`, kept = readValue(key, null);
  if (kept && Date.parse(kept.until) > Date.now() + 60_000) return kept;
  const path = `${matchPath(match)}/invitations`;
  const link = await call("POST", path, { token, body: { role: "seat:any", link: true } });
  const spoken = await call("POST", path, { token, body: { role: "seat:any", uses: MOST_SEATS, minutes: SPOKEN_MINUTES } });
  const drawn = await fetch(`${path}/${link.id}/qr.svg`, { headers: makeHeaders(token) });
  const made = { code: spoken.code, url: link.url, until: spoken.expires_at, picture: `data:image/svg+xml,${encodeURIComponent(await drawn.text())}` };
  writeText(key, JSON.stringify(made));
  return made;
}
