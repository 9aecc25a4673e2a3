import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StreamEvent } from "../data/client.ts";
import type { Board } from "./board.ts";
import type { Row } from "./row.ts";

const mint = `0x${"5a".repeat(20)}`;
const row = {
  ...{ mint, chainId: 56, name: "Frog", symbol: "FROG", graduated: false, graduatedAt: null, progress: 10 },
  ...{ priceBnb: "0.000001", marketCapBnb: "1", holderCount: 1, createdAt: "2026-01-01T00:00:00Z" },
  windows: { "24h": { trades: 1, volumeBnb: "1" } },
  risk: {},
} as Row;

/** Requests of the board, which the test answers. */
let asked: { url: URL; answer: (rows: Row[]) => void; refuse: () => void }[] = [];
let board: Board;

beforeEach(async () => {
  vi.useFakeTimers();
  // What the pages' modules find in a browser.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", { querySelectorAll: () => [] });
  vi.stubGlobal("fetch", ({ url }: Request) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    asked.push({
      url: new URL(url),
      answer: (tokens) => resolve(Response.json({ tokens })),
      refuse: () => resolve(new Response(null, { status: 500 })),
    });
    return promise;
  });
  board = (await import("./board.ts")).createBoard();
});
afterEach(() => {
  board.end();
  asked = [];
  vi.useRealTimers();
});

const next = async () => {
  await vi.waitUntil(() => asked.length > 0);
  return asked.shift() as (typeof asked)[number];
};

/** Loads the first column with the row. The others stay unanswered. */
async function load(): Promise<void> {
  void board.reload();
  (await next()).answer([row]);
  await vi.waitUntil(() => board.row(mint) !== undefined);
  await next();
  await next();
}

const trade = {
  ...{ kind: "trade", mint, venue: "curve", removed: false, block: 7, progress: 20 },
  ...{ priceAfterBnb: "0.000002", bnbAmountWei: "1000000000000000000" },
} as unknown as StreamEvent;

test("a slow answer takes nothing back that events have said since it was asked for", async () => {
  await load();
  void board.reloadNew();
  const slow = await next();
  board.note(trade);
  slow.answer([{ ...row, holderCount: 5 }]);
  await vi.waitUntil(() => board.row(mint)?.holderCount === 5);
  expect(board.row(mint)).toMatchObject({
    priceBnb: "0.000002",
    marketCapBnb: expect.stringMatching(/^2\.0/),
  });
  expect(board.row(mint)?.progress).toBe(20);
  // What is read after the event is believed in full.
  await vi.advanceTimersByTimeAsync(5_000);
  const later = await next();
  expect(later.url.searchParams.get("minBlock")).toBe("7");
  later.answer([{ ...row, priceBnb: "0.000003", holderCount: 6 }]);
  await vi.waitUntil(() => board.row(mint)?.holderCount === 6);
  expect(board.row(mint)?.priceBnb).toBe("0.000003");
});

test("a token whose liquidity has changed is read again, without waiting for a trade", async () => {
  const { boardKinds } = await import("./board.ts");
  expect(boardKinds).toContain("liquidity_removed");
  await load();
  board.note({ kind: "liquidity_removed", mint, block: 9, removed: false } as unknown as StreamEvent);
  await vi.advanceTimersByTimeAsync(1_000);
  const read = await next();
  expect(read.url.searchParams.get("minBlock")).toBe("9");
  read.answer([{ ...row, liquidityBnb: "0.1" }]);
  await vi.waitUntil(() => board.row(mint)?.liquidityBnb === "0.1");
});

test("a token that was registered before it was indexed is read again once it is", async () => {
  const { boardKinds } = await import("./board.ts");
  expect(boardKinds).toContain("created");
  await load();
  const other = `0x${"6b".repeat(20)}`;
  board.note({ kind: "registered", mint: other, removed: false } as unknown as StreamEvent);
  await vi.advanceTimersByTimeAsync(1_000);
  (await next()).answer([]);
  board.note({ kind: "created", mint: other, block: 9, removed: false } as unknown as StreamEvent);
  await vi.advanceTimersByTimeAsync(1_000);
  const read = await next();
  expect(read.url.searchParams.get("minBlock")).toBe("9");
  read.answer([{ ...row, mint: other }]);
  await vi.waitUntil(() => board.row(other) !== undefined);
});

test("a token that has graduated meanwhile stays in its column", async () => {
  await load();
  void board.reloadNew();
  const slow = await next();
  const graduatedAt = "2026-01-02T00:00:00Z";
  board.note({ kind: "graduated", mint, block: 8, graduatedAt, removed: false } as unknown as StreamEvent);
  slow.answer([{ ...row, holderCount: 5 }]);
  await vi.waitUntil(() => board.row(mint)?.holderCount === 5);
  expect(board.row(mint)).toMatchObject({ graduated: true, graduatedAt, progress: 100 });
});

test("of two answers, the one that was asked for last counts, whichever comes first", async () => {
  await load();
  void board.reloadNew();
  const first = await next();
  void board.reloadNew();
  const second = await next();
  second.answer([{ ...row, holderCount: 9 }]);
  await vi.waitUntil(() => board.row(mint)?.holderCount === 9);
  first.answer([{ ...row, holderCount: 3, name: "Older" }]);
  await vi.advanceTimersByTimeAsync(200);
  expect(board.row(mint)).toMatchObject({ holderCount: 9, name: "Frog" });
});

test("that no token meets a filter is only said once the column has been read with it", async () => {
  const [column] = (await import("./columns.ts")).columns;
  await load();
  await vi.waitUntil(() => board.column("new").value.mints?.length === 1);
  board.setFilter("new", { currency: "bnb", minHolders: 5 });
  expect(board.column("new").value.mints).toBeUndefined();
  (await next()).refuse();
  await vi.waitUntil(() => board.error("new").value !== undefined);
  expect(board.column("new").value.mints).toBeUndefined();
  void board.retry(column);
  (await next()).answer([]);
  await vi.waitUntil(() => board.column("new").value.mints !== undefined);
  expect(board.column("new").value.mints).toEqual([]);
  expect(board.error("new").value).toBeUndefined();
  board.setFilter("new", { currency: "bnb" });
  expect(board.column("new").value.mints).toEqual([mint]);
});
