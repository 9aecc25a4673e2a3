import { expect, test } from "vitest";
import type { StreamEvent } from "./client.ts";
import { createEventList } from "./event-list.ts";

type Entry = { tx: string; logIndex: number };

const entry = (logIndex: number): Entry => ({ tx: "0xab", logIndex });
const tradeEvent = (logIndex: number, removed = false) =>
  ({ kind: "trade", tx: "0xab", logIndex, removed }) as StreamEvent;

/** A list of trades whose requests are answered by the test. */
function answeredList() {
  const waiting: ((entries: Entry[]) => void)[] = [];
  const list = createEventList<Entry>({
    async readPage() {
      const { promise, resolve } = Promise.withResolvers<Entry[]>();
      waiting.push(resolve);
      return { entries: await promise, nextCursor: null };
    },
    toEntry: (event) => (event.kind === "trade" ? event : undefined),
  });
  const answer = async (...logIndexes: number[]) => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.(logIndexes.map(entry));
  };
  const shown = () => list.entries.value?.map(({ logIndex }) => logIndex);
  return { list, answer, shown, requests: () => waiting.length };
}

/** A list that was opened and has no entries yet. */
async function openList() {
  const opened = answeredList();
  opened.list.open();
  await opened.answer();
  await expect.poll(opened.shown).toEqual([]);
  return opened;
}

test("a list reads nothing before it is opened, and opens once", async () => {
  const { list, requests } = answeredList();
  await list.reload();
  list.note(tradeEvent(1));
  expect(requests()).toBe(0);
  list.open();
  list.open();
  await expect.poll(requests).toBe(1);
});

test("an entry that arrives while the first page is read is neither lost nor duplicated", async () => {
  const { list, answer, shown } = await openList();
  const again = list.reload();
  // Lets the read start.
  await Promise.resolve();
  list.note(tradeEvent(2));
  list.note(tradeEvent(3));
  await answer(2, 1);
  await again;
  expect(shown()).toEqual([3, 2, 1]);
});

test("an entry that a reorg undoes while entries are read does not reappear", async () => {
  const { list, answer, shown } = await openList();
  const reading = list.reload();
  await Promise.resolve();
  list.note(tradeEvent(2, true));
  await answer(2, 1);
  await reading;
  expect(shown()).toEqual([1]);
});

test("a late answer does not replace a newer one", async () => {
  const { list, answer, shown } = await openList();
  const both = [list.reload(), list.reload()];
  await answer(1);
  await answer(2, 1);
  await Promise.all(both);
  expect(shown()).toEqual([2, 1]);
});

test("events of other kinds are no entries", async () => {
  const { list, shown } = await openList();
  list.note({ ...tradeEvent(1), kind: "transfer" } as StreamEvent);
  list.note(tradeEvent(2));
  expect(shown()).toEqual([2]);
});

test("older entries follow the last shown one, however many new ones have pushed out others", async () => {
  // Newest first, in pages of 40.
  const all = Array.from({ length: 50 }, (_, at) => entry(50 - at));
  const readPage = async (cursor?: string) => {
    const from = cursor === undefined ? 0 : all.findIndex(({ logIndex }) => String(logIndex) === cursor) + 1;
    const entries = all.slice(from, from + 40);
    const hasMore = from + 40 < all.length;
    return { entries, nextCursor: hasMore ? String(entries.at(-1)?.logIndex) : null };
  };
  const list = createEventList<Entry>({ readPage, toEntry: (event) => event as unknown as Entry });
  list.open();
  await expect.poll(() => list.entries.value?.length).toBe(40);
  const trade = (logIndex: number) => {
    all.unshift(entry(logIndex));
    list.note(tradeEvent(logIndex));
  };
  for (let logIndex = 51; logIndex <= 300; logIndex++) trade(logIndex);
  const shown = () => list.entries.value?.map(({ logIndex }) => logIndex) ?? [];
  const downFrom = (newest: number, count: number) => Array.from({ length: count }, (_, at) => newest - at);
  expect(shown()).toEqual(downFrom(300, 100));
  await list.readMore();
  trade(301);
  expect(shown()).toEqual(downFrom(301, shown().length));
  expect(shown().length).toBeGreaterThan(100);
  while (list.hasMore.value) await list.readMore();
  expect(shown()).toEqual(downFrom(301, 301));
});

test("that the newest entries could not be read is known until they are, whatever becomes of older ones", async () => {
  let isDown = false;
  const readPage = async (cursor?: string) => {
    if (isDown) throw new Error("down");
    return { entries: [entry(cursor === undefined ? 2 : 1)], nextCursor: cursor === undefined ? "2" : null };
  };
  const list = createEventList<Entry>({ readPage, toEntry: () => undefined });
  list.open();
  await expect.poll(() => list.entries.value?.length).toBe(1);
  isDown = true;
  await list.readMore();
  expect(list.error.value).toBeUndefined();
  await list.reload();
  expect(list.error.value).toBeDefined();
  isDown = false;
  await list.readMore();
  expect(list.entries.value).toHaveLength(2);
  expect(list.error.value).toBeDefined();
  await list.reload();
  expect(list.error.value).toBeUndefined();
});
