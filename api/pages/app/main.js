// @ts-check
// Shows the scene that the address names. Match and code stand behind `#`, which a browser keeps to itself.
import { findChains } from "./lib/api.js";
import { html, render, useEffect, useState } from "./lib/html.js";
import { language, onLanguage, setLanguage, t } from "./lib/words.js";

/** @type {Record<string, () => Promise<{default: any}>>} each scene is loaded when it is first shown */
const SCENES = {
  "": () => import("./scenes/home/home.js"),
  join: () => import("./scenes/join/join.js"),
  host: () => import("./scenes/host/host.js"),
  play: () => import("./scenes/seat/seat.js"),
  table: () => import("./scenes/screen/screen.js"),
  dispute: () => import("./scenes/dispute/dispute.js"),
  desk: () => import("./scenes/desk/desk.js"),
  history: () => import("./scenes/history/history.js"),
  verify: () => import("./scenes/verify/verify.js"),
  judge: () => import("./scenes/judge/judge.js"),
  rules: () => import("./scenes/rules/rules.js"),
  cards: () => import("./scenes/cards/cards.js"),
  tournament: () => import("./scenes/tournament/tournament.js"),
  rounds: () => import("./scenes/tournament/rounds.js"),
};
const NOWHERE = () => import("./parts/basic.js").then(({ Instead }) => ({ default: () => html`<${Instead} title=${t("no_page")} />` }));

const readPlace = () => ({ scene: location.pathname.replace(/^\/|\/$/g, ""), hash: decode(location.hash.slice(1)) });

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return ""; // the address was damaged on its way
  }
}

/** Show another scene. @param {string} address */
export function go(address) {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
}

/** Follow links to scenes without loading the page again. @param {MouseEvent} event */
function followLink(event) {
  const link = /** @type {Element} */ (event.target).closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = new URL(/** @type {HTMLAnchorElement} */ (link).href);
  if (address.origin !== location.origin || !(address.pathname.slice(1) in SCENES) || link.hasAttribute("target")) return;
  event.preventDefault();
  go(address.pathname + address.hash);
}

const AGAIN = 3000; // milliseconds until a scene that could not be loaded is asked for again

function Page() {
  const [place, setPlace] = useState(readPlace);
  const [shown, setShown] = useState(/** @type {any} */ (null)); // the place with its scene; another stays until its scene is loaded
  const [, setLanguageShown] = useState(language());
  useEffect(() => {
    const change = () => setPlace(readPlace());
    addEventListener("popstate", change);
    addEventListener("hashchange", change);
    document.addEventListener("click", followLink);
    return onLanguage(() => setLanguageShown(language()));
  }, []);
  useEffect(() => {
    let isCurrent = true;
    const load = (Object.hasOwn(SCENES, place.scene) && SCENES[place.scene]) || NOWHERE;
    load().then((loaded) => isCurrent && setShown({ ...place, view: loaded.default }), () => {
      setShown((/** @type {any} */ before) => before && { ...before, isLost: true });
      setTimeout(() => isCurrent && setPlace({ ...place }), AGAIN);
      fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).then(({ status }) => status === 404 && location.reload(), () => {}); // by now the server has another page
    });
    return () => void (isCurrent = false);
  }, [place]);
  if (!shown) return html`<main aria-busy="true"><p class="note">${t("loading")}</p></main>`;
  return html`${shown.isLost && html`<div role="alert" class="banner">${t("lost")}</div>`}<${shown.view} key=${`${shown.scene}#${shown.hash}`} hash=${shown.hash} go=${go} language=${language()} setLanguage=${setLanguage} />`;
}

render(html`<${Page} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
setTimeout(findChains, 1000); // before somebody sits down
