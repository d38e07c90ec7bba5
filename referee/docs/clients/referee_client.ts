// A client of the referee to copy into an app: typed calls, retries, and streams that resume. It needs `fetch` and the
// types of the contract, which are made by: npx openapi-typescript openapi.yaml -o contract.ts
//
//   const anyone = new Referee("http://localhost:8000");
//   const chain = await SeedChain.make(); // gives Ada a share in the server's draws; all works without one, too
//   const joined = await anyone.call("post", "/v1/join", { body: { code: "K7MQ2X", name: "Ada", seed_commitment: chain.commitment } });
//   const ada = anyone.withToken(joined.token);
//   for await (const situation of ada.streamSituations(joined.match, 0)) {
//     draw(situation.view.board);
//     ...
//     await ada.makeMove(joined.match, 0, chosen.move, situation.version, chain);
//   }
import type { components, paths } from "./contract";

export type Schemas = components["schemas"];
export type Method = "get" | "post" | "put" | "patch" | "delete";
/** The body of a request. */
export type Body<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  requestBody?: { content: { "application/json": infer B } };
} ? B : never;
/** The body of the answer if the request succeeds; null where there is none, as after most deletions. */
export type Good<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 | 202 ? (R[S] extends { content: { "application/json": infer B } } ? B : never)
      : S extends 204 ? null : never }[keyof R]
  : never;
export type StreamEvent =
  | { name: "entry"; version: number; data: Schemas["Entry"] }
  | { name: "situation"; version: number; data: Schemas["Situation"] }
  | { name: "snapshot"; version: number; data: Schemas["View"] }
  | { name: "end" };
export type TournamentEvent =
  | { name: "entry"; version: number; data: Schemas["TournamentEntry"] }
  | { name: "snapshot"; version: number; data: Schemas["Tournament"] }
  | { name: "queue"; data: Schemas["Queue"] } // to officials only
  | { name: "end" };
/** Returns a whole number from 0 on that is less than the one given. */
export type Below = (many: number) => number;

const TRIES = 6; // of one request, before it is given up
const LONGEST_WAIT = 20_000; // milliseconds between two tries
const SILENCE = 60_000; // milliseconds without a byte after which a stream counts as lost; the server sends more often
const FIRST_LINKS = 2; // links to show before the start
const CHAIN_LENGTH = 1000; // links of a chain; a draw uses up one at most
const LINK_PROBLEMS = ["link-mismatch", "seed-mismatch", "seed-unbound"]; // the move itself may be right
const AGAIN = [429, 502, 503, 504]; // nothing was decided: the same request may be sent again

/** A request was refused; the problem document (RFC 9457) says why. It is null if a proxy on the way refused. */
export class Refused extends Error {
  /** What proves later that the server refused a signed move: a line of JSON for `referee verify --refusals`. */
  kept?: { note: string; nonce: string; move: Schemas["Move"] };

  constructor(readonly status: number, readonly problem: Schemas["Problem"] | null) {
    super(`${status} ${problem?.type ?? ""}: ${problem?.detail ?? ""}`);
  }
  /** Somebody else was faster. Nothing is wrong then: look at the next situation, and ask the player again. */
  get isOvertaken(): boolean {
    return this.status === 412 || ["overtaken", "window-closed", "match-over"].includes(this.kind);
  }
  /** The rules forbid the move: `problem.ruling` says why, `problem.legal` lists what is legal. */
  get isAgainstTheRules(): boolean {
    return this.kind === "illegal-move";
  }
  get kind(): string {
    return this.problem?.type.replace("/problems/", "") ?? "";
  }
}

export interface Options<B> {
  in?: Record<string, string | number>; // what stands for the names in the path
  query?: Record<string, string | number>;
  body?: B;
  ifMatch?: number; // the version that a write is meant for
  key?: string; // stored by the app to repeat a write after a restart
}

