import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { numberToHex, pad } from "viem";
import { expect, test } from "vitest";
import { onlyInLongRun } from "../../test/run/long-run.ts";
import { startPool } from "../fixtures/endpoint-pool.ts";
import { answering, type Behaviour, type RpcRequest } from "../fixtures/endpoint-server.ts";
import { headerOf, logNode, logOf, type NodeLimits } from "../fixtures/log-node.ts";
import type { Hex, Log } from "../sources/log.ts";
import { createLogReader } from "./read-logs.ts";

const contracts = Array.from({ length: 30 }, (_, index) => pad(numberToHex(index + 1), { size: 20 }));
const topics = [pad("0xaa", { size: 32 }), pad("0xbb", { size: 32 })];
const head = 400;

/** Logs: many in some blocks, none in others. */
const chain = Array.from({ length: head + 1 }, (_, block) =>
  Array.from({ length: block % 7 === 0 ? 25 : block % 3 }, (_, index) =>
    logOf(block, index, contracts[(block + index) % contracts.length] as Hex, topics[index % 2] as Hex),
  ),
).flat();

async function readerOf(nodes: { logs?: Log[]; limits: NodeLimits }[], secondOpinionShare?: number) {
  const behaviours = nodes.map(({ logs = chain, limits }) => logNode(logs, limits));
  const { pool, servers, liars } = await startPool(behaviours, head);
  return { ...createLogReader(pool, secondOpinionShare), servers, liars };
}

/** Counts the requests for logs of a range that a server has received. */
const countRanges = (server: { received: RpcRequest[] } | undefined) =>
  server?.received.filter(({ method }) => method === "eth_getLogs").length ?? 0;

const inOrder = (logs: Log[]) =>
  logs.toSorted(
    (a, b) => Number(a.blockNumber) - Number(b.blockNumber) || Number(a.logIndex) - Number(b.logIndex),
  );

test("all logs are read exactly once, whatever the limits", async () => {
  const limit = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: undefined });
  const limits = fc.record({ blocks: limit(20, 500), addresses: limit(5, 40), results: limit(40, 2_000) });
  await fc.assert(
    fc.asyncProperty(fc.array(limits, { minLength: 1, maxLength: 3 }), async (nodes) => {
      const { read } = await readerOf(
        nodes.map((node) => ({
          limits: Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)),
        })),
      );
      const found = await read({ addresses: contracts, topics }, { from: 0, to: head });
      expect(inOrder(found)).toEqual(chain);
    }),
    { numRuns: 8 },
  );
});

onlyInLongRun(() => {
  test("an endpoint that doesn't answer in time about long ranges is asked for shorter ones", async () => {
    const complete = logNode(chain, {});
    const hurried: Behaviour = (requests, response, incoming) => {
      const sizes = requests.map(({ params: [filter] }) => {
        const { fromBlock, toBlock } = filter as { fromBlock?: Hex; toBlock?: Hex };
        return Number(toBlock ?? 0) - Number(fromBlock ?? 0);
      });
      if (Math.max(...sizes) < 300_000) return complete(requests, response, incoming);
    };
    const { pool } = await startPool([hurried], 1_000_000);
    const { read, maxBlocks } = createLogReader(pool);
    // Shows how soon it answers.
    await read({ addresses: contracts, topics }, { from: 0, to: head });
    const found = await read({ addresses: contracts, topics }, { from: 0, to: 999_999 });
    expect(inOrder(found)).toEqual(chain);
    expect(maxBlocks()).toBe(250_000);
  });
});

test("a log that can't be stored is asked of another endpoint, and the one that sent it is named", async () => {
  const malformed = chain.map((log): Log => ({ ...log, data: `0x\0` }));
  const { read, liars } = await readerOf([{ logs: malformed, limits: {} }, { limits: {} }]);
  expect(inOrder(await read({ addresses: contracts, topics }, { from: 0, to: head }))).toEqual(chain);
  expect(new Set(liars)).toEqual(new Set(["#1"]));
});

test("without addresses, logs of all contracts are read", async () => {
  const { read } = await readerOf([{ limits: {} }]);
  const found = await read({ topics: [topics[1] as Hex] }, { from: 10, to: 20 });
  const expected = chain.filter(
    ({ blockNumber, topics: [topic] }) =>
      Number(blockNumber) >= 10 && Number(blockNumber) <= 20 && topic === topics[1],
  );
  expect(inOrder(found)).toEqual(expected);
});

