// @ts-check
// My seat: whose turn it is, what the referee asks, what I can do, what I cannot and why, my hand under the thumb.
import { findDrawer, readBoard } from "../../boards/boards.js";
import { findChains, Refused } from "../../lib/api.js";
import { findSeat } from "../../lib/device.js";
import { useHiding, useMatch } from "../../lib/follow.js";
import { html, useEffect, useLayoutEffect, useState } from "../../lib/html.js";
import { fillNames, joinWords, nameSeat, say, t } from "../../lib/words.js";
import { ConnectionBanner, Instead, Svg, WHISTLE } from "../../parts/basic.js";
import { Questions } from "../../parts/asked.js";
import { useCards } from "../../parts/games.js";
import { Oops } from "../dispute/oops.js";
import { Roster } from "../../parts/roster.js";
import { ProblemSheet, readProblem, WhyNot } from "../../parts/ruling.js";
import { Asked } from "./asked.js";
import { Hand } from "./hand.js";
import { findNextHolder, HandOn, listOwnSeats } from "./handing.js";
import { Hint } from "./hint.js";
import { Lobby } from "./lobby.js";
import { Moves } from "./moves.js";
import { CallOfficial, OpenCall } from "./official.js";
import { Over } from "./over.js";
import { ForAll, isRealTable, Reports } from "./reports.js";

/** @param {{hash: string, go: (address: string) => void}} props `hash` is match/seat */
export default function Seat({ hash, go }) {
  const [match = "", number = "0"] = hash.split("/"), seat = Number(number);
  const saved = findSeat(match, `seat:${seat}`);
  if (!saved) return html`<${Instead} title=${t("not_your_seat")} text=${t("not_your_seat_help")}><a class="btn wide" href="/join">${t("home_join")}</a><//>`;
  return html`<${Table} match=${match} seat=${seat} token=${saved.token} go=${go} />`;
}

