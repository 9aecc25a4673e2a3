import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { boards, sorts } from "../../src/api/tokens/list/order/sorts.ts";
import { adjectives, nouns, prose } from "../fixture/words.ts";
import { send } from "./probe.ts";

/** One request of an attack. */
export type AttackRequest = {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /**
   * What a client holds back until the service ends it: everything, the end of its headers or of its body (both arrive byte by byte,
   * one a second), or the reading of the answer. A "stream" is read, and stays open.
   */
  hold?: "connection" | "headers" | "body" | "answer" | "stream";
};

/** The service before the attack begins. */
type Target = Awaited<ReturnType<typeof readTarget>>;

/** Returns the n-th request, counted from 0. */
type MakeRequest = (count: number) => AttackRequest;

type Attack = {
  /** What the clients do, in one line. */
  description: string;
  prepare(target: Target): MakeRequest | Promise<MakeRequest>;
  /** Whether clients only hold connections and make the service do next to nothing. */
  isIdle?: boolean;
  /** Requests at a time, if their number matters. */
  inFlight?: number;
};

/** An attack by the requests that `make` returns. */
const by = (description: string, make: (count: number, target: Target) => AttackRequest): Attack => ({
  description,
  prepare: (target) => (count) => make(count, target),
});

/** An attack by GET. */
const get = (description: string, path: (count: number, target: Target) => string): Attack =>
  by(`GET ${description}`, (count, target) => ({ path: path(count, target) }));

/** An attack by clients that only hold connections. */
const hold = (description: string, make: (count: number) => AttackRequest, inFlight?: number): Attack => ({
  ...by(description, make),
  isIdle: true,
  ...(inFlight === undefined ? {} : { inFlight }),
});

const json = { "content-type": "application/json" };
/** The largest body that most routes take. */
const bodySize = 64 * 1_024;
const boundary = "------------------------attack";
const form = { "content-type": `multipart/form-data; boundary=${boundary}` };

const oddTexts = [
  ...["%", "_", "\\", "%_%", "'", '"', "🚀🚀🚀", "👩‍👩‍👧‍👦", "\u202e", "Ǆǆ", "ﬀ", "İ"],
  ...["0x", "0x0", "0xf", " a ", "e e"],
];
const commonTexts = [..."abcdefghijklmnopqrstuvwxyz", ...prose];
const nestedBodies = [
  "[".repeat(bodySize / 2) + "]".repeat(bodySize / 2),
  `${'{"a":'.repeat(bodySize / 6)}1${"}".repeat(bodySize / 6)}`,
  `{"mint":${"9".repeat(bodySize - 20)}}`,
  `{"__proto__":{"mint":"0x"},"constructor":{"prototype":{"x":1}}}`,
  `{${Array.from({ length: bodySize / 8 }, () => '"mint":1').join(",")}}`.slice(0, bodySize),
];
const bodyTargets = [
  { path: "/api/tokens", headers: json },
  { path: "/graphql", headers: json },
  { path: "/sql", headers: json },
  { path: "/mcp", headers: { ...json, accept: "application/json, text/event-stream" } },
  { path: "/api/upload-image", headers: form },
];

