import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { boards, sorts } from "../../src/api/tokens/list/order/sorts.ts";
import { adjectives, nouns, prose } from "../fixture/words.ts";

/**
 * What a client holds back until the service ends it: everything, the end of its headers or of its body (both arrive byte by byte,
 * one a second), or the reading of the answer. A "stream" is read, and stays open.
 */
export type Hold = "connection" | "headers" | "body" | "answer" | "stream";

/** One request of an attack. */
export type AttackRequest = {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  hold?: Hold;
};

/** The service before the attack begins. */
export type Target = {
  /** Registered tokens and their creators. */
  mints: string[];
  creators: string[];
  ask(request: AttackRequest): Promise<{ status: number; body: string }>;
};

/** Returns the n-th request, counted from 0. */
type MakeRequest = (count: number) => AttackRequest;

type Attack = {
  /** What the clients do, in one line. */
  description: string;
  /** Whether clients only hold connections and make the service do next to nothing. */
  isIdle?: boolean;
  /** Requests at a time, if their number matters. */
  inFlight?: number;
  prepare(target: Target): MakeRequest | Promise<MakeRequest>;
};

const json = { "content-type": "application/json" };
const oddTexts = [
  ...["%", "_", "\\", "%_%", "'", '"', "🚀🚀🚀", "👩‍👩‍👧‍👦", "\u202e", "Ǆǆ", "ﬀ", "İ"],
  ...["0x", "0x0", "0xf", " a ", "e e"],
];
/** The largest body that most routes take. */
const bodySize = 64 * 1_024;
const boundary = "------------------------attack";

