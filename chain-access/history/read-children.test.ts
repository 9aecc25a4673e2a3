import fc from "fast-check";
import { expect, test } from "vitest";
import { logOf } from "../fixtures/log-node.ts";
import { createChildren } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex, Log, LogFilter, Range } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { createChildReader } from "./read-children.ts";

const hexOf = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;

const sources: Sources = {
  chainId: 56,
  tokenFactory: hexOf(1_000_001),
  launchpad: hexOf(1_000_002),
  priceFeeds: [],
  startBlock: 0,
  feedStartBlock: 0,
};

const lastBlock = 400;

/** Tokens with the block of their creation and of their transfers. */
const market = fc.array(
  fc.record({
    created: fc.integer({ min: 0, max: lastBlock }),
    after: fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: lastBlock })), {
      maxLength: 6,
    }),
  }),
  { minLength: 1, maxLength: 20 },
);
/** Sizes of windows, and how many blocks of the chain are left out before each, mostly none. */
const windows = fc.array(
  fc.record({
    size: fc.integer({ min: 1, max: 40 }),
    gap: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constant(7)),
  }),
  { minLength: 1, maxLength: 40 },
);

/** A reader of these logs that notes what it is asked for, and answers whenever it likes. */
function readerOf(logs: readonly Log[], maxBlocks: number) {
  const asked: { filter: LogFilter; range: Range }[] = [];
  return {
    asked,
    async read(filter: LogFilter, range: Range): Promise<Log[]> {
      asked.push({ filter, range });
      await new Promise(setImmediate);
      return logs.filter(({ address, blockNumber }) => {
        const number = Number(blockNumber);
        return filter.addresses?.includes(address) && number >= range.from && number <= range.to;
      });
    },
    distrust() {},
    setFinal() {},
    maxBlocks: () => maxBlocks,
  };
}

test("each window has all events of the tokens that exist, each once, however far ahead they were read", async () => {
  await fc.assert(
    fc.asyncProperty(market, windows, fc.integer({ min: 1, max: 500 }), async (tokens, sizes, maxBlocks) => {
      const children = createChildren(sources);
      const logs = tokens.flatMap(({ created, after }, index) =>
        [0, ...after].map((later, place) =>
          logOf(
            Math.min(lastBlock, created + later),
            100 * index + place,
            hexOf(index),
            eventTopics.transfer,
          ),
        ),
      );
      const reader = readerOf(logs, maxBlocks);
      const childReader = createChildReader({ logs: reader, sources, children });
      const results: Promise<void>[] = [];
      let next = 0;
      for (const { size, gap } of sizes) {
        const window = { from: next + gap, to: Math.min(lastBlock, next + gap + size - 1) };
        if (window.from > lastBlock) break;
        next = window.to + 1;
        for (const [index, { created }] of tokens.entries()) {
          if (created <= window.to) children.add({ type: "token", address: hexOf(index), block: created });
        }
        const expected = logs.filter(
          ({ blockNumber }) => Number(blockNumber) >= window.from && Number(blockNumber) <= window.to,
        );
        const read = childReader.read(window, [], lastBlock);
        const keys = (found: readonly Log[]) => found.map(({ transactionHash }) => transactionHash).sort();
        results.push(read.then((found) => expect(keys(found.logs)).toEqual(keys(expected))));
        if (results.length % 6 === 0) await results.at(-3);
      }
      await Promise.all(results);
      for (const { range } of reader.asked) expect(range.to).toBeLessThanOrEqual(lastBlock);
    }),
  );
});

test("a window that fails fails alone, and what was read ahead with it is not used again", async () => {
  const children = createChildren(sources);
  children.add({ type: "token", address: hexOf(0), block: 0 });
  const logs = [5, 50, 250].map((block) => logOf(block, 0, hexOf(0), eventTopics.transfer));
  const reader = readerOf(logs, 1_000);
  let isDown = false;
  const childReader = createChildReader({
    logs: {
      ...reader,
      read: async (filter, range) => {
        if (isDown) throw new Error("down");
        return await reader.read(filter, range);
      },
    },
    sources,
    children,
  });
  await childReader.read({ from: 0, to: 9 }, [], lastBlock);
  isDown = true;
  for (let from = 10; from < 60; from += 10)
    await childReader.read({ from, to: from + 9 }, [], lastBlock).catch(() => {});
  isDown = false;
  const again = await childReader.read({ from: 10, to: 299 }, [], lastBlock);
  expect(again.logs.map(({ blockNumber }) => Number(blockNumber))).toEqual([50, 250]);
});

test("a token that has had no event for long is not asked for in each window", async () => {
  const children = createChildren(sources);
  children.add({ type: "token", address: hexOf(0), block: 0 });
  const reader = readerOf([], 1_000_000);
  const childReader = createChildReader({ logs: reader, sources, children });
  for (let from = 0; from < 100_000; from += 100) {
    await childReader.read({ from, to: from + 99 }, [], 1_000_000);
  }
  expect(reader.asked.length).toBeLessThan(15);
});

test("windows that are being read learn that what was read ahead for them is wrong", async () => {
  const children = createChildren(sources);
  children.add({ type: "token", address: hexOf(0), block: 0 });
  const reader = readerOf([], 1_000);
  const childReader = createChildReader({ logs: reader, sources, children });
  const [first, second] = await Promise.all([
    childReader.read({ from: 0, to: 9 }, [], lastBlock),
    childReader.read({ from: 10, to: 19 }, [], lastBlock),
  ]);
  expect([first.isTrusted(), second.isTrusted()]).toEqual([true, true]);
  childReader.forget();
  expect(second.isTrusted()).toBe(false);
  const next = await childReader.read({ from: 20, to: 29 }, [], lastBlock);
  expect(next.isTrusted()).toBe(true);
});