/** @param {{match: string, seat: number, token: string, go: (address: string) => void}} props */
function Table({ match, seat, token, go }) {
  const followed = useMatch({ match, seat, token });
  const { about, view, moves, names, connection, refusal, pending } = followed;
  const cards = useCards(about?.game, about?.edition);
  const [isOpen, setOpen] = useState(false);
  const [refused, setRefused] = useState(/** @type {any} */ (null));
  const [late, setLate] = useState(0);
  const next = findNextHolder(followed);
  useEffect(() => void (next !== null && setOpen(false)), [next]); // whoever holds the phone next may come back here
  useHiding(() => setRefused((/** @type {any} */ before) => (before?.ruling ? null : before))); // it may name a card of the hand
  const turnOfMine = Boolean(view?.awaits.includes(seat));
  useEffect(() => {
    findChains().then((chains) => chains?.tendChain(followed));
  }, [about]);
  useKeptFocus(view?.version ?? 0);
  useTurnSignal(turnOfMine && view?.status === "running", t("your_turn"));

  if (refusal) return html`<${Instead} title=${t("went_wrong")} text=${refusal.message} />`;
  if (view?.status === "withdrawn") return html`<${Instead} title=${t("lobby_closed")} />`;
  if (!about || !view) return html`<${Instead} />`;
  const drawing = { game: about.game, cards, names, me: seat };
  const board = readBoard(view), drawer = findDrawer(about.game);

  /** Send something; what is refused is shown with its reason. @param {() => Promise<any>} write @param {string} title @param {any} [move] */
  async function attempt(write, title, move) {
    try {
      await write();
      setOpen(false);
    } catch (failure) {
      if (failure instanceof Refused && failure.isOvertaken && !failure.problem?.ruling) return setLate((count) => count + 1);
      const problem = readProblem(failure);
      setRefused({ title, ruling: problem.ruling, problem, move });
    }
  }
  /** Dispute a refusal; a move that was never sent is made first. */
  async function disagree() {
    const { move, isUnsent } = refused;
    if (isUnsent && !(await followed.makeMove(move).then(() => false, readProblem))) return setRefused(null); // by now it is possible
    go(`/dispute#${match}/${seat}${move ? `/${view?.version}/${encodeURIComponent(JSON.stringify(move))}` : ""}`);
  }
  const shared = { followed, drawing, attempt, showWhy: setRefused };
  if (next !== null) return html`<${HandOn} seat=${next} names=${names} onTaken=${() => go(`/play#${match}/${next}`)} />`;
  const others = listOwnSeats(match).filter((each) => each !== seat);
  return html`<div class="page-seat" data-version=${view.version}>
    <${ConnectionBanner} connection=${connection} pending=${pending.length} />
    ${followed.split && html`<p class="banner still" role="alert">${t("split", { version: followed.split.version })}</p>`}
    ${about.asleep && about.version === view.version && html`<p class="note centre">${t("asleep")}</p>`}
    <${Notice} count=${late + Number(followed.lateRefusal !== null)} text=${t("too_late")} />
    ${view.status === "lobby" ? html`<${Lobby} ...${shared} />` : board && html`
      <${Roster} seats=${board.seats.map((/** @type {any} */ each) => ({ seat: each.seat, line: drawer.describeSeat(each, board) }))}
        names=${names} me=${seat} turn=${board.turn}>
        <button class="icon" aria-label=${t("something_wrong")} onClick=${() => go(`/dispute#${match}/${seat}`)}><${Svg} svg=${WHISTLE} /></button><//>
      <main>
        ${view.outcome ? html`<${Over} ...${shared} go=${go} />` : html`
          <h1 class="turn" tabindex="-1">${headline(view, seat, names, moves?.halted != null, about)}</h1>
          <${Questions} questions=${moves?.asked ?? []} names=${names} more=${`/dispute#${match}/${seat}`}
            onAnswer=${(/** @type {any} */ question, /** @type {any} */ body) => attempt(() => followed.send(question.path, body), say(question.asks))} />
          ${about.call ? html`<${OpenCall} ...${shared} />` : html`<${Asked} ...${shared} drawer=${drawer} />`}
          <${ForAll} ...${shared} />
          <${Moves} ...${shared} isOpen=${isOpen} onOpen=${() => setOpen(true)} />
          <${ForAll} ...${shared} isLate />
          <${Hint} ...${shared} />
          ${view.awaits.includes("chance") && html`<${Reports} ...${shared} key=${view.version} />`}
          <${CallOfficial} ...${shared} />`}
        ${isRealTable(about) && !view.outcome && moves?.halted == null && html`<${Oops} entries=${followed.entries} match=${match} seat=${seat} version=${view.version} drawing=${drawing} most=${2}
          send=${(/** @type {string} */ path, /** @type {any} */ body, /** @type {any} */ options) => attempt(() => followed.send(path, body, options), t("court_oops"))} />`}
        ${others.length > 0 && html`<section class="row wrap">${others.map((each) => html`<a class="btn" key=${each} href=${`/play#${match}/${each}`}>${t("hand_to", { name: nameSeat(each, names) })}</a>`)}</section>`}
        <section class="table"><h2 class="grp">${t("table")}</h2><${drawer.Table} board=${board} drawing=${drawing} /></section>
        <nav class="grid2 centre"><a class="btn" href=${about.tournament ? `/tournament#${about.tournament}` : "/"}>${t(about.tournament ? "to_tournament" : "desk_home")}</a><a class="btn" href=${`/rules#${about.game}`}>${t("home_rules")}</a></nav>
      </main>
      ${!view.outcome && html`<${Hand} board=${board} seat=${seat} drawing=${drawing} moves=${moves} isOpen=${isOpen} setOpen=${setOpen} />`}`}
    ${refused && (refused.ruling
      ? html`<${WhyNot} title=${fillNames(refused.title, names)} ruling=${refused.ruling} names=${names} game=${about.game} onClose=${() => setRefused(null)}
        onDisagree=${disagree} />`
      : html`<${ProblemSheet} problem=${refused.problem} onClose=${() => setRefused(null)} />`)}
  </div>`;
}

/** @param {any} view @param {number} seat @param {Record<string, string>} names @param {boolean} isHalted @param {any} about */
function headline(view, seat, names, isHalted, { chance, seats }) {
  if (isHalted) return t("paused");
  if (view.awaits.includes(seat)) return view.board.turn === seat || view.board.turn === null ? t("your_turn") : t("you_are_asked");
  if (view.awaits.includes("chance")) return t(Object.values(chance).includes("table") ? "report_now" : "chance_now");
  const others = view.awaits.filter((/** @type {any} */ each) => typeof each === "number");
  if (others.length === 1 && seats[others[0]]?.kind === "bot") return t("bot_thinks", { name: nameSeat(others[0], names) });
  if (others.length === 1 && others[0] === view.board.turn) return t("turn_of", { name: nameSeat(others[0], names) });
  return others.length > 0 ? t("waiting_for", { names: joinWords(others.map((/** @type {number} */ each) => nameSeat(each, names))) }) : "";
}

/** Lead the focus back to the headline if what had it is gone. @param {number} version */
function useKeptFocus(version) {
  useLayoutEffect(() => {
    if (document.activeElement === document.body && lastInput === "keydown")
      /** @type {HTMLElement | null} */ (document.querySelector("h1.turn"))?.focus({ preventScroll: true });
  }, [version]);
}

let lastInput = "";
for (const name of ["keydown", "pointerdown"]) addEventListener(name, (event) => (lastInput = event.type), true);

/** Say by title and vibration that it is my turn. @param {boolean} isMine @param {string} text */
function useTurnSignal(isMine, text) {
  useEffect(() => {
    document.title = isMine ? `● ${text}` : "Referee";
    if (isMine && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(120); // browsers refuse it before the first tap
    return () => void (document.title = "Referee");
  }, [isMine, text]);
}

/** Say something for a few seconds, whenever `count` grows. @param {{count: number, text: string}} props */
function Notice({ count, text }) {
  const [shown, setShown] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setShown(count), 4000);
    return () => clearTimeout(timer);
  }, [count]);
  return html`<div role="status" class=${count > shown ? "banner" : ""}>${count > shown ? text : ""}</div>`;
}
