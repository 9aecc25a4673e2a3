import { numberToHex, pad } from "viem";
import { expect, test } from "vitest";
import { createBucket } from "../../test/chain/emulated-endpoint/limits.ts";
import { sized } from "../../test/run/long-run.ts";
import { hanging, type RpcRequest, respondingWith } from "../fixtures/endpoint-server.ts";
import { startLiveChain } from "./fixtures/live-chain.ts";
import {
  addressOf,
  create,
  createNode,
  createSimulatedChain,
  type SimulatedBlock,
  trade,
} from "./fixtures/simulated-chain.ts";

const token = addressOf(100);

async function following(count: number, pollingMs = 20) {
  const chain = createSimulatedChain();
  const finalized = chain.mine(chain.mine(undefined), [create(token)]);
  const grow = (parent: SimulatedBlock, blocks = 1): SimulatedBlock =>
    blocks === 0 ? parent : grow(chain.mine(parent, [trade(token)]), blocks - 1);
  const start = grow(finalized, 5);
  const nodes = Array.from({ length: count }, () => createNode(chain, start));
  const started = await startLiveChain({
    behaviours: nodes.map(({ behaviour }) => behaviour),
    finalized: finalized.header,
    history: finalized.logs,
    pollingMs,
  });
  started.follow();
  const { pushed, lines } = started;
  const isAt = (block: SimulatedBlock) => expect.poll(() => pushed.at(-1)?.hash).toBe(block.header.hash);
  await isAt(start);
  const move = (head: SimulatedBlock, ...some: number[]) => {
    for (const [index, node] of nodes.entries())
      if (some.length === 0 || some.includes(index)) node.head = head;
  };
  /** The node that is followed: the one that is asked more often than the others. */
  async function leader(): Promise<number> {
    const counts = () => started.servers.map(({ received }) => received.length);
    const before = counts();
    const asked = () => counts().map((count, index) => count - (before[index] ?? 0));
    await expect.poll(() => Math.max(...asked())).toBeGreaterThan(8);
    return asked().indexOf(Math.max(...asked()));
  }

  return { ...started, chain, nodes, start, grow, isAt, move, lines, leader };
}

test.each([
  ["hangs", hanging],
  ["fails", respondingWith(502, "<html>")],
])("when the endpoint that is followed %s, another one is", async (_, bad) => {
  const { servers, start, grow, isAt, move, pushed, ponder, leader } = await following(2);
  const followed = await leader();
  if (servers[followed] !== undefined) servers[followed].behaviour = bad;
  const head = grow(start, 3);
  move(head, 1 - followed);
  await isAt(head);
  expect(pushed.map(({ number }) => number)).toEqual([6, 7, 8, 9]);
  expect(ponder.warnings).toEqual([]);
});

test("an error that keeps new blocks back is logged once, and not with each attempt", async () => {
  const { nodes, start, grow, isAt, move, lines, servers } = await following(1);
  const message = "the method eth_getLogs is not available";
  const isForLogs = ({ method }: RpcRequest) => method === "eth_getLogs";
  Object.assign(nodes[0] ?? {}, {
    tamper: (result: unknown, request: RpcRequest) =>
      isForLogs(request) ? { error: { code: -32601, message } } : result,
  });
  const before = servers[0]?.received.length;
  const head = grow(start);
  move(head);
  const attempts = () => servers[0]?.received.slice(before).filter(isForLogs).length;
  await expect.poll(attempts).toBeGreaterThan(10);
  expect(lines).toEqual([`block 7: ${message}`]);
  Object.assign(nodes[0] ?? {}, { tamper: undefined });
  await isAt(head);
});

test("polls leave room for preparing blocks, however few requests an endpoint accepts", async () => {
  const { servers, nodes, start, grow, isAt, move } = await following(1);
  const bucket = createBucket();
  const [server, node] = [servers[0], nodes[0]];
  if (server === undefined || node === undefined) throw new Error("no endpoint");
  server.behaviour = (requests, response, request) => {
    const isRefused = bucket.take(requests.length, 10) > 0;
    return isRefused ? void response.writeHead(429).end() : node.behaviour(requests, response, request);
  };
  let head = start;
  for (let round = 0; round < 2; round++) {
    head = grow(head, 4);
    move(head);
    await isAt(head);
  }
});