/**
 * What a seat adds to the server's draws, so that nobody decides them alone: a chain of hashes. Each link is the SHA-256 of
 * a label and the link after it. The seat commits to the first and shows one after the other with its moves. Keep `end`
 * where only the app can read it, and restore the chain from it after a restart. A browser hashes over https only.
 */
export class SeedChain {
  at = 0; // the place of the newest link that the match has

  private constructor(readonly end: Uint8Array, readonly links: readonly string[]) {}

  /** Makes a new chain, or restores one from its end of 32 bytes. */
  static async make(end = crypto.getRandomValues(new Uint8Array(32)), length = CHAIN_LENGTH): Promise<SeedChain> {
    const label = new TextEncoder().encode("referee/v1/seed|"), links = [writeHex(end)];
    for (let link = end, at = 0; at < length; at++) {
      link = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array([...label, ...link])));
      links.push(writeHex(link));
    }
    return new SeedChain(end, links.reverse());
  }

  /** What the seat commits to when it joins, or later with `PUT …/seed`. */
  get commitment(): string {
    return this.links[0] ?? "";
  }

  /** The link to show next: the same until the match has taken it; undefined at the end of the chain. */
  get nextLink(): string | undefined {
    return this.links[this.at + 1];
  }

  /** Notes whether the match took the link that was sent with a move, by the answer to the move. */
  noteAnswer(answer: Schemas["MoveResult"]): void {
    for (const event of answer.entry.events) if (event.type === "table.LinkRevealed" && "link" in event) this.goTo(event.link);
  }

  /** Goes on from what the match has of a seat, by its `seeds`; returns whether it is bound to this chain. */
  follow(seeds: Schemas["Match"]["seeds"], seat: number): boolean {
    const bound = seeds.find((each) => each.seat === seat);
    if (bound?.commitment !== this.commitment) return false;
    this.goTo(bound.seed);
    return true;
  }

  private goTo(link: unknown): void {
    this.at = Math.max(this.at, this.links.findIndex((each) => each === link));
  }
}

/**
 * The key with which the device of a seat signs its moves, so that nobody can make one up. Make one for each match; keep
 * `pkcs8` where only the app can read it, and restore the key from it after a restart. A browser signs over https only.
 */
export class DeviceKey {
  private constructor(readonly pkcs8: Uint8Array, readonly publicKey: string, private readonly key: CryptoKey) {}

  /** Makes a new key, or restores one. */
  static async make(pkcs8?: Uint8Array<ArrayBuffer>): Promise<DeviceKey> {
    const kept = pkcs8 ?? new Uint8Array([...PKCS8_HEAD, ...crypto.getRandomValues(new Uint8Array(32))]);
    const key = await crypto.subtle.importKey("pkcs8", kept, "Ed25519", true, ["sign"]);
    const { x } = await crypto.subtle.exportKey("jwk", key);
    const bytes = Uint8Array.from(atob((x ?? "").replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    return new DeviceKey(kept, writeHex(bytes), key);
  }

  /** What is sent as `signed` with a move and its link; `root` is that of the situation with the version `seen`. */
  async sign(
    match: string, seat: number, seen: number, root: string, move: Schemas["Move"], link?: string,
  ): Promise<Schemas["MoveSignatureBody"]> {
    const nonce = crypto.getRandomValues(new Uint8Array(16)), encoder = new TextEncoder(), label = "referee/v1/move";
    const hidden = new Uint8Array([...encoder.encode(`${label}|`), ...nonce, ...encoder.encode(writeCanonical(move))]);
    const digest = writeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", hidden)));
    const text = encoder.encode(`${label}\n${match}\n${seat}\n${seen} ${root}\n${link ?? "-"}\n${digest}\n`);
    return { nonce: writeHex(nonce), signature: writeHex(new Uint8Array(await crypto.subtle.sign("Ed25519", this.key, text))) };
  }
}

const PKCS8_HEAD = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]; // before the 32 bytes of a key

/** Writes JSON with members in order and without spaces. */
function writeCanonical(data: unknown): string {
  if (Array.isArray(data)) return `[${data.map(writeCanonical).join(",")}]`;
  if (typeof data !== "object" || data === null) return JSON.stringify(data);
  const members = Object.entries(data).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${writeCanonical(value)}`).join(",")}}`;
}

const writeHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A person who calls the server: with a token, or without one. */
export class Referee {
  constructor(readonly base: string, readonly token = "", readonly language: "en" | "de" = "en") {}