test("answers that are silently truncated at a round number are detected", async () => {
  const many = Array.from({ length: 5_000 }, (_, index) =>
    logOf(Math.floor(index / 20), index % 20, contracts[0] as Hex, topics[0] as Hex),
  );
  const { read, servers } = await readerOf([{ logs: many, limits: { cutAt: 1_000 } }]);
  expect(inOrder(await read({ addresses: contracts, topics }, { from: 0, to: head }))).toEqual(many);
  // The limit is known by now, and a smaller request is not repeated.
  const before = countRanges(servers[0]);
  await read({ addresses: contracts, topics }, { from: 0, to: 20 });
  expect(countRanges(servers[0]) - before).toBe(1);
});

test.each([
  ["another block", { blockNumber: numberToHex(21) }],
  ["another contract", { address: pad("0xdead", { size: 20 }) }],
  ["another event", { topics: [pad("0xdead", { size: 32 })] }],
  ["a removed log", { removed: true }],
  ["no hash", { transactionHash: undefined }],
  ["an index that is not a number", { logIndex: "first" }],
])("an answer with %s is asked for elsewhere", async (_, change) => {
  const lying: Behaviour = (requests, response) => {
    const log = { ...logOf(15, 0, contracts[0] as Hex, topics[0] as Hex), ...change };
    const answers = requests.map(({ id, method, params }) => ({
      id,
      result: method === "eth_getLogs" ? [log] : headerOf(Number(params[0]), chain),
    }));
    response.end(JSON.stringify(answers));
  };
  const { pool, liars } = await startPool([lying, logNode(chain, {})], head);
  // One answer in a hundred would be compared with the liar's, which lies again.
  const { read } = createLogReader(pool, 0);
  const expected = chain.filter(({ blockNumber }) => Number(blockNumber) >= 10 && Number(blockNumber) <= 20);
  expect(inOrder(await read({ addresses: contracts, topics }, { from: 10, to: 20 }))).toEqual(expected);
  expect(liars).toEqual(["#1"]);
});

test.each([
  ["two times for one block", (_: Log, index: number) => (index % 2 === 0 ? 0 : 1)],
  ["times that fall", (log: Log) => -2 * Number(log.blockNumber)],
  ["times after that of its last block", () => 100],
])("an answer with %s is asked for elsewhere", async (_, shift) => {
  const wrong = chain.map((log, index) => ({
    ...log,
    blockTimestamp: Number(log.blockTimestamp) + shift(log, index),
  }));
  const { read, liars } = await readerOf([{ logs: wrong, limits: {} }, { limits: {} }], 0);
  for (let count = 0; count < 5; count++) {
    expect(inOrder(await read({ addresses: contracts, topics }, { from: 300, to: 330 }))).toEqual(
      chain.filter(({ blockNumber }) => Number(blockNumber) >= 300 && Number(blockNumber) <= 330),
    );
  }
  expect(new Set(liars)).toEqual(new Set(["#1"]));
});

/** The chain without one of its logs, which nothing else reveals. */
const incomplete = chain.filter(({ blockNumber }) => Number(blockNumber) !== 301);

/** The same logs, but those of one block have another time. */
const late = chain.map((log) =>
  Number(log.blockNumber) === 105 ? { ...log, blockTimestamp: numberToHex(1_700_000_106) } : log,
);

const logsOf = ({ from, to }: { from: number; to: number }) =>
  chain.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to);

test.each([
  ["logs", incomplete, { from: 290, to: 310 }],
  ["times", late, { from: 95, to: 115 }],
])("if two endpoints differ in %s, a third decides, whichever was asked first", async (_, wrong, range) => {
  for (const liar of [0, 1, 2]) {
    const nodes = [0, 1, 2].map((index) => ({ logs: index === liar ? wrong : chain, limits: {} }));
    const { read, liars } = await readerOf(nodes, 1);
    for (let count = 0; count < 5; count++) {
      expect(inOrder(await read({ addresses: contracts, topics }, range))).toEqual(logsOf(range));
    }
    expect(liars.every((name) => name === `#${liar + 1}`)).toBe(true);
  }
});

