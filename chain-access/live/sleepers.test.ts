import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { onlyInLongRun, sized } from "../../test/run/long-run.ts";
import { seed } from "../../test/run/seed.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { failing } from "../fixtures/endpoint-server.ts";
import { createChildren } from "../sources/children.ts";
import type { Hex, Log } from "../sources/log.ts";
import { numberOf } from "./block.ts";
import { startLiveChain } from "./fixtures/live-chain.ts";
import {
  type Action,
  addressOf,
  create,
  createNode,
  createSimulatedChain,
  foreign,
  graduate,
  type NodeOptions,
  type SimulatedBlock,
  sources,
  swap,
  trade,
  transfer,
} from "./fixtures/simulated-chain.ts";
import type { LiveOptions } from "./live.ts";
import { waitBefore } from "./sleepers.ts";

/* Blocks as full as BNB Smart Chain's, with endpoints that take so few addresses that most tokens can't be asked for in each. */

/** A request takes so many addresses, and a full block's bloom matches a quarter of all. */
const room = 3;
const tokens = Array.from({ length: 20 }, (_, index) => addressOf(100 + index));
const pairs = tokens.map((_, index) => addressOf(200 + index));
const graduated = 5;
const finality = 30;

type SleepingOptions = NodeOptions &
  Partial<Pick<LiveOptions, "readActive">> & {
    isOnChain?: boolean;
    /** In the first block that is followed. */
    first?: Action[];
  };

async function startSleeping({ tamper, isOnChain = true, first, ...rest }: SleepingOptions = {}) {
  const chain = createSimulatedChain();
  const genesis = chain.mine(undefined);
  const created = chain.mine(genesis, tokens.map(create));
  const pairsOf = (index: number) => pairs[index] as Hex;
  const finalized = chain.mine(
    created,
    tokens.slice(0, graduated).map((token, index) => graduate(token, pairsOf(index))),
  );
  let salt = 0;
  const mine = (parent: SimulatedBlock, actions: Action[] = []) =>
    chain.mine(parent, [...actions, ...(isOnChain ? [foreign(++salt)] : [])]);
  const asked = new Set<unknown>();
  const node = createNode(chain, mine(finalized, first), {
    tamper(result, request) {
      asked.add((request.params[0] as { blockHash?: Hex } | undefined)?.blockHash);
      return tamper === undefined ? result : tamper(result, request);
    },
  });
  const live = await startLiveChain({
    behaviours: [node.behaviour],
    finalized: finalized.header,
    history: chain.branch(finalized).flatMap(({ logs }) => logs),
    ...rest,
  });
  for (const { limits } of live.endpoints)
    limits.learn(new EndpointFault("addresses", "", { limit: room }), { addresses: 100 });
  live.follow();
  const { ponder } = live;
  const untilHead = () =>
    expect
      .poll(() => ponder.blocks.at(-1)?.block.hash, { interval: 5, timeout: 20_000 })
      .toBe(node.head.header.hash);
  await untilHead();

  return {
    ...live,
    chain,
    node,
    asked,
    mine,
    untilHead,
    /** Mines blocks, one after the other, as Ponder follows. */
    async extend(...blocks: Action[][]): Promise<void> {
      for (const actions of blocks) {
        node.head = mine(node.head, actions);
        await untilHead();
      }
    },
    /** Resolves once Ponder has every event of the chain. */
    async untilComplete(): Promise<void> {
      const children = createChildren(sources);
      children.learn(chain.branch(node.head).flatMap(({ logs }) => logs));
      const expected = chain
        .branch(node.head)
        .slice(numberOf(finalized.header) + 1)
        .map(({ header, logs }) => ({
          hash: header.hash,
          logs: logs.filter((log) => children.isIndexed(log)).map(idOf),
        }));
      await expect
        .poll(() => ponder.blocks.map(({ block, logs }) => ({ hash: block.hash, logs: logs.map(idOf) })), {
          interval: 20,
          timeout: 20_000,
        })
        .toEqual(expected);
    },
  };
}

const idOf = ({ logIndex, address }: Log) => `${Number(logIndex)} ${address}`;
const nothing = (count: number): Action[][] => Array.from({ length: count }, () => []);
const [sleeping, other] = tokens.slice(-2) as [Hex, Hex];
const moved: Action[] = [[transfer(sleeping)]];

test("a transfer of a token that slept is added to its block before Ponder takes that for final", async () => {
  const { extend, untilComplete, ponder, lies } = await startSleeping();
  await extend(moved);
  expect(ponder.blocks.at(-1)?.logs).toEqual([]);
  await extend(...nothing(finality - 8));
  await untilComplete();
  expect(ponder.warnings).toEqual([]);
  expect(lies).toEqual([]);
});