  withToken(token: string): Referee {
    return new Referee(this.base, token, this.language);
  }

  /**
   * Makes a request. Every try of a write has the same key, so it is done once however often the connection fails.
   * If the server asks for a longer wait than `LONGEST_WAIT`, that is thrown.
   */
  async call<P extends keyof paths, M extends Method & keyof paths[P]>(
    method: M, path: P, options: Options<Body<P, M>> = {},
  ): Promise<Good<P, M>> {
    const headers: Record<string, string> = {};
    if (method !== "get") headers["Idempotency-Key"] = options.key ?? crypto.randomUUID();
    if (options.ifMatch !== undefined) headers["If-Match"] = `"v${options.ifMatch}"`;
    const init: RequestInit = { method: method.toUpperCase(), headers };
    if (options.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(options.body);
    }
    const address = fillPath(path, options.in, options.query);
    for (let number = 1; ; number++) {
      let wait = drawWait(number);
      try {
        const answer = await this.send(address, init);
        if (answer.ok) {
          const text = await answer.text();
          const found: Good<P, M> = JSON.parse(text === "" ? "null" : text);
          return found;
        }
        const refused = await readRefusal(answer);
        const asked = retryAfter(answer) ?? wait;
        if (number === TRIES || !AGAIN.includes(answer.status) || asked > LONGEST_WAIT) throw refused;
        wait = asked;
      } catch (failure) {
        if (failure instanceof Refused || number === TRIES) throw failure;
      }
      await pause(wait);
    }
  }

  /**
   * Makes a move that was decided on at version `seen`, with the next link of the seat's chain. It is signed if there is a
   * key, with the `root` of the situation. Throws `Refused`; if it `isOvertaken`, wait for the next situation.
   */
  async makeMove(
    match: string, seat: number | "chance", move: Schemas["Move"], seen: number, chain?: SeedChain,
    signing?: { key: DeviceKey; root: string },
  ): Promise<Schemas["MoveResult"]> {
    const link = seat === "chance" ? undefined : chain?.nextLink;
    const signed = seat === "chance" ? undefined : await signing?.key.sign(match, seat, seen, signing.root, move, link);
    const body = { move, seen, ...(link === undefined ? {} : { link }), ...(signed === undefined ? {} : { signed }) };
    try {
      const made = await this.call("post", "/v1/matches/{match}/seats/{seat}/moves", { in: { match, seat }, body });
      chain?.noteAnswer(made);
      return made;
    } catch (failure) {
      if (signed !== undefined && failure instanceof Refused && failure.problem?.refusal !== undefined)
        failure.kept = { note: failure.problem.refusal, nonce: signed.nonce, move };
      if (signed !== undefined && failure instanceof Refused && failure.kind === "signature-misfit")
        return this.makeMove(match, seat, move, seen, chain); // the seat has another key, or the server another history
      if (seat === "chance" || link === undefined || !(failure instanceof Refused && LINK_PROBLEMS.includes(failure.kind))) throw failure;
      const { seeds } = await this.call("get", "/v1/matches/{match}", { in: { match } });
      const isBound = chain?.follow(seeds, seat) ?? false; // otherwise to the chain of another device
      return this.makeMove(match, seat, move, seen, isBound && chain?.nextLink !== link ? chain : undefined, signing);
    }
  }