/** All attacks by name, in the order in which they run. */
export const attacks: Record<string, Attack> = {
  salts: {
    description: "GET /api/tokens/vanity-salt, each for another name",
    prepare: () => (count) => ({
      path: `/api/tokens/vanity-salt?name=Token%20${count}&symbol=T${count}`,
    }),
  },
  "rare-searches": {
    // Texts whose trigrams are all common, although the text itself is rare.
    description: "GET /api/tokens?q=, common trigrams that rarely occur together",
    prepare: () => (count) => search(pickCombination(count, prose, adjectives, nouns).join(" ")),
  },
  "broad-searches": {
    // Texts that a large part of all tokens contains, in a different order each time.
    description: "GET /api/tokens?q=, each matching many tokens, in every order",
    prepare() {
      const common = [..."abcdefghijklmnopqrstuvwxyz", ...prose];
      return (count) => {
        const [text, sort, board] = pickCombination(count, common, sorts, ["all", "new"]);
        return search(text, `&sort=${sort}&board=${board}&limit=100&page=${(count % 50) + 1}`);
      };
    },
  },
  "odd-searches": {
    description: "GET /api/tokens?q=, 200 characters of wildcards, emoji and the like",
    prepare: () => (count) => {
      const [text] = pickCombination(count, oddTexts);
      const long = (count % 3 === 0 ? text : text.repeat(200)).slice(0, 195).toWellFormed();
      return search(long + (count % 7));
    },
  },
  "deep-pages": {
    description: "GET /api/tokens, 100 a page, every board and order at every depth",
    prepare: () => (count) => {
      const [sort, board] = pickCombination(count, sorts, boards);
      return { path: `/api/tokens?limit=100&sort=${sort}&board=${board}&page=${1 + ((count * 37) % 1_500)}` };
    },
  },
  "by-creator": {
    description: "GET /api/tokens?creator=, in every order",
    prepare:
      ({ creators }) =>
      (count) => {
        const [creator, sort] = pickCombination(count, creators, sorts);
        return { path: `/api/tokens?limit=100&creator=${creator}&sort=${sort}` };
      },
  },
  accounts: {
    description: "GET /api/account/{address}, 100 entries of each list",
    prepare:
      ({ creators }) =>
      (count) => ({ path: `/api/account/${pickCombination(count, creators)[0]}?limit=100` }),
  },
  candles: {
    description: "GET /api/token/{mint}/candles, as many as allowed",
    prepare:
      ({ mints }) =>
      (count) => {
        const [mint, interval] = pickCombination(count, mints, ["1m", "30m", "1d", "1w"]);
        return { path: `/api/token/${mint}/candles?interval=${interval}&limit=1500` };
      },
  },
  curves: {
    description: "GET /api/curves, 100 mints at a time",
    prepare:
      ({ mints }) =>
      () => ({ path: `/api/curves?mints=${mints.join(",")}` }),
  },
  holders: {
    description: "GET /api/token/{mint}/holders, the deepest page",
    prepare:
      ({ mints }) =>
      (count) => ({ path: `/api/token/${pickCombination(count, mints)[0]}/holders?limit=100&page=100` }),
  },
  trades: {
    description: "GET /api/token/{mint}/trades, 100 a page",
    prepare:
      ({ mints }) =>
      (count) => ({ path: `/api/token/${pickCombination(count, mints)[0]}/trades?limit=100` }),
  },
  tickers: {
    description: "GET /api/coingecko/tickers, 1,000 a page",
    prepare: () => (count) => ({ path: `/api/coingecko/tickers?limit=1000&page=${1 + (count % 20)}` }),
  },
  "historical-trades": {
    description: "GET /api/coingecko/historical_trades, all trades of a token",
    async prepare({ mints, ask }) {
      const { body } = await ask({ path: "/api/coingecko/tickers?limit=1" });
      const [ticker] = JSON.parse(body) as { target_currency: string }[];
      return (count) => {
        const pair = `${pickCombination(count, mints)[0]}_${ticker?.target_currency}`;
        return { path: `/api/coingecko/historical_trades?ticker_id=${pair}&limit=0` };
      };
    },
  },
  "dex-events": {
    description: "GET /api/dexscreener/events, 10,000 blocks at a time",
    async prepare({ ask }) {
      const { body } = await ask({ path: "/api/dexscreener/latest-block" });
      const last = (JSON.parse(body) as { block: { blockNumber: number } }).block.blockNumber;
      return (count) => {
        const to = last - 10_000 * (count % 50);
        return { path: `/api/dexscreener/events?fromBlock=${Math.max(0, to - 9_999)}&toBlock=${to}` };
      };
    },
  },
  "token-lists": {
    description: "GET /api/tokenlist.json",
    prepare: () => () => ({ path: "/api/tokenlist.json" }),
  },
  "stale-streams": {
    description: "GET /api/stream, filters of 100 mints, from old positions",
    prepare:
      ({ mints }) =>
      (count) => {
        const [event] = pickCombination(count, ["1-0", "0-0", "999999999999999-0", "1-999999999999999"]);
        return { path: `/api/stream?mint=${mints.join(",")}&lastEventId=${event}`, hold: "answer" };
      },
  },
  "nested-json": {
    description: "POST /api/tokens, as deeply nested as a body may be",
    prepare() {
      const bodies = [
        "[".repeat(bodySize / 2) + "]".repeat(bodySize / 2),
        `${'{"a":'.repeat(bodySize / 6)}1${"}".repeat(bodySize / 6)}`,
        `{"mint":${"9".repeat(bodySize - 20)}}`,
        `{"__proto__":{"mint":"0x"},"constructor":{"prototype":{"x":1}}}`,
        `{${Array.from({ length: bodySize / 8 }, () => '"mint":1').join(",")}}`.slice(0, bodySize),
      ];
      return (count) => post("/api/tokens", pickCombination(count, bodies)[0]);
    },
  },
  graphql: {
    description: "POST /graphql, queries of nearly the highest cost allowed",
    prepare: () => (count) => {
      const query = `{ tokens(limit: ${300 + (count % 20)}, orderBy: "createdAt", orderDirection: "desc") { items { address name trades(limit: 50, orderBy: "timestamp", orderDirection: "desc") { items { id trader bnbAmountWei tokenAmountRaw timestamp tx } } } } }`;
      return post("/graphql", JSON.stringify({ query }));
    },
  },
  sums: {
    description: "POST /graphql, sums of as many trades as one field may read",
    prepare: () => (count) => {
      const query = `{ tradeGroups(where: { chainId: 56 }, by: [day, trader], limit: ${500 + (count % 20)}) { items { day trader trades tokens volumeUsdX18 } } }`;
      return post("/graphql", JSON.stringify({ query }));
    },
  },
  uploads: {
    description: "POST /api/upload-image, photos of nearly 5 MB",
    async prepare() {
      const request = upload(await makePhoto());
      return () => request;
    },
  },
  "unread-images": {
    description: "GET /ipfs/{cid}, an image of nearly 5 MB that nobody reads",
    async prepare({ ask }) {
      const { status, body } = await ask(upload(await makePhoto()));
      if (status !== 200 && status !== 201) throw new Error(`the image was not taken: ${status} ${body}`);
      const { url, cid } = JSON.parse(body) as { url?: string; cid?: string };
      const path = cid === undefined ? new URL(url ?? "").pathname : `/ipfs/${cid}`;
      return () => ({ path, hold: "answer" });
    },
  },
  sql: {
    description: "POST /sql, statements that use all the time that they get",
    prepare: () => (count) => {
      const sql = `select count(*) + ${count} from trade a, trade b where a.timestamp < b.timestamp`;
      return post("/sql", JSON.stringify({ sql }));
    },
  },
  "slow-headers": {
    description: "GET /api/tokens, headers that arrive byte by byte",
    isIdle: true,
    prepare: () => () => ({ path: "/api/tokens", hold: "headers" }),
  },
  "slow-bodies": {
    description: "POST, bodies that arrive byte by byte, to every route that takes one",
    isIdle: true,
    prepare() {
      const form = { "content-type": `multipart/form-data; boundary=${boundary}` };
      const targets = [
        { path: "/api/tokens", headers: json },
        { path: "/graphql", headers: json },
        { path: "/sql", headers: json },
        { path: "/mcp", headers: { ...json, accept: "application/json, text/event-stream" } },
        { path: "/api/upload-image", headers: form },
      ];
      return (count) => {
        const [{ path, headers }] = pickCombination(count, targets);
        return { method: "POST", path, headers: { ...headers, "content-length": "9000" }, hold: "body" };
      };
    },
  },
  "stalled-readers": {
    description: "GET /api/coingecko/tickers, 1,000 a page, answers that nobody reads to their end",
    prepare: () => (count) => ({
      path: `/api/coingecko/tickers?limit=1000&page=${1 + (count % 20)}`,
      hold: "answer",
    }),
  },
  "held-streams": {
    description: "GET /api/stream, 1,000 streams that stay open",
    isIdle: true,
    inFlight: 1_000,
    prepare: () => () => ({ path: "/api/stream", hold: "stream" }),
  },
  "idle-connections": {
    description: "1,000 connections without a request",
    isIdle: true,
    inFlight: 1_000,
    prepare: () => () => ({ path: "/", hold: "connection" }),
  },
};

/** Picks one item of each list: the combination with this number, starting over after the last one. */
function pickCombination<Lists extends readonly (readonly unknown[])[]>(
  count: number,
  ...lists: Lists
): { [Index in keyof Lists]: Lists[Index][number] } {
  let rest = count;
  return lists.map((list) => {
    const chosen = list[rest % list.length];
    rest = Math.floor(rest / list.length);
    return chosen;
  }) as never;
}

function search(text: string, parameters = ""): AttackRequest {
  return { path: `/api/tokens?q=${encodeURIComponent(text)}${parameters}` };
}

function post(path: string, body: string): AttackRequest {
  return { method: "POST", path, headers: json, body };
}

/** A JPEG of slightly less than 5 MB. It is noise, which compresses badly in any format. */
async function makePhoto(): Promise<Buffer> {
  const [width, height] = [2_600, 2_000];
  const pixels = randomBytes(width * height * 3);
  for (let quality = 90; quality > 0; quality -= 10) {
    const image = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
    if (image.length < 5 * 1_024 * 1_024) return image;
  }
  throw new Error("no quality makes the photo small enough");
}

function upload(image: Buffer): AttackRequest {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  return {
    method: "POST",
    path: "/api/upload-image",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), image, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
