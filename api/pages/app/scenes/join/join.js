// @ts-check
// Join a match by the code behind `#` or by one that was spoken: a name, a tap, seated. Or log in to an account by its link.
import { call, findChains, Refused } from "../../lib/api.js";
import { canStore, readName, readValue, saveSeat, writeName, writeText } from "../../lib/device.js";
import { html, useState } from "../../lib/html.js";
import { language as chosen, t } from "../../lib/words.js";
import { LanguageSwitch, useOnce } from "../../parts/basic.js";
import { ProblemSheet } from "../../parts/ruling.js";

const ROLES = ["spectator", "arbiter", "auditor", "player", "head", "floor", "committee"], DEVICE = "device="; // before the secret of a link to an account

/** Return the code in what was typed; a link that was pasted has it behind `#`. @param {string} typed */
const readCode = (typed) => typed.replace(/^.*#/, "").replace(/\/.*$/, "");

/** @param {string} code */
const joinedKey = (code) => `referee.joined.${code.trim().toUpperCase()}`;

/** @param {{hash: string, go: (address: string) => void, language: string, setLanguage: (language: "de" | "en") => void}} props */
export default function Join({ hash, go, language, setLanguage }) {
  const [given = "", role = ""] = hash.split("/"); // behind the code an invitation names a role without a seat
  const [code, setCode] = useState(given), [isDead, setDead] = useState(false), isDevice = code.startsWith(DEVICE) && !isDead;
  const kind = isDevice ? "device" : ROLES.includes(role) && !isDead ? role : null;
  const [name, setName] = useState(readName());
  const seated = readValue(joinedKey(given), null);
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [busy, sit] = useOnce(async () => {
    try {
      if (isDevice) return await addDevice(code.slice(DEVICE.length)), go("/");
      writeName(name.trim());
      const joined = await joinMatch(code.trim(), name.trim(), kind === null);
      if (joined.tournament) return go(`/tournament#${joined.tournament}`);
      if (joined.seats.length > 0) writeText(joinedKey(code), JSON.stringify(`${joined.match}/${joined.seats[0]}`));
      go(joined.seats.length > 0 ? `/play#${joined.match}/${joined.seats[0]}` : `/${joined.role === "arbiter" ? "desk" : "table"}#${joined.match}`);
    } catch (failure) {
      const refused = failure instanceof Refused ? failure : null, isMalformed = refused?.problem?.errors?.some((each) => each.pointer !== "/name") ?? false;
      setProblem(isMalformed ? { title: t("join_no_code"), detail: t("join_code_help") } : refused ? refused.problem : { title: t("went_wrong"), detail: t("try_again") });
      setDead(isMalformed || ["unknown-code", "code-expired"].includes(refused?.kind ?? ""));
    }
  });
  return html`<div class="poster" aria-hidden="true"></div><main class="home">
    <div class="row"><h1 class="grow">${t(kind ? `join_${kind}` : "join_title")}</h1><${LanguageSwitch} language=${language} onChoose=${setLanguage} /></div>
    ${seated && html`<a class="btn call wide" href=${`/play#${seated}`}><b>${t("join_back")}</b></a><p class="note">${t("join_again")}</p>`}
    <form onSubmit=${sit} class="form">
      ${(given === "" || isDead) && html`<label>${t("join_code")}<input class="code" value=${code} onInput=${(/** @type {any} */ e) => setCode(readCode(e.target.value))}
        required autocomplete="off" autocapitalize="characters" spellcheck=${false} maxlength="200" aria-describedby="code-help" /></label>
        <p class="note" id="code-help">${t("join_code_help")}</p>`}
      ${isDevice ? html`<p>${t("join_device_help")}</p>` : html`<label>${t("join_name")}<input value=${name} onInput=${(/** @type {any} */ e) => setName(e.target.value)} required maxlength="40"
        autocomplete="given-name" /></label>`}
      <button class=${`wide tall ${seated ? "" : "call"}`} disabled=${busy}><b>${t(kind ? `join_${kind}` : "join_sit")}</b></button>
    </form>
    ${!canStore() && html`<p class="note">${t("join_not_stored")}</p>`}
    <a class="btn wide" href="/">${t("desk_home")}</a>
  </main>${problem && html`<${ProblemSheet} problem=${problem} onClose=${() => setProblem(null)} />`}`;
}

/** Sit down with a code, and remember the seat on this device. @param {string} code @param {string} name @param {boolean} [hasSeat] false: the code is for an onlooker or an official */
export async function joinMatch(code, name, hasSeat = true) {
  /** @param {string} [commitment] */
  const join = (commitment) => call("POST", "/v1/join", { body: { code, name: name || undefined, lang: chosen(), seed_commitment: commitment } });
  /** @param {any} failure */
  const joinWithoutSeat = async (failure) => { // a code that was typed does not say that it is for no seat
    if (failure.problem?.errors?.some((/** @type {any} */ each) => each.pointer === "/seed_commitment")) return [await join()];
    throw failure;
  };
  const chains = hasSeat && (await findChains()), [joined, chain] = chains ? await chains.takeSeat(join).catch(joinWithoutSeat) : [await join()];
  if (joined.tournament) {
    const { format } = await call("GET", `/v1/tournaments/${joined.tournament}`);
    saveSeat({ match: joined.tournament, role: "tournament", seat: null, token: joined.token, game: format.game, at: Date.now() });
    return joined;
  }
  const about = await call("GET", `/v1/matches/${joined.match}`, { token: joined.token });
  for (const seat of joined.seats.length > 0 ? joined.seats : [null])
    saveSeat({ match: joined.match, role: seat === null ? joined.role : `seat:${seat}`, seat, token: joined.token, game: about.game, at: Date.now(), chain });
  return joined;
}

/** Log this device in to an account, and remember the seats of its matches. @param {string} secret */
async function addDevice(secret) {
  const { player, token } = await call("POST", "/v1/devices", { body: { secret } });
  const { items } = await call("GET", `/v1/players/${player}/matches/open`, { token });
  for (const { match, game, seats } of items) for (const seat of seats) saveSeat({ match, role: `seat:${seat}`, seat, token, game, at: Date.now() });
}