  /** Names the key with which the device of a seat signs its moves. */
  async nameKey(match: string, seat: number, key: DeviceKey): Promise<void> {
    await this.call("put", "/v1/matches/{match}/seats/{seat}/key", { in: { match, seat }, body: { key: key.publicKey } });
  }

  /** Shows the first links of a seat's chain before the start, once everybody is bound: nobody could know the second then. */
  async showSeed(match: string, seat: number, chain: SeedChain): Promise<void> {
    for (let link = chain.nextLink; link !== undefined && chain.at < FIRST_LINKS; link = chain.nextLink) {
      await this.call("put", "/v1/matches/{match}/seats/{seat}/seed", { in: { match, seat }, body: { reveal: link } });
      const { seeds } = await this.call("get", "/v1/matches/{match}", { in: { match } });
      if (!chain.follow(seeds, seat)) return;
    }
  }

  /** Starts a match at the version that it has now: what happened since the host looked does not matter. */
  async startMatch(match: string): Promise<Schemas["WriteResult"]> {
    for (;;) {
      const about = await this.call("get", "/v1/matches/{match}", { in: { match } });
      try {
        return await this.call("post", "/v1/matches/{match}/start", { in: { match }, ifMatch: about.version });
      } catch (failure) {
        if (!(failure instanceof Refused && failure.status === 412)) throw failure;
      }
    }
  }

  /** Yields the situation of a seat now, and whenever it has changed, until the match is over. */
  async *streamSituations(match: string, seat: number): AsyncGenerator<Schemas["Situation"], void> {
    const query = { viewer: `seat:${seat}`, send: "situations" };
    const events = this.stream("/v1/matches/{match}/stream", { in: { match }, query });
    for await (const event of events) if (event.name === "situation") yield event.data;
  }

  /** Yields what happens in a tournament, after a snapshot of it, until it is over. */
  streamTournament(tournament: string, after?: number): AsyncGenerator<TournamentEvent, void> {
    return this.follow(fillPath("/v1/tournaments/{tournament}/stream", { tournament }), parseTournamentEvent, after);
  }

  /** Yields the events of a stream of a match; resumes after the last one whenever the connection is lost. */
  stream(path: keyof paths, options: Options<never>, after?: number): AsyncGenerator<StreamEvent, void> {
    return this.follow(fillPath(path, options.in, options.query), parseEvent, after);
  }

  private async *follow<E extends { name: string; version?: number }>(
    address: string, parse: Parse<E>, after?: number,
  ): AsyncGenerator<E, void> {
    for (let failed = 0; ; ) {
      const lost = new AbortController();
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (after !== undefined) headers["Last-Event-ID"] = String(after);
      let wait: number | null = null;
      try {
        const answer = await this.send(address, { headers, signal: lost.signal });
        if (answer.status === 204) return; // there is nothing more
        if (answer.ok && answer.body !== null) {
          for await (const event of readEvents(answer.body, lost, parse)) {
            failed = 0;
            after = event.version ?? after;
            yield event;
            if (event.name === "end") return;
          }
        } else {
          const refused = await readRefusal(answer);
          if (!AGAIN.includes(answer.status)) throw refused;
          wait = retryAfter(answer);
        }
      } catch (failure) {
        if (failure instanceof Refused || failure instanceof SyntaxError) throw failure;
      } finally {
        lost.abort(); // also if the app stops listening
      }
      failed++;
      await pause(wait ?? drawWait(failed));
    }
  }

