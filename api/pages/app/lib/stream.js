// @ts-check
// Server-sent events by fetch, because EventSource cannot send a token: resumes after the last event, tells when lost.
import { drawWait, makeHeaders, pause, readRefusal, Refused } from "./api.js";

/** @typedef {{name: string, id: number | null, data: any}} StreamEvent */

const GONE = [401, 403, 404, 410], SILENCE = 60_000; // the server sends more often than every 60 s

/**
 * Yield the events of a stream until it ends by itself. A lost connection is `{name: "lost"}`, a new one `{name: "open"}`.
 * @param {string} path @param {{token?: string, after?: number | null, signal: AbortSignal}} options
 * @returns {AsyncGenerator<StreamEvent, void>}
 */
export async function* readStream(path, { token, after = null, signal }) {
  for (let failed = 0; !signal.aborted; ) {
    const lost = new AbortController(), stop = () => lost.abort();
    signal.addEventListener("abort", stop);
    let wait = 0;
    try {
      /** @type {Record<string, string>} */
      const headers = { ...makeHeaders(token), Accept: "text/event-stream" };
      if (after !== null) headers["Last-Event-ID"] = String(after);
      const answer = await fetch(path, { headers, signal: lost.signal });
      if (answer.status === 204) return;
      if (GONE.includes(answer.status)) throw await readRefusal(answer);
      if (answer.ok && answer.body) {
        yield { name: "open", id: after, data: null };
        for await (const event of readEvents(answer.body, lost)) {
          failed = 0;
          if (event.id !== null) after = event.id;
          yield event;
          if (event.name === "end") return;
        }
      } else wait = 1000 * Number(answer.headers.get("Retry-After"));
    } catch (failure) {
      if (failure instanceof Refused) throw failure;
    } finally {
      signal.removeEventListener("abort", stop);
      lost.abort();
    }
    if (signal.aborted) return;
    yield { name: "lost", id: after, data: null };
    await wakeUp(wait || drawWait(failed++), signal);
  }
}

/** Wait, but no longer than until the network or the page is back. @param {number} wait @param {AbortSignal} signal */
function wakeUp(wait, signal) {
  const events = /** @type {[EventTarget, string][]} */ ([[window, "online"], [document, "visibilitychange"], [signal, "abort"]]);
  return new Promise((resolve) => {
    const done = () => {
      for (const [target, name] of events) target.removeEventListener(name, done);
      resolve(undefined);
    };
    for (const [target, name] of events) target.addEventListener(name, done);
    pause(wait).then(done);
  });
}

/** @param {ReadableStream<Uint8Array>} body @param {AbortController} lost @returns {AsyncGenerator<StreamEvent, void>} */
async function* readEvents(body, lost) {
  const reader = body.getReader(), decoder = new TextDecoder();
  for (let rest = ""; ; ) {
    const silence = setTimeout(() => lost.abort(), SILENCE);
    const piece = await reader.read().finally(() => clearTimeout(silence));
    if (piece.done) return; // an event that was cut off is dropped; it comes again
    const blocks = (rest + decoder.decode(piece.value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(block.split("\n").map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
      }));
      const data = fields.get("data"), id = fields.get("id");
      if (data) yield { name: fields.get("event") ?? "message", id: id ? Number(id) : null, data: JSON.parse(data) };
    }
  }
}