test("if two endpoints differ and there is no third, neither is believed until they agree", async () => {
  const { read, servers } = await readerOf([{ limits: {} }, { logs: incomplete, limits: {} }], 1);
  const range = { from: 290, to: 310 };
  await expect(read({ addresses: contracts, topics }, range)).rejects.toThrow(
    /^#\d and #\d disagree about the logs of blocks 290 to 310: /,
  );
  if (servers[1] !== undefined) servers[1].behaviour = logNode(chain, {});
  const found = await read({ addresses: contracts, topics }, range);
  expect(found).toHaveLength(logsOf(range).length);
});

/** An endpoint that finds no logs as long as `isWrong` says so, but has all headers of `chain`. */
async function readerOfForgetful(isWrong: (request: RpcRequest) => boolean) {
  const complete = logNode(chain, {});
  const forgetful: Behaviour = (requests, response, incoming) => {
    const isEmpty = requests.some((request) => request.method === "eth_getLogs" && isWrong(request));
    if (!isEmpty) return complete(requests, response, incoming);
    const answers = requests.map(({ id, method, params }) => ({
      id,
      result: method === "eth_getLogs" ? [] : headerOf(Number(params[0]), chain),
    }));
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers));
  };
  const { pool, servers, liars } = await startPool([forgetful], head);
  return { ...createLogReader(pool), servers, liars };
}

test("an empty answer of an endpoint that has logs again by the time it is checked is requested again", async () => {
  let isFirst = true;
  const { read } = await readerOfForgetful(() => {
    const was = isFirst;
    isFirst = false;
    return was;
  });
  const found = await read({ addresses: contracts, topics }, { from: 0, to: head });
  expect(inOrder(found)).toEqual(chain);
});

test("a wrong empty answer is detected even if neither the last block nor the middle one has logs", async () => {
  // Blocks 12 and 15 have none, 13 and 14 have.
  let wrong = 3;
  const { read, liars } = await readerOfForgetful(() => wrong-- > 0);
  const found = await read({ addresses: contracts, topics }, { from: 9, to: 15 });
  expect(found).toHaveLength(
    chain.filter(({ blockNumber }) => Number(blockNumber) >= 9 && Number(blockNumber) <= 15).length,
  );
  expect(liars).toEqual(["#1"]);
});

test("if no block has logs, an empty answer is believed", async () => {
  const { read, servers } = await readerOfForgetful(() => false);
  expect(await read({ addresses: [pad("0xdead", { size: 20 })], topics }, { from: 3, to: 3 })).toEqual([]);
  const asked = countRanges(servers[0]);
  await read({ addresses: [pad("0xbeef", { size: 20 })], topics }, { from: 3, to: 3 });
  expect(countRanges(servers[0])).toBe(asked + 1);
});

test("answers that are silently truncated at any number are detected", async () => {
  const many = Array.from({ length: 3_000 }, (_, index) =>
    logOf(Math.floor(index / 10), index % 10, contracts[0] as Hex, topics[0] as Hex),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 2_000 }),
      fc.integer({ min: 0, max: 60 }),
      async (cutAt, from) => {
        const { read } = await readerOf([{ logs: many, limits: { cutAt } }]);
        const found = await read({ addresses: contracts, topics }, { from, to: head });
        expect(inOrder(found)).toEqual(many.slice(10 * from));
      },
    ),
    { numRuns: 8 },
  );
});

test("an answer is verified as complete once, and not again for each shorter one", async () => {
  const { read, servers } = await readerOf([{ limits: {} }], 0);
  await read({ addresses: contracts, topics }, { from: 0, to: head });
  const before = countRanges(servers[0]);
  await read({ addresses: contracts, topics }, { from: 0, to: 300 });
  expect(countRanges(servers[0]) - before).toBe(1);
});

test("a second opinion that can't be true is not requested again and again", async () => {
  const { pool, servers } = await startPool([answering(() => "no list"), logNode(chain, {})], head);
  const { read } = createLogReader(pool, 1);
  // One block, so that nothing else is asked about it.
  const found = await read({ addresses: contracts, topics }, { from: 14, to: 14 });
  expect(found).toHaveLength(25);
  // Possibly once as the first to be asked, and once for its opinion.
  expect(countRanges(servers[0])).toBeLessThanOrEqual(2);
});