test("a token that had one in the day before the start is asked for from the first block on", async () => {
  const { pushed, untilComplete } = await startSleeping({
    first: moved,
    async readActive() {
      await delay(20);
      return [sleeping];
    },
  });
  await untilComplete();
  expect(pushed).toHaveLength(1);
});

test("once it has had an event, the next ones are there at once", async () => {
  const { extend, untilComplete, ponder } = await startSleeping();
  await extend(moved, ...nothing(finality - 8));
  await untilComplete();
  await extend(moved);
  expect(ponder.blocks.at(-1)?.logs.map(({ address }) => address)).toEqual([sleeping]);
});

test("a trade on the curve is there at once with its transfer, and so is what the token had while it slept", async () => {
  const { extend, untilComplete, ponder } = await startSleeping();
  await extend(moved, [], [trade(sleeping)]);
  expect(ponder.blocks.at(-1)?.logs.map(({ address }) => address)).toEqual([sources.launchpad, sleeping]);
  await untilComplete();
});

test("a new token's events are there at once, and those of a token that an active pair belongs to", async () => {
  const { extend, ponder } = await startSleeping();
  const fresh = addressOf(300);
  await extend([create(fresh)], [[transfer(fresh)]]);
  expect(ponder.blocks.slice(-2).map(({ logs }) => logs.length)).toEqual([3, 1]);
});

test("a new token's events are there at once in blocks that appear together with the one that creates it", async () => {
  const { node, mine, pushed, untilHead, untilComplete } = await startSleeping();
  const before = pushed.length;
  const created = mine(node.head, [create(addressOf(300))]);
  node.head = mine(mine(created), [[transfer(addressOf(300))]]);
  await untilHead();
  await untilComplete();
  expect(pushed.length - before).toBe(3);
});

test("no filter is without an address, and none has more than the endpoint takes", async () => {
  const { extend, untilComplete, servers } = await startSleeping();
  await extend(moved, ...nothing(finality), [swap(tokens[0] as Hex, pairs[0] as Hex)], ...nothing(finality));
  await untilComplete();
  const filters = servers
    .flatMap(({ received }) => received)
    .filter(({ method }) => method === "eth_getLogs")
    .map(({ params }) => params[0] as { address?: Hex | Hex[] });
  expect(filters.filter(({ address }) => address === undefined)).toEqual([]);
  expect(Math.max(...filters.map(({ address = [] }) => [address].flat().length))).toBeLessThanOrEqual(room);
});

onlyInLongRun(() => {
  test("in the gap that an outage has left, events of sleeping tokens are there at once though new blocks come", async () => {
    const spans: number[] = [];
    const { node, servers, mine, pushed, untilHead, untilComplete } = await startSleeping({
      tamper: (result, { params: [first] }) => {
        const {
          address = [],
          fromBlock,
          toBlock,
        } = first as { address?: Hex[]; fromBlock?: Hex; toBlock?: Hex };
        if (fromBlock !== undefined && !address.includes(sources.launchpad))
          spans.push(Number(toBlock) - Number(fromBlock));
        return result;
      },
    });
    const [server] = servers;
    if (server === undefined) throw new Error("no endpoint");
    const { head } = node;
    const before = Array.from({ length: 40 }).reduce<SimulatedBlock>((parent) => mine(parent), head);
    const traded = mine(mine(before, moved), [trade(other)]);
    const last = Array.from({ length: 260 }).reduce<SimulatedBlock>((parent) => mine(parent), traded);
    const isPushed = async (block: SimulatedBlock) => {
      await expect.poll(() => pushed.some(({ hash }) => hash === block.header.hash)).toBe(true);
    };
    let isHeld = false;
    server.behaviour = async (requests, response, request) => {
      const isOfTraded = requests.some(
        ({ params: [first] }) => (first as { blockHash?: Hex }).blockHash === traded.header.hash,
      );
      // While blocks of the gap are prepared, the chain goes on.
      if (isOfTraded && !isHeld) {
        isHeld = true;
        node.head = mine(node.head);
        await isPushed(node.head);
      }
      return node.behaviour(requests, response, request);
    };
    node.head = last;
    // Ponder asks for some more of the gap with each block.
    for (let block = 0; block < 8; block++) {
      await isPushed(node.head);
      node.head = mine(node.head);
    }
    await untilHead();
    expect(isHeld).toBe(true);
    await untilComplete();
    // What Ponder asks for together, and not all that is between these blocks and the newest.
    expect(Math.max(...spans)).toBeLessThan(120);
  });
});

