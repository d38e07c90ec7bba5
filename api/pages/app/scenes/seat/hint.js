// @ts-check
// A hint of the referee: up to three moves, how they compare and what sets them apart. A tap chooses, another one plays.
import { call } from "../../lib/api.js";
import { useHiding } from "../../lib/follow.js";
import { html, useState } from "../../lib/html.js";
import { keepReceipt } from "../../lib/receipts.js";
import { fillNames, say, t } from "../../lib/words.js";
import { Sheet, Toggle, useOnce } from "../../parts/basic.js";
import { readProblem } from "../../parts/ruling.js";

/** @typedef {import("../../contract").components["schemas"]} Schemas */

const TRIES = 2; // the server waits for the hint by itself

/**
 * The button that asks for a hint, where the match allows it and there is something to decide.
 * @param {{followed: import("../../lib/match.js").FollowedMatch, drawing: any, showWhy: (why: any) => void,
 *   attempt: (write: () => Promise<any>, title: string, move?: any) => Promise<void>}} props
 */
export function Hint({ followed, drawing, attempt, showWhy }) {
  const { about, moves, match, path, token, entries } = followed;
  const [hint, setHint] = useState(/** @type {Schemas["Hint"] | null} */ (null));
  useHiding(() => setHint(null)); // it names cards of the hand
  const [busy, ask] = useOnce(async () => {
    try {
      const found = await call("POST", `${path}/hints`, { token, tries: TRIES });
      keepReceipt(match, found.receipt);
      setHint(found);
    } catch (failure) {
      const problem = readProblem(failure);
      showWhy({ title: t("hint"), ruling: problem.ruling, problem });
    }
  });
  const choices = (moves?.legal.filter((each) => each.flag !== "gives_up").length ?? 0) + (moves?.pickers.length ?? 0);
  if (!about?.hints || !moves || moves.halted || choices === 0) return null;
  const isOver = hint !== null && entries.some((each) => each.version > hint.version && each.seat !== "table"); // play has gone on
  /** @param {Schemas["LegalMove"] | null} legal */
  const play = (legal) => {
    setHint(null);
    if (legal) attempt(() => followed.makeMove(legal.move), fillNames(say(legal.told), drawing.names), legal.move);
  };
  return html`<section><button class="wide" aria-busy=${busy} onClick=${ask}><b>${t(busy ? "hint_thinking" : "hint")}</b><small>${t("hint_small")}</small></button></section>
    ${hint && !isOver && html`<${HintSheet} options=${hint.options} names=${drawing.names} onPlay=${play} onClose=${() => setHint(null)} />`}`;
}

/** @param {{options: Schemas["HintOption"][], names: Record<string, string>, onPlay: (legal: Schemas["LegalMove"] | null) => void, onClose: () => void}} props */
function HintSheet({ options, names, onPlay, onClose }) {
  const [at, choose] = useState(0), chosen = options[at];
  return html`<${Sheet} title=${t("hint")} striped onClose=${onClose}><div class="stack">${options.map((each, index) => html`<${Toggle} key=${index} on=${index === at} onClick=${() => choose(index)}>
      <span class="row"><b class="grow">${say(each.legal?.told, names) || t("hint_idle")}</b>${each.estimate !== null && html`<span class="num">${Math.round(100 * each.estimate)} %</span>`}</span>
      <small>${say(each.says, names)}</small><//>`)}</div>
    ${chosen && chosen.facts.length > 0 && html`<div class="box" aria-live="polite"><b>${t("hint_facts")}</b>${chosen.facts.map((fact) => html`<p>${say(fact, names)}</p>`)}</div>`}
    <p class="note">${t("hint_how")}</p>
    <button class="call wide" onClick=${() => onPlay(chosen?.legal ?? null)}><b>${t("hint_play")}</b></button><//>`;
}