test("an opinion that can't be true doesn't silence the next endpoint", async () => {
  const honest = logNode(chain, {});
  const behaviours = [logNode(incomplete, {}), answering(() => "no list"), honest, honest];
  const { read } = createLogReader((await startPool(behaviours, head)).pool, 1);
  const range = { from: 290, to: 310 };
  for (let count = 0; count < 5; count++) {
    expect(inOrder(await read({ addresses: contracts, topics }, range))).toEqual(logsOf(range));
  }
});

test("an endpoint whose logs lag behind its blocks has no say about those that it lacks", async () => {
  const late = chain.filter(({ blockNumber }) => Number(blockNumber) <= 350);
  const { pool } = await startPool([logNode(chain, {}), logNode(late, {}, chain)], head);
  const { read } = createLogReader(pool, 1);
  expect(inOrder(await read({ addresses: contracts, topics }, { from: 0, to: head }))).toEqual(chain);
});

test("answers about the last final blocks are compared, and few about earlier ones", async () => {
  const behaviours = [incomplete, chain, chain].map((logs) => logNode(logs, {}));
  const { pool, servers } = await startPool(behaviours, head);
  const reader = createLogReader(pool, 0);
  const range = { from: 290, to: 310 };
  reader.setFinal({ number: head, hash: headerOf(head, chain).hash });
  expect(inOrder(await reader.read({ addresses: contracts, topics }, range))).toEqual(logsOf(range));
  const asked = () => servers.reduce((sum, server) => sum + countRanges(server), 0);
  // Of two, the one that lacks logs doesn't stop the other.
  const pair = createLogReader((await startPool(behaviours.slice(0, 2), head)).pool, 0);
  pair.setFinal({ number: head, hash: headerOf(head, chain).hash });
  expect(inOrder(await pair.read({ addresses: contracts, topics }, range))).toEqual(logsOf(range));
  reader.setFinal({ number: 100_000, hash: headerOf(100_000, chain).hash });
  const before = asked();
  await reader.read({ addresses: contracts, topics }, range);
  expect(asked() - before).toBeLessThanOrEqual(2);
});

/** A node of another chain, which has blocks of all numbers, with logs of a contract of its own. */
const elsewhere: Behaviour = (requests, response) => {
  const hash = pad("0xbad", { size: 32 });
  const logIn = (block: number) => logOf(block, 0, pad("0xf00", { size: 20 }), pad("0xf1"));
  const resultOf = ({ method, params: [first] }: RpcRequest) => {
    if (method !== "eth_getLogs")
      return { ...headerOf(Number(first), [logIn(Number(first))]), hash, parentHash: hash };
    const { address, fromBlock } = first as { address?: Hex[]; fromBlock: Hex };
    return address === undefined ? [logIn(Number(fromBlock))] : [];
  };
  const answers = requests.map((request) => ({ id: request.id, result: resultOf(request) }));
  response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers));
};

test("an endpoint that has moved to another chain, where our contracts are not, is not believed", async () => {
  const final = 5_000;
  const node = logNode(chain, {});
  const slow: Behaviour = async (...request) => {
    await delay(50);
    await node(...request);
  };
  const { pool, servers, endpoints, liars } = await startPool([node, slow, slow], final);
  const { read, setFinal } = createLogReader(pool, 0);
  setFinal({ number: final, hash: headerOf(final, chain).hash });
  const use = (...used: typeof endpoints) => {
    for (const endpoint of endpoints) endpoint.excluded = used.includes(endpoint) ? undefined : "not now";
  };
  const readRange = async (from: number) =>
    inOrder(await read({ addresses: contracts, topics }, { from, to: from + 19 }));

  // Each of them shows that it has the logs of all blocks.
  for (const endpoint of endpoints) {
    use(endpoint);
    expect(await readRange(0)).toEqual(logsOf({ from: 0, to: 19 }));
  }
  use(...endpoints);
  const [moved] = servers;
  if (moved !== undefined) moved.behaviour = elsewhere;
  for (const from of [100, 120, 140]) expect(await readRange(from)).toEqual(logsOf({ from, to: from + 19 }));
  expect(new Set(liars)).toEqual(new Set(["#1"]));
  use(...endpoints.slice(0, 1));
  // Nor is it once it alone is left, however often it is asked.
  for (let count = 0; count < 2; count++)
    await expect(readRange(300)).rejects.toThrow(
      /^block 5000 is 0x0*bad: what was read with block 0x0*1388 is read again$/,
    );
});