/** All attacks by name, in the order in which they run. */
export const attacks: Record<string, Attack> = {
  salts: get(
    "/api/tokens/vanity-salt, each for another name",
    (count) => `/api/tokens/vanity-salt?name=Token%20${count}&symbol=T${count}`,
  ),
  // Texts whose trigrams are all common, although the text itself is rare.
  "rare-searches": get("/api/tokens?q=, common trigrams that rarely occur together", (count) =>
    search(pickCombination(count, prose, adjectives, nouns).join(" ")),
  ),
  // Texts that a large part of all tokens contains, in a different order each time.
  "broad-searches": get("/api/tokens?q=, each matching many tokens, in every order", (count) => {
    const [text, sort, board] = pickCombination(count, commonTexts, sorts, ["all", "new"]);
    return `${search(text)}&sort=${sort}&board=${board}&limit=100&page=${(count % 50) + 1}`;
  }),
  "odd-searches": get("/api/tokens?q=, 200 characters of wildcards, emoji and the like", (count) => {
    const [text] = pickCombination(count, oddTexts);
    const long = (count % 3 === 0 ? text : text.repeat(200)).slice(0, 195).toWellFormed();
    return search(long + (count % 7));
  }),
  "deep-pages": get("/api/tokens, 100 a page, every board and order at every depth", (count) => {
    const [sort, board] = pickCombination(count, sorts, boards);
    return `/api/tokens?limit=100&sort=${sort}&board=${board}&page=${1 + ((count * 37) % 1_500)}`;
  }),
  "by-creator": get("/api/tokens?creator=, in every order", (count, { creators }) => {
    const [creator, sort] = pickCombination(count, creators, sorts);
    return `/api/tokens?limit=100&creator=${creator}&sort=${sort}`;
  }),
  accounts: get(
    "/api/account/{address}, 100 entries of each list",
    (count, { creators }) => `/api/account/${pick(count, creators)}?limit=100`,
  ),
  candles: get("/api/token/{mint}/candles, as many as allowed", (count, { mints }) => {
    const [mint, interval] = pickCombination(count, mints, ["1m", "30m", "1d", "1w"]);
    return `/api/token/${mint}/candles?interval=${interval}&limit=1500`;
  }),
  curves: get("/api/curves, 100 mints at a time", (_, { mints }) => `/api/curves?mints=${mints.join(",")}`),
  holders: get(
    "/api/token/{mint}/holders, the deepest page",
    (count, { mints }) => `/api/token/${pick(count, mints)}/holders?limit=100&page=100`,
  ),
  trades: get(
    "/api/token/{mint}/trades, 100 a page",
    (count, { mints }) => `/api/token/${pick(count, mints)}/trades?limit=100`,
  ),
  tickers: get("/api/coingecko/tickers, 1,000 a page", tickersPage),
  "historical-trades": get(
    "/api/coingecko/historical_trades, all trades of a token",
    (count, { mints, currency }) =>
      `/api/coingecko/historical_trades?ticker_id=${pick(count, mints)}_${currency}&limit=0`,
  ),
  "dex-events": get("/api/dexscreener/events, 10,000 blocks at a time", (count, { lastBlock }) => {
    const to = lastBlock - 10_000 * (count % 50);
    return `/api/dexscreener/events?fromBlock=${Math.max(0, to - 9_999)}&toBlock=${to}`;
  }),
  "token-lists": get("/api/tokenlist.json", () => "/api/tokenlist.json"),
  "stale-streams": by("GET /api/stream, filters of 100 mints, from old positions", (count, { mints }) => {
    const event = pick(count, ["1-0", "0-0", "999999999999999-0", "1-999999999999999"]);
    return { path: `/api/stream?mint=${mints.join(",")}&lastEventId=${event}`, hold: "answer" };
  }),
  "nested-json": by("POST /api/tokens, as deeply nested as a body may be", (count) =>
    post("/api/tokens", pick(count, nestedBodies)),
  ),
  graphql: by("POST /graphql, queries of nearly the highest cost allowed", (count) => {
    const query = `{ tokens(limit: ${300 + (count % 20)}, orderBy: "createdAt", orderDirection: "desc") { items { address name trades(limit: 50, orderBy: "timestamp", orderDirection: "desc") { items { id trader bnbAmountWei tokenAmountRaw timestamp tx } } } } }`;
    return post("/graphql", JSON.stringify({ query }));
  }),
  sums: by("POST /graphql, sums of as many trades as one field may read", (count) => {
    const query = `{ tradeGroups(where: { chainId: 56 }, by: [day, trader], limit: ${500 + (count % 20)}) { items { day trader trades tokens volumeUsdX18 } } }`;
    return post("/graphql", JSON.stringify({ query }));
  }),
  uploads: {
    description: "POST /api/upload-image, photos of nearly 5 MB",
    async prepare() {
      const request = upload(await makePhoto());
      return () => request;
    },
  },
  "unread-images": {
    description: "GET /ipfs/{cid}, an image of nearly 5 MB that nobody reads",
    async prepare({ url }) {
      const { status, body } = await send(url, upload(await makePhoto()));
      if (status !== 200 && status !== 201) throw new Error(`the image was not taken: ${status} ${body}`);
      const { cid } = JSON.parse(body) as { cid: string };
      return () => ({ path: `/ipfs/${cid}`, hold: "answer" });
    },
  },
  sql: by("POST /sql, statements that use all the time that they get", (count) => {
    const sql = `select count(*) + ${count} from trade a, trade b where a.timestamp < b.timestamp`;
    return post("/sql", JSON.stringify({ sql }));
  }),
  "slow-headers": hold("GET /api/tokens, headers that arrive byte by byte", () => ({
    path: "/api/tokens",
    hold: "headers",
  })),
  "slow-bodies": hold("POST, bodies that arrive byte by byte, to every route that takes one", (count) => {
    const { path, headers } = pick(count, bodyTargets);
    return { method: "POST", path, headers: { ...headers, "content-length": "9000" }, hold: "body" };
  }),
  "stalled-readers": by(
    "GET /api/coingecko/tickers, 1,000 a page, answers that nobody reads to their end",
    (count) => ({ path: tickersPage(count), hold: "answer" }),
  ),
  "held-streams": hold(
    "GET /api/stream, 1,000 streams that stay open",
    () => ({ path: "/api/stream", hold: "stream" }),
    1_000,
  ),
  "idle-connections": hold(
    "1,000 connections without a request",
    () => ({ path: "/", hold: "connection" }),
    1_000,
  ),
};

