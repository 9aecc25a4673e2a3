import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../test/run/long-run.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { createChildren } from "../sources/children.ts";
import type { Hex, Log } from "../sources/log.ts";
import { childFromLog } from "../sources/sources.ts";
import { numberOf } from "./block.ts";
import { startLiveChain } from "./fixtures/live-chain.ts";
import {
  type Action,
  addLiquidity,
  addressOf,
  create,
  createNode,
  createSimulatedChain,
  graduate,
  removeLiquidity,
  type SimulatedBlock,
  sources,
  swap,
  trade,
  transfer,
} from "./fixtures/simulated-chain.ts";

type Dice = () => number;

const onPair = [swap, addLiquidity, removeLiquidity];

/** Transactions that make sense after what has happened on a branch. */
function actionsAfter(branch: SimulatedBlock[], dice: Dice): Action[] {
  const logs = branch.flatMap(({ logs }) => logs);
  const born = logs.flatMap((log) => childFromLog(sources, log) ?? []);
  const tokens = born.filter(({ type }) => type === "token").map(({ address }) => address);
  const pairs = born.filter(({ type }) => type === "pair").map(({ address }) => address);
  const pick = <Item>(items: Item[]) => items[dice() % items.length] as Item;
  const actions: Action[] = [];
  for (let count = dice() % 4; count > 0; count--) {
    // Few addresses, so that another branch often creates the same token, earlier or later.
    const fresh = addressOf(100 + (dice() % 12));
    const kind = dice() % 6;
    if (kind === 0 && !tokens.includes(fresh)) {
      tokens.push(fresh);
      actions.push(create(fresh), trade(fresh));
    } else if (kind === 1 && tokens.length > 0) {
      const [token, pair] = [pick(tokens), addressOf(300 + (dice() % 12))];
      if (!pairs.includes(pair)) actions.push(graduate(token, pair), swap(token, pair));
      pairs.push(pair);
    } else if (kind === 2) actions.push([transfer(addressOf(700 + (dice() % 30)))]);
    else if (kind === 3 && pairs.length > 0) actions.push(pick(onPair)(pick(tokens), pick(pairs)));
    else if (tokens.length > 0) actions.push(trade(pick(tokens)));
  }
  return actions;
}

/** What Ponder must have of a branch from a block on. */
function expectedOf(branch: SimulatedBlock[], from: number) {
  const children = createChildren(sources);
  children.learn(branch.flatMap(({ logs }) => logs));
  return branch.slice(from).map(({ header, logs }) => ({
    hash: header.hash,
    logs: logs.filter((log) => children.isIndexed(log)).map(idOf),
  }));
}

const idOf = ({ logIndex, address }: Log) => `${Number(logIndex)} ${address}`;

type Ponder = Awaited<ReturnType<typeof startLiveChain>>["ponder"];

const heldBy = (ponder: Ponder) =>
  ponder.blocks.map(({ block, logs }) => ({ hash: block.hash, logs: logs.map(idOf) }));

test("whatever the reorgs, Ponder ends with the events of the chain, and each block is complete at once", async () => {
  const step = fc.record({
    depth: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 8 })),
    blocks: fc.integer({ min: 1, max: 12 }),
    lag: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.nat()),
      async (steps, stream) => {
        const dice: Dice = () => stream.next().value as number;
        const chain = createSimulatedChain();
        const extend = (head: SimulatedBlock, blocks: number): SimulatedBlock =>
          blocks === 0 ? head : extend(chain.mine(head, actionsAfter(chain.branch(head), dice)), blocks - 1);
        const finalized = extend(chain.mine(undefined), 20);
        let head = extend(finalized, 12);
        const [first, second] = [createNode(chain, head), createNode(chain, head)];
        const { ponder, follow, live, lies } = await startLiveChain({
          behaviours: [first.behaviour, second.behaviour],
          finalized: finalized.header,
          history: chain.branch(finalized).flatMap(({ logs }) => logs),
        });
        follow();
        const settle = () =>
          expect.poll(() => ponder.blocks.at(-1)?.block.hash, { interval: 10 }).toBe(head.header.hash);
        await settle();
        for (const { depth, blocks, lag } of steps) {
          const branch = chain.branch(head);
          const fork = branch.at(-1 - Math.min(depth, numberOf(head.header) - 20 - 1)) as SimulatedBlock;
          head = extend(fork, depth + blocks);
          first.head = head;
          second.head = chain.branch(head).at(-1 - lag) as SimulatedBlock;
          await settle();
        }
        live.stop();
        await ponder.idle();
        expect(heldBy(ponder)).toEqual(expectedOf(chain.branch(head), 21));
        expect(ponder.warnings).toEqual([]);
        expect(lies).toEqual([]);
      },
    ),
    { numRuns: sized({ usual: 4, long: 24 }), endOnFailure: true },
  );
});