  private send(address: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("Accept-Language", this.language);
    if (this.token !== "") headers.set("Authorization", `Bearer ${this.token}`);
    return fetch(this.base + address, { ...init, headers });
  }
}

type Parse<E> = (name: string, data: string, version: number) => E | null;

/** Yields the events in the lines of a stream (WHATWG HTML, 9.2); one that was cut off is dropped. */
async function* readEvents<E>(
  body: ReadableStream<Uint8Array>, lost: AbortController, parse: Parse<E>,
): AsyncGenerator<E, void> {
  const reader = body.getReader(), decoder = new TextDecoder();
  for (let rest = ""; ; ) {
    const silence = setTimeout(() => lost.abort(), SILENCE);
    const piece = await reader.read().finally(() => clearTimeout(silence));
    if (piece.done) return;
    const blocks = (rest + decoder.decode(piece.value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map<string, string>();
      for (const line of block.split("\n")) {
        const colon = line.indexOf(":");
        if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
      }
      const event = parse(fields.get("event") ?? "", fields.get("data") ?? "", Number(fields.get("id")));
      if (event !== null) yield event;
    }
  }
}

/** Returns an event with its type; null for one that this client does not use, such as who is present. */
function parseEvent(name: string, data: string, version: number): StreamEvent | null {
  switch (name) {
    case "entry": case "situation": case "snapshot":
      return { name, version, data: JSON.parse(data) };
    case "end":
      return { name };
    default:
      return null;
  }
}

/** Returns an event of a tournament with its type; null for one that this client does not know. */
function parseTournamentEvent(name: string, data: string, version: number): TournamentEvent | null {
  switch (name) {
    case "entry": case "snapshot":
      return { name, version, data: JSON.parse(data) };
    case "queue":
      return { name, data: JSON.parse(data) };
    case "end":
      return { name };
    default:
      return null;
  }
}

function fillPath(path: string, places: Record<string, string | number> = {}, query: Record<string, string | number> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(places[name] ?? ""));
  const asked = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return asked === "" ? filled : `${filled}?${asked}`;
}

async function readRefusal(answer: Response): Promise<Refused> {
  const isProblem = answer.headers.get("Content-Type")?.startsWith("application/problem+json") ?? false;
  return new Refused(answer.status, isProblem ? await answer.json() : null);
}

function retryAfter(answer: Response): number | null {
  const seconds = Number(answer.headers.get("Retry-After"));
  return seconds > 0 ? 1000 * seconds : null;
}

/** Returns the milliseconds until the next try: more each time, and drawn so that clients do not come all at once. */
function drawWait(failed: number): number {
  return (0.5 + Math.random() / 2) * Math.min(LONGEST_WAIT, 250 * 2 ** failed);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Returns a move of a picker's kind, with everything drawn that it leaves open; an app lets its player choose instead.
 * A picker may allow more than the rules do: then the move is refused.
 */
export function buildMove(picker: Schemas["Picker"], below: Below): Schemas["Move"] {
  let move = picker.move;
  for (const choice of picker.choices) move = { ...move, [choice.field]: chooseValue(choice, below) };
  return move;
}

type Value = Schemas["PickerChoice"]["values"][number];
type Laid = { card: Value; x: number; y: number };

function chooseValue(choice: Schemas["PickerChoice"], below: Below): Value | Value[] | Laid[] {
  const least = choice.least ?? 0;
  switch (choice.kind) {
    case "one":
      return choice.values[below(choice.values.length)] ?? null;
    case "number":
      return least + below((choice.most ?? least) - least + 1);
    case "several": {
      const cards = spreadCopies(choice);
      const most = Math.min(choice.most ?? cards.length, cards.length);
      return drawValues(cards, least + below(most - least + 1), below);
    }
    case "places": // cards with coordinates: laid in one row here
      return drawValues(spreadCopies(choice), least, below).map((card, row) => ({ card, x: 0, y: row + 1 }));
    case "text":
      return "-";
    case "changes": // what a card did that the table carries out: nothing here
      return [];
  }
}

/** Returns the values of a choice, each as often as it may be chosen. */
function spreadCopies(choice: Schemas["PickerChoice"]): Value[] {
  return choice.values.flatMap((value, at) => Array<Value>(choice.copies?.[at] ?? choice.most ?? 1).fill(value));
}

function drawValues(values: readonly Value[], count: number, below: Below): Value[] {
  const left = [...values];
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)).flat();
}