/** Reads what attacks need to know of the service. */
export async function readTarget(url: string) {
  const read = async (path: string) => JSON.parse((await send(url, { path })).body);
  const { tokens }: { tokens: { mint: string; creator: string }[] } = await read(
    "/api/tokens?limit=100&sort=volume",
  );
  if (tokens.length === 0) throw new Error("the service has no registered token");
  const [ticker] = await read("/api/coingecko/tickers?limit=1");
  const { block } = await read("/api/dexscreener/latest-block");
  return {
    url,
    /** Registered tokens and their creators. */
    mints: tokens.map(({ mint }) => mint),
    creators: [...new Set(tokens.map(({ creator }) => creator))],
    /** What CoinGecko's pairs are in. */
    currency: ticker?.target_currency as string,
    lastBlock: block.blockNumber as number,
  };
}

function pick<Item>(count: number, items: readonly Item[]): Item {
  return items[count % items.length] as Item;
}

/** Picks one item of each list: the combination with this number, starting over after the last one. */
function pickCombination<Lists extends readonly (readonly unknown[])[]>(
  count: number,
  ...lists: Lists
): { [Index in keyof Lists]: Lists[Index][number] } {
  let rest = count;
  return lists.map((list) => {
    const chosen = pick(rest, list);
    rest = Math.floor(rest / list.length);
    return chosen;
  }) as never;
}

function search(text: string): string {
  return `/api/tokens?q=${encodeURIComponent(text)}`;
}

function tickersPage(count: number): string {
  return `/api/coingecko/tickers?limit=1000&page=${1 + (count % 20)}`;
}

function post(path: string, body: string): AttackRequest {
  return { method: "POST", path, headers: json, body };
}

/** A JPEG of slightly less than 5 MB. It is noise, which compresses badly in any format. */
async function makePhoto(): Promise<Buffer> {
  const [width, height] = [2_600, 2_000];
  const pixels = randomBytes(width * height * 3);
  for (let quality = 90; quality > 0; quality -= 10) {
    const image = sharp(pixels, { raw: { width, height, channels: 3 } });
    const photo = await image.jpeg({ quality }).toBuffer();
    if (photo.length < 5 * 1_024 * 1_024) return photo;
  }
  throw new Error("no quality makes the photo small enough");
}

function upload(image: Buffer): AttackRequest {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), image, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { method: "POST", path: "/api/upload-image", headers: form, body };
}