test("new blocks wait while the events of sleeping tokens can't be read", async () => {
  let isRefused = true;
  const { chain, node, asked, mine, extend, untilComplete, untilHead, pushed } = await startSleeping({
    tamper: (result, { method, params }) => {
      const {
        address = [],
        fromBlock,
        toBlock,
      } = (params[0] ?? {}) as {
        address?: Hex | Hex[];
        fromBlock?: Hex;
        toBlock?: Hex;
      };
      const isSearch =
        method === "eth_getLogs" && fromBlock !== toBlock && ![address].flat().includes(sources.launchpad);
      return isRefused && isSearch ? { error: { code: -32603, message: "internal error" } } : result;
    },
  });
  const first = numberOf(node.head.header);
  await extend(moved, ...nothing(finality - 10));
  for (let block = 0; block < 20; block++) node.head = mine(node.head);
  const last = first + finality - waitBefore - 1;
  await expect.poll(() => pushed.at(-1)?.number).toBe(last);
  // The next one has been prepared, and waits.
  const { hash } = chain.branch(node.head)[last + 1]?.header ?? {};
  await expect.poll(() => asked.has(hash)).toBe(true);
  expect(pushed.at(-1)?.number).toBe(last);
  isRefused = false;
  await untilHead();
  await untilComplete();
});

test("a block that can't be prepared for a moment, just as its events are found, is prepared again", async () => {
  const { live, node, servers, mine, extend, untilComplete, pushed } = await startSleeping();
  await extend(moved);
  const { header } = node.head;
  await extend(...nothing(finality - 10));
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [server] = servers;
  if (server === undefined) throw new Error("no endpoint");
  server.behaviour = async (requests, response, request) => {
    const isHeld = requests.some(
      ({ params }) => (params[0] as { blockHash?: Hex }).blockHash === header.hash,
    );
    if (!isHeld) return node.behaviour(requests, response, request);
    held.resolve();
    await released.promise;
    return failing(-32601, "the method eth_getLogs does not exist")(requests, response, request);
  };
  // Until it is read anew, as if Ponder had refused it.
  for (let served = 1; served < 4; served++) await live.blockByHash(header.hash);
  const again = expect(live.blockByHash(header.hash)).rejects.toThrow("does not exist");
  await held.promise;
  const before = pushed.length;
  node.head = mine(mine(node.head));
  await expect.poll(() => pushed.slice(before).some(({ number }) => number < numberOf(header))).toBe(true);
  released.resolve();
  await again;
  server.behaviour = node.behaviour;
  await untilComplete();
});

test("whatever sleeps and wakes, and whatever the reorgs, Ponder ends with the events of the chain", async () => {
  const act = fc.record({
    token: fc.constantFrom(...tokens.keys()),
    kind: fc.constantFrom("nothing", "nothing", "nothing", "transfer", "trade"),
  });
  const step = fc.record({
    depth: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 6 })),
    blocks: fc.array(fc.array(act, { maxLength: 2 }), { minLength: 1, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const { chain, node, mine, untilHead, extend, untilComplete, live, ponder } = await startSleeping();
      const first = numberOf(node.head.header);
      for (const { depth, blocks } of steps) {
        const branch = chain.branch(node.head);
        let head = branch.at(-1 - Math.min(depth, numberOf(node.head.header) - first)) as SimulatedBlock;
        const filler: (typeof blocks)[number][] = Array.from({ length: depth }, () => []);
        for (const acts of [...filler, ...blocks]) head = mine(head, acts.flatMap(toActions));
        node.head = head;
        await untilHead();
      }
      await extend(...nothing(finality));
      await untilComplete();
      expect(ponder.warnings).toEqual([]);
      live.stop();
    }),
    { seed, numRuns: sized({ usual: 2, long: 20 }), endOnFailure: true },
  );

  function toActions({ token: index, kind }: { token: number; kind: string }): Action[] {
    const token = tokens[index] as Hex;
    if (kind === "nothing") return [];
    if (kind === "transfer") return [[transfer(token)]];
    return index < graduated ? [swap(token, pairs[index] as Hex)] : [trade(token)];
  }
});

test("where other contracts emit little, all tokens are asked for", async () => {
  const { extend, ponder } = await startSleeping({ isOnChain: false });
  await extend([[transfer(sleeping)], [transfer(other)]]);
  expect(ponder.blocks.at(-1)?.logs.map(({ address }) => address)).toEqual([sleeping, other]);
});
