// @ts-check
// The proof as a file of its own: the scene alone, without the rest of the page.
import { html, render, useEffect, useState } from "../../lib/html.js";
import { language, onLanguage, setLanguage } from "../../lib/words.js";
import Verify from "./verify.js";

function Saved() {
  const [shown, setShown] = useState(language());
  useEffect(() => onLanguage(() => setShown(language())), []);
  return html`<${Verify} language=${shown} setLanguage=${setLanguage} isSaved />`;
}

render(html`<${Saved} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