test("if the leader turns out to be on another chain, another endpoint is followed", async () => {
  const { endpoints, leader } = await following(2);
  const followed = await leader();
  Object.assign(endpoints[followed] ?? {}, { excluded: "it is on another chain" });
  expect(await leader()).toBe(1 - followed);
});

test("an endpoint that falls behind isn't followed back, nor asked for what it lacks", async () => {
  const { start, grow, isAt, move, pushed, lies, leader } = await following(2);
  const followed = await leader();
  const middle = grow(start, 5);
  move(middle, followed);
  await isAt(middle);
  const head = grow(middle, 5);
  move(head, 1 - followed);
  await isAt(head);
  expect(pushed.map(({ number }) => number)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  expect(lies).toEqual([]);
});

test("endpoints on different forks don't make Ponder roll back again and again", async () => {
  const { servers, start, grow, move, pushed, isAt, leader, lines } = await following(2, 100);
  const followed = await leader();
  const isAsked = async (index: number) => {
    const received = servers[index]?.received ?? [];
    const before = received.length;
    await expect.poll(() => received.length, { interval: 10 }).toBeGreaterThan(before);
  };
  let [mine, theirs] = [start, start];
  // Not often enough in a row for an endpoint to count as behind.
  for (let block = 0; block < 2; block++) {
    theirs = grow(theirs);
    move(theirs, 1 - followed);
    // The other one is seen to be ahead, and a choice made.
    await isAsked(1 - followed);
    for (let polls = 0; polls < 2; polls++) await isAsked(followed);
    mine = grow(mine);
    move(mine, followed);
    await expect.poll(() => pushed.at(-1)?.number).toBe(7 + block);
  }
  const reorgs = pushed.filter(({ hash }, index) => hash === pushed[index - 1]?.hash);
  // On a busy machine an answer may be late, which is a reason to follow another one.
  const failures = lines.filter((line) => /(failed|is late)$/.test(line));
  expect(lines).toEqual(failures);
  expect(reorgs.length).toBeLessThanOrEqual(failures.length);
  // The other fork becomes the chain.
  const head = grow(theirs, 4);
  move(head);
  await isAt(head);
});

test("a lower head of another branch is not followed, unless most endpoints have it", async () => {
  const { start, grow, isAt, move, pushed, ponder, leader, nodes } = await following(3);
  const head = grow(start, 4);
  move(head);
  await isAt(head);
  const shorter = grow(start, 2);
  const followed = await leader();
  move(shorter, followed);
  const others = [...nodes.keys()].filter((index) => index !== followed);
  const next = grow(head);
  move(next, ...others);
  await isAt(next);
  expect(pushed.map(({ number }) => number)).toEqual([6, 7, 8, 9, 10, 11]);
  move(shorter);
  await isAt(shorter);
  expect(pushed.slice(6).map(({ number }) => number)).toEqual([7, 7, 8]);
  await ponder.idle();
  expect(ponder.blocks.at(-1)?.block.hash).toBe(shorter.header.hash);
});

test("a branch that replaces final blocks is not followed, however many endpoints have it", async () => {
  const { chain, start, grow, isAt, move, pushed, lines } = await following(3);
  const head = grow(start, 40);
  move(head);
  await isAt(head);
  const replacing = grow(start, 60);
  move(replacing);
  await expect
    .poll(() => lines)
    .toContainEqual(
      expect.stringMatching(/^a branch that replaces block 16, which is final, is not followed$/),
    );
  // The last final block stays.
  const [, shared] = chain.branch(head).slice(-31);
  const lower = grow(shared as SimulatedBlock, 50);
  move(lower);
  await isAt(lower);
  const ours = new Set([...chain.branch(head), ...chain.branch(lower)].map(({ header }) => header.hash));
  expect(pushed.every(({ hash }) => ours.has(hash))).toBe(true);
});

test("a fork from before all blocks in memory is logged, and its head pushed", async () => {
  const { chain, start, grow, isAt, move, lines } = await following(1);
  const other = grow(chain.branch(start)[3] as SimulatedBlock, 5);
  move(other);
  await isAt(other);
  expect(lines).toEqual(["a fork before block 6, the oldest in memory: pushing block 8"]);
});

test("an endpoint that moves to another chain, however far ahead that is, isn't followed there", async () => {
  const { chain, start, grow, isAt, move, pushed, leader, endpoints } = await following(2);
  const followed = await leader();
  move(grow(chain.mine(undefined), 400), followed);
  await expect.poll(() => endpoints[followed]?.excluded).toMatch("it is on another chain");
  const head = grow(start, 3);
  move(head, 1 - followed);
  await isAt(head);
  expect(pushed.map(({ number }) => number)).toEqual([6, 7, 8, 9]);
});

/** Has a node answer with another time for some blocks, in seconds after that of block 0. */
const withTimes = (node: { tamper?: unknown } | undefined, times: Record<number, number>) =>
  Object.assign(node ?? {}, {
    tamper(result: unknown) {
      const time = times[Number((result as { number?: string } | null)?.number)];
      if (time === undefined) return result;
      return { ...(result as object), timestamp: numberToHex(1_700_000_000 + time) };
    },
  });

test("an endpoint that has a block before its parent is not believed", async () => {
  const { live, nodes, start, grow, isAt, move, leader } = await following(2);
  withTimes(nodes[await leader()], { 7: 3 });
  const head = grow(start);
  move(head);
  await isAt(head);
  expect((await live.blockByNumber(7))?.timestamp).toBe(head.header.timestamp);
});

test("blocks of the same second are followed, and so is one whose parent's time is too late", async () => {
  const { nodes, start, grow, isAt, move, lies } = await following(2);
  for (const node of nodes) withTimes(node, { 7: 6, 8: 6, 9: 5_000 });
  let head = grow(start, 3);
  move(head);
  await isAt(head);
  expect(lies).toEqual([]);
  head = grow(head, 2);
  move(head);
  await isAt(head);
});

test("after a long pause only the head is pushed", async () => {
  const { start, grow, isAt, move, lines, pushed, ponder } = await following(1);
  const head = grow(start, 300);
  move(head);
  await isAt(head);
  expect(lines).toEqual(["299 blocks were missed: continuing from block 306"]);
  expect(pushed.length).toBeLessThanOrEqual(3);
  await ponder.idle();
  // Ponder fetches a part of what it lacks with each head.
  expect(ponder.blocks.length).toBeGreaterThan(50);
});

const aheads: [string, number][] = [
  ["just above the newest block", 4],
  ["far above it", 1_000_000],
];

test.each(sized({ usual: aheads.slice(0, 1), long: aheads }))(
  "an endpoint that reports heads that no endpoint has, %s, is not followed for long",
  async (_, ahead) => {
    const { nodes, start, grow, isAt, move, lines, leader, endpoints } = await following(2);
    const liar = await leader();
    Object.assign(nodes[liar] ?? {}, {
      tamper(result: unknown, { params: [block] }: RpcRequest) {
        if (block !== "latest") return result;
        const { number } = result as { number: string };
        const hash = pad(numberToHex(Number(number) + ahead), { size: 32 });
        return { ...(result as object), number: numberToHex(Number(number) + ahead), hash, parentHash: hash };
      },
    });
    const head = grow(start, 3);
    move(head);
    await isAt(head);
    const [other, named] = [1 - liar, liar].map((index) => endpoints[index]?.name);
    expect(lines).toEqual([
      `following ${other}: ${named} says that block ${9 + ahead} is the newest, and no endpoint has that block`,
    ]);
    // It is left alone for a while.
    const next = grow(head, 3);
    move(next);
    await isAt(next);
    expect(await leader()).toBe(1 - liar);
  },
);