test("whichever whole answers one of two endpoints leaves empty, each block is complete at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      fc.infiniteStream(fc.nat()),
      fc.infiniteStream(fc.nat()),
      async (additions, rarity, maxCalls, stream, lies) => {
        const dice: Dice = () => stream.next().value as number;
        const chain = createSimulatedChain();
        const extend = (head: SimulatedBlock, blocks: number): SimulatedBlock =>
          blocks === 0 ? head : extend(chain.mine(head, actionsAfter(chain.branch(head), dice)), blocks - 1);
        const finalized = extend(chain.mine(undefined), 5);
        let head = extend(finalized, 12);
        const liar = createNode(chain, head, {
          tamper: (result, { method }) =>
            method === "eth_getLogs" && (lies.next().value as number) % rarity === 0 ? [] : result,
        });
        const honest = createNode(chain, head);
        const { endpoints, ponder, follow, live } = await startLiveChain({
          behaviours: [liar.behaviour, honest.behaviour],
          finalized: finalized.header,
          history: chain.branch(finalized).flatMap(({ logs }) => logs),
        });
        // With fewer than three calls, a batch may be answered by both.
        for (const { limits } of endpoints)
          limits.learn(new EndpointFault("batch", ""), { calls: 2 * maxCalls });
        follow();
        const settle = () =>
          expect.poll(() => ponder.blocks.at(-1)?.block.hash, { interval: 10 }).toBe(head.header.hash);
        await settle();
        for (const blocks of additions) {
          head = extend(head, blocks);
          [liar.head, honest.head] = [head, head];
          await settle();
        }
        live.stop();
        await ponder.idle();
        expect(heldBy(ponder)).toEqual(expectedOf(chain.branch(head), 6));
        expect(ponder.warnings).toEqual([]);
      },
    ),
    { numRuns: sized({ usual: 6, long: 40 }), endOnFailure: true },
  );
});

async function liveOf(count: number, actions: Action[][]) {
  const chain = createSimulatedChain();
  const genesis = chain.mine(undefined);
  const token = addressOf(100);
  const finalized = chain.mine(genesis, [create(token)]);
  const head = actions.reduce((parent, ofBlock) => chain.mine(parent, ofBlock), finalized);
  const nodes = Array.from({ length: count }, () => createNode(chain, head));
  const started = await startLiveChain({
    behaviours: nodes.map(({ behaviour }) => behaviour),
    finalized: finalized.header,
    history: finalized.logs,
  });
  return { ...started, chain, nodes, head, token };
}

test("serves blocks by number and by hash, and their logs", async () => {
  const { live, head, token } = await liveOf(1, [[trade(addressOf(100))]]);
  const block = await live.blockByNumber(2);
  expect(block).toMatchObject({
    hash: head.header.hash,
    number: "0x2",
    receiptsRoot: head.header.receiptsRoot,
  });
  expect(await live.blockByHash(head.header.hash)).toEqual(block);
  expect((await live.logsOf(head.header.hash))?.map(({ address }) => address)).toEqual([
    sources.launchpad,
    token,
  ]);
  expect(block?.transactions).toMatchObject([
    {
      hash: head.logs[0]?.transactionHash,
      transactionIndex: "0x0",
      blockHash: head.header.hash,
      type: "0x0",
    },
  ]);
});

test("Ponder gets no more of a block than is stored, whatever else an endpoint sends", async () => {
  const { live, nodes } = await liveOf(1, [[trade(addressOf(100))]]);
  Object.assign(nodes[0] ?? {}, {
    tamper: (result: { miner?: string; number?: Hex } | null) =>
      result?.number === undefined ? result : { ...result, miner: "0x\0", size: {} },
  });
  expect(Object.keys((await live.blockByNumber(2)) ?? {}).toSorted()).toEqual([
    ...["hash", "logsBloom", "number", "parentHash", "receiptsRoot", "timestamp", "transactions"],
  ]);
});

test("an unknown block is null at once, and so is one that no longer exists", async () => {
  const { live, nodes, chain, head } = await liveOf(2, [[], [trade(addressOf(100))]]);
  const gone = `0x${"12".repeat(32)}` as Hex;
  expect(await live.blockByHash(gone)).toBeNull();
  expect(await live.logsOf(gone)).toBeNull();
  expect(await live.blockByNumber(1_000)).toBeNull();
  // A prepared block is still known after the reorg: Ponder may be about to ask for it.
  expect(await live.logsOf(head.header.hash)).toHaveLength(2);
  const other = chain.mine(chain.branch(head)[2], [trade(addressOf(100)), trade(addressOf(100))]);
  for (const node of nodes) node.head = other;
  expect(await live.logsOf(head.header.hash)).toHaveLength(2);
  expect((await live.blockByNumber(3))?.hash).toBe(other.header.hash);
});

test("however many ask for a block, it is read once", async () => {
  const { live, servers, head } = await liveOf(1, [[trade(addressOf(100))]]);
  const { hash } = head.header;
  await live.logsOf(hash);
  const before = servers[0]?.received.length;
  await Promise.all([live.blockByHash(hash), live.logsOf(hash), live.blockByHash(hash), live.logsOf(hash)]);
  expect(servers[0]?.received.length).toBe(before);
});

test("a block that Ponder asks for again and again is read anew, since it has refused what it got", async () => {
  const { live, servers, head } = await liveOf(1, [[trade(addressOf(100))]]);
  const { hash } = head.header;
  await live.logsOf(hash);
  const before = servers[0]?.received.length ?? 0;
  for (let attempt = 1; attempt <= 4; attempt++) await live.blockByHash(hash);
  expect(servers[0]?.received.length).toBe(before);
  await live.blockByHash(hash);
  expect(servers[0]?.received.length).toBeGreaterThan(before);
});

test("a block without our events costs one header, and Ponder asks nothing about it", async () => {
  const { live, servers, ponder, follow, nodes, chain, head } = await liveOf(1, [[]]);
  follow();
  await expect.poll(() => ponder.blocks.length).toBe(1);
  if (nodes[0] !== undefined) nodes[0].head = chain.mine(head);
  await expect.poll(() => ponder.blocks.length).toBe(2);
  live.stop();
  expect(new Set(servers[0]?.received.map(({ method }) => method))).toEqual(
    new Set(["eth_getBlockByNumber"]),
  );
  expect(ponder.requests).toEqual([]);
});

test("several blocks at once cost their headers, and the logs of those with events", async () => {
  const { live, servers, ponder, follow, nodes, chain, head, token } = await liveOf(1, [[]]);
  follow();
  await expect.poll(() => ponder.blocks.length).toBe(1);
  const before = servers[0]?.received.length ?? 0;
  const grown = [[], [trade(token)], [], []].reduce((parent, actions) => chain.mine(parent, actions), head);
  if (nodes[0] !== undefined) nodes[0].head = grown;
  await expect.poll(() => ponder.blocks.length).toBe(5);
  live.stop();
  const asked = servers[0]?.received.slice(before).filter(({ params }) => params[0] !== "latest") ?? [];
  expect(asked.filter(({ method }) => method === "eth_getBlockByNumber")).toHaveLength(3);
  // For one block in a hundred, all logs are read as well.
  expect(asked.length).toBeLessThanOrEqual(3 + 2);
});
