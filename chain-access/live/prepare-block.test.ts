import fc from "fast-check";
import { numberToHex } from "viem";
import { expect, test } from "vitest";
import { seed } from "../../test/run/seed.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { hanging, type RpcRequest, respondingWith } from "../fixtures/endpoint-server.ts";
import type { Hex, Log } from "../sources/log.ts";
import { numberOf } from "./block.ts";
import { witness } from "./block-logs.ts";
import { chainOf, preparing, token } from "./fixtures/preparing.ts";
import {
  type Action,
  addLiquidity,
  addressOf,
  create,
  createNode,
  foreign,
  graduate,
  removeLiquidity,
  swap,
  swapOfGift,
  trade,
  transfer,
} from "./fixtures/simulated-chain.ts";

const [other, pair] = [addressOf(101), addressOf(102)];

const idsOf = (logs: readonly Log[] | undefined) => logs?.map(({ logIndex, address }) => [logIndex, address]);
const isOfBlock = ({ method, params }: RpcRequest) =>
  method === "eth_getLogs" && (params[0] as { blockHash?: Hex }).blockHash !== undefined;
const ofLogs = (change: (logs: Log[]) => unknown) => (result: unknown, request: RpcRequest) =>
  isOfBlock(request) && Array.isArray(result) ? change(result) : result;
const askedFor = (server: { received: RpcRequest[] } | undefined) =>
  server?.received.map(({ method }) => method);

test.each<[string, (logs: Log[]) => unknown]>([
  ["nothing", () => []],
  ["null", () => null],
  ["no list", () => "0x"],
  ["a trade without its transfer", (logs) => logs.slice(0, -1)],
  ["logs of another block", (logs) => logs.map((log) => ({ ...log, blockHash: `0x${"77".repeat(32)}` }))],
  [
    "a log that isn't in the bloom",
    (logs) => logs.map((log) => ({ ...log, topics: [log.topics[0], numberToHex(7, { size: 32 })] })),
  ],
  ["a log twice", (logs) => [...logs, ...logs]],
  ["an unknown block", () => ({ error: { code: -32000, message: "unknown block" } })],
  ["no header", () => ({ error: { code: -32000, message: "header for hash not found" } })],
  ["a limit that it doesn't name", () => ({ error: { code: -32005, message: "limit exceeded" } })],
  ["a refusal", () => ({ error: { code: -32601, message: "the method eth_getLogs is not available" } })],
])("an endpoint that answers with %s is not believed", async (_, change) => {
  const { chain, known, head } = chainOf([trade(token), trade(token)]);
  const bad = createNode(chain, head, { tamper: ofLogs(change) });
  const { prepare } = await preparing({
    behaviours: [bad.behaviour, createNode(chain, head).behaviour],
    known,
  });
  const prepared = await prepare(head.header);
  expect(idsOf(prepared?.logs)).toEqual(idsOf(head.logs));
});

test("a trade without a transfer is accepted if no endpoint has one", async () => {
  const { chain, known, head } = chainOf([trade(token), trade(token).slice(0, 1)]);
  const behaviours = [createNode(chain, head).behaviour, createNode(chain, head).behaviour];
  const { prepare } = await preparing({ behaviours, known });
  expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
});

test("a swap without its transfer is not believed", async () => {
  const { chain, known, head } = chainOf([graduate(token, pair)], [swap(token, pair)]);
  const bad = createNode(chain, head, {
    tamper: ofLogs((logs) => logs.filter((log) => log.address !== token)),
  });
  const { prepare } = await preparing({
    behaviours: [bad.behaviour, createNode(chain, head).behaviour],
    known,
  });
  expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
});

test("a swap of tokens from an earlier transaction costs a request, and no endpoint is accused", async () => {
  const { chain, known, head } = chainOf([graduate(token, pair)], [swapOfGift(pair), [transfer(token)]]);
  const { prepare, servers, lies } = await preparing({
    behaviours: [createNode(chain, head).behaviour],
    known,
  });
  expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
  expect(lies).toEqual([]);
  expect(servers[0]?.received.filter(isOfBlock)).toHaveLength(2 + 1);
});

test.each<[string, (logs: Log[]) => Log[]]>([
  ["at the end", (logs) => logs.slice(0, -1)],
  ["at the beginning", (logs) => logs.slice(1)],
])("logs that are missing %s are noticed when all logs of the block are read", async (_, cut) => {
  const { chain, known, head } = chainOf([[transfer(token), transfer(token), transfer(other)]]);
  const bad = createNode(chain, head, { tamper: ofLogs(cut) });
  const behaviours = [bad.behaviour, createNode(chain, head).behaviour];
  const { prepare } = await preparing({ behaviours, known, isProbe: true });
  expect((await prepare(head.header))?.logs).toHaveLength(2);
});

test("an endpoint that has the block but doesn't find its only logs is not believed", async () => {
  const { chain, known, head } = chainOf([[transfer(token)]]);
  const bad = createNode(chain, head, { tamper: ofLogs(() => []) });
  const { prepare } = await preparing({
    behaviours: [bad.behaviour, createNode(chain, head).behaviour],
    known,
    heads: [Number(head.header.number), Number(head.header.number)],
  });
  expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
});

test("a lagging endpoint that doesn't know the block isn't at fault, and isn't asked for it twice", async () => {
  const { chain, known, head } = chainOf([[transfer(token)]]);
  const lagging = createNode(chain, known, {
    tamper: (result) => ((result as { error?: unknown })?.error ? [] : result),
  });
  const { prepare, servers, lies } = await preparing({
    behaviours: [lagging.behaviour, createNode(chain, head).behaviour],
    known,
  });
  expect((await prepare(head.header))?.logs).toHaveLength(1);
  expect(lies).toEqual([]);
  expect(servers[0]?.received.filter(isOfBlock)).toHaveLength(1);
});

test("a block that no endpoint has any more is null, after one request to each", async () => {
  const { chain, known, head } = chainOf([trade(token)]);
  const nodes = [createNode(chain, known), createNode(chain, known)];
  const { prepare, servers, lies } = await preparing({
    behaviours: nodes.map(({ behaviour }) => behaviour),
    known,
  });
  expect(await prepare(head.header)).toBeNull();
  expect(servers.map(({ received }) => received.filter(isOfBlock).length)).toEqual([1, 1]);
  expect(lies).toEqual([]);
});

test.each([
  ["is excluded", { excluded: "it is on another chain" }, hanging],
  ["is down", {}, respondingWith(502, "<html>")],
])("a block that one endpoint has no more is null, though another %s", async (_, state, behaviour) => {
  const { chain, known, head } = chainOf([trade(token)]);
  const { prepare, endpoints } = await preparing({
    behaviours: [createNode(chain, known).behaviour, behaviour],
    known,
  });
  Object.assign(endpoints[1] ?? {}, state);
  expect(await prepare(head.header, AbortSignal.timeout(10_000))).toBeNull();
});

test("an endpoint that is behind isn't asked, until it has caught up", async () => {
  const { chain, known, head } = chainOf([trade(token)]);
  const { prepare, servers } = await preparing({
    behaviours: [createNode(chain, known).behaviour, createNode(chain, head).behaviour],
    known,
    heads: [1, 2],
  });
  expect((await prepare(head.header))?.logs).toHaveLength(2);
  expect(servers[0]?.received).toEqual([]);
});

test("when one endpoint hangs, another is asked", async () => {
  const { chain, known, head } = chainOf([trade(token)]);
  const { prepare } = await preparing({ behaviours: [hanging, createNode(chain, head).behaviour], known });
  expect((await prepare(head.header))?.logs).toHaveLength(2);
});

test("tokens and pairs that are created in a block have their events of that block", async () => {
  const { chain, known, head } = chainOf([
    create(other),
    trade(other),
    graduate(other, pair),
    swap(other, pair),
  ]);
  const { prepare, servers } = await preparing({ behaviours: [createNode(chain, head).behaviour], known });
  const prepared = await prepare(head.header);
  expect(idsOf(prepared?.logs)).toEqual(idsOf(head.logs));
  expect(askedFor(servers[0])).toEqual(["eth_getLogs", "eth_getLogs"]);
});

test("an endpoint that finds no logs of a token in the block that created it is not believed", async () => {
  const { chain, known, head } = chainOf([create(other)]);
  const number = Number(head.header.number);
  const isAboutToken = ({ params }: RpcRequest) =>
    (params[0] as { address?: Hex[] }).address?.includes(other) === true;
  const bad = createNode(chain, head, {
    tamper: (result, request) => (isOfBlock(request) && isAboutToken(request) ? [] : result),
  });
  const { prepare } = await preparing({
    behaviours: [bad.behaviour, createNode(chain, head).behaviour],
    known,
    heads: [number, number],
  });
  expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
});

test("tokens that were created after the end of history are known", async () => {
  const { chain, known, head } = chainOf([], [create(other)], [], [], [[transfer(other)]]);
  const { prepare, servers } = await preparing({ behaviours: [createNode(chain, head).behaviour], known });
  expect((await prepare(head.header))?.logs).toHaveLength(1);
  expect(askedFor(servers[0])).toEqual(["eth_getBlockByNumber", "eth_getLogs", "eth_getLogs", "eth_getLogs"]);
});

test("an endpoint that finds no logs anywhere is not believed about creations", async () => {
  const { chain, known, head } = chainOf([create(other)], [trade(other)], [[transfer(other)]]);
  const noLogs = (result: unknown, { method }: RpcRequest) => (method === "eth_getLogs" ? [] : result);
  const bad = createNode(chain, head, { tamper: noLogs });
  const number = Number(head.header.number);
  const { prepare } = await preparing({
    behaviours: [bad.behaviour, createNode(chain, head).behaviour],
    known,
    heads: [number, number],
  });
  expect((await prepare(head.header))?.logs).toHaveLength(1);
});

const isOfRange = ({ method, params }: RpcRequest) =>
  method === "eth_getLogs" && (params[0] as { fromBlock?: Hex }).fromBlock !== undefined;
const rangeOf = ({ params }: RpcRequest) => {
  const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex };
  return [Number(fromBlock), Number(toBlock)] as const;
};

test("an endpoint that finds no creations, though it has the last block and its logs, is not believed", async () => {
  const { chain, known, head } = chainOf([create(other)], [trade(token)], [[transfer(other)]]);
  const bad = createNode(chain, head, {
    tamper: (result, request) => (isOfRange(request) ? [] : result),
  });
  const { prepare, lies } = await preparing({
    behaviours: [bad.behaviour, createNode(chain, head).behaviour],
    known,
  });
  expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
  // One of its backends may have been behind.
  expect(lies).toEqual([]);
});

test("an endpoint that is about to receive the last block is waited for before none is believed to be created", async () => {
  const { chain, known, head } = chainOf([create(other)], [trade(token)], [[transfer(other)]]);
  const bad = createNode(chain, head, {
    tamper: (result, request) => (isOfRange(request) ? [] : result),
  });
  const behind = createNode(chain, known, {
    tamper: (result) => {
      behind.head = head;
      return result;
    },
  });
  const { prepare } = await preparing({ behaviours: [bad.behaviour, behind.behaviour], known });
  expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
});

test("endpoints that take one call at a time answer all that are about creations, each for itself", async () => {
  const { chain, known, head } = chainOf([create(other)], [trade(token)], [[transfer(other)]]);
  const { prepare, endpoints } = await preparing({
    behaviours: [createNode(chain, head).behaviour, createNode(chain, known).behaviour],
    known,
  });
  for (const { limits } of endpoints) limits.learn(new EndpointFault("batch", ""), { calls: 2 });
  // It has to wait before the third call. The other one, which is behind, doesn't.
  const [first] = endpoints;
  while (first !== undefined && first.waitFor(3) <= 0) first.reserve(1);
  expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
});

test.each(["query exceeds max block range 2", "query returned more than 10000 results"])(
  "creations are found in a gap that is too long for one request: %s",
  async (message) => {
    const { chain, known, head } = chainOf([], [], [create(other)], [], [trade(token)], [[transfer(other)]]);
    const strict = (isBad: boolean) =>
      createNode(chain, head, {
        tamper: (result, request) => {
          if (!isOfRange(request)) return result;
          const { fromBlock, toBlock } = request.params[0] as Record<string, Hex>;
          if (Number(toBlock) - Number(fromBlock) > 1) return { error: { code: -32005, message } };
          return isBad ? [] : result;
        },
      }).behaviour;
    const { prepare, lies } = await preparing({ behaviours: [strict(true), strict(false)], known });
    expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
    expect(lies).toEqual([]);
  },
);

test("what was read of the gap that an outage has left is not read again when the time for a block is up", async () => {
  const blocks = Array.from({ length: 400 }, (_, index) => (index === 5 ? [create(other)] : []));
  const { chain, known, head } = chainOf(...blocks, [[transfer(other)]]);
  const asked: number[] = [];
  const timeUp = new AbortController();
  const node = createNode(chain, head, {
    tamper: (result, request) => {
      if (!isOfRange(request)) return result;
      const [from, to] = rangeOf(request);
      if (to - from >= 10) return { error: { code: -32005, message: "query exceeds max block range 10" } };
      asked.push(from);
      if (asked.length === 20) timeUp.abort(new Error("time is up"));
      return result;
    },
  });
  const { prepare } = await preparing({
    behaviours: [node.behaviour],
    known,
    heads: [numberOf(head.header)],
  });
  await expect(prepare(head.header, timeUp.signal)).rejects.toThrow(
    /^\d+ missed blocks are still to be searched for new tokens$/,
  );
  const before = asked.length;
  expect((await prepare(head.header))?.logs).toHaveLength(1);
  // One part has shown how long they may be, and the next sixteen were read together.
  const first = numberOf(known.header) + 1;
  expect(Math.min(...asked.slice(before))).toBe(first + 17 * 10);
});

test("the limit that a long gap runs into is found with few requests, and no part comes with all logs of a block", async () => {
  const blocks = Array.from({ length: 201 }, () => []);
  const { chain, known, head } = chainOf(...blocks, [foreign(1)], [[transfer(token)], foreign(2)]);
  let refusals = 0;
  const node = createNode(chain, head, {
    tamper: (result, request) => {
      if (!isOfRange(request)) return result;
      const [from, to] = rangeOf(request);
      if (to - from < 10) return result;
      refusals++;
      return { error: { code: -32005, message: "exceed maximum block range" } };
    },
  });
  const { prepare, servers } = await preparing({ behaviours: [node.behaviour], known });
  expect((await prepare(head.header))?.logs).toHaveLength(1);
  expect(refusals).toBe(5);
  const whole = servers.flatMap(filtersOf).filter((addresses) => addresses === undefined);
  expect(whole).toHaveLength(1);
});

test("only an endpoint on the same branch is believed about creations", async () => {
  const { chain, known } = chainOf();
  const fork = chain.mine(chain.mine(chain.mine(known)));
  const head = chain.mine(chain.mine(chain.mine(known), [create(other)]), [[transfer(other)]]);
  const { prepare, lies } = await preparing({
    behaviours: [createNode(chain, fork).behaviour, createNode(chain, head).behaviour],
    known,
  });
  expect((await prepare(head.header))?.logs).toHaveLength(1);
  expect(lies).toEqual([]);
});

test("no transaction is read, however many act on a pair", async () => {
  const { chain, known, head } = chainOf(
    [graduate(token, pair)],
    [swap, addLiquidity, removeLiquidity].map((act) => act(token, pair)),
  );
  const { prepare, servers } = await preparing({ behaviours: [createNode(chain, head).behaviour], known });
  const prepared = await prepare(head.header);
  expect(prepared?.block.transactions).toHaveLength(3);
  expect(askedFor(servers[0])).toEqual(["eth_getBlockByNumber", "eth_getLogs", "eth_getLogs", "eth_getLogs"]);
});

test("with more candidates than a request takes, the logs of all contracts are read", async () => {
  const many = Array.from({ length: 40 }, (_, index) => addressOf(5_000 + index));
  const { chain, known, head } = chainOf([], many.map(create), [
    ...many.map((address) => [transfer(address)]),
    [transfer(addressOf(9_999))],
  ]);
  const strict = createNode(chain, head, {
    tamper: (result, { params }) =>
      ((params[0] as { address?: Hex[] }).address?.length ?? 0) > 10
        ? { error: { code: -32602, message: "too many addresses: the maximum is 10" } }
        : result,
  });
  const { prepare, endpoints, servers } = await preparing({ behaviours: [strict.behaviour], known });
  expect((await prepare(head.header))?.logs.map(({ address }) => address)).toEqual(many);
  expect(endpoints[0]?.limits.addresses).toBe(10);
  expect(servers[0]?.received.filter(isOfBlock)).toHaveLength(3);
});

/** So many tokens that some always match a full bloom by chance. */
const manyTokens = Array.from({ length: 60 }, (_, index) => addressOf(5_000 + index));
const filtersOf = (server: { received: RpcRequest[] } | undefined) =>
  server?.received.filter(isOfBlock).map(({ params }) => (params[0] as { address?: Hex[] }).address) ?? [];

test("the chain's own log shows that an answer is whole, so that not all logs of a block are read", async () => {
  const { chain, known, head } = chainOf(
    manyTokens.map(create),
    [foreign(1)],
    [[transfer(token)], foreign(2)],
  );
  const { prepare, servers } = await preparing({ behaviours: [createNode(chain, head).behaviour], known });
  const [quiet, busy] = chain.branch(head).slice(-2);
  expect((await prepare(quiet?.header as never))?.logs).toEqual([]);
  expect((await prepare(busy?.header as never))?.logs).toHaveLength(1);
  const filters = filtersOf(servers[0]).slice(-2);
  expect(filters.map((addresses) => addresses?.at(-1))).toEqual([witness.address, witness.address]);
});

test("an answer without the chain's own log is not believed", async () => {
  const { chain, known, head } = chainOf(manyTokens.map(create), [[transfer(token)], foreign(1)]);
  const number = numberOf(head.header);
  const bad = createNode(chain, head, {
    tamper: ofLogs((logs) => (logs[0]?.blockNumber === head.header.number ? [] : logs)),
  });
  const { prepare, lies } = await preparing({
    behaviours: [bad.behaviour, createNode(chain, head).behaviour],
    known,
    heads: [number, number],
  });
  expect(idsOf((await prepare(head.header))?.logs)).toEqual([["0x0", token]]);
  expect(lies).not.toContain("#2");
});

test("with an endpoint that takes no filter without an address, doubtful logs are asked for again by address", async () => {
  const { chain, known, head } = chainOf([trade(token), trade(token).slice(0, 1)]);
  const message = "Please specify an address in your request";
  const strict = createNode(chain, head, {
    tamper: (result, request) =>
      request.method === "eth_getLogs" && !("address" in (request.params[0] as object))
        ? { error: { code: -32701, message } }
        : result,
  });
  const { prepare, servers } = await preparing({ behaviours: [strict.behaviour, strict.behaviour], known });
  expect(idsOf((await prepare(head.header))?.logs)).toEqual(idsOf(head.logs));
  const refused = servers.flatMap(filtersOf).filter((addresses) => addresses === undefined);
  expect(refused.length).toBeLessThanOrEqual(servers.length);
});

test("whichever answers of one endpoint are empty, no log of any block is missing", async () => {
  const tokens = [0, 1, 2].map((index) => ({ of: addressOf(1_000 + index), pair: addressOf(2_000 + index) }));
  const moved = (of: Hex): Action => [transfer(of)];
  /** What may happen to a token that doesn't exist yet, that is on its curve, and that has a pair. */
  const actsOf = {
    none: [create],
    curve: [trade, moved, graduate],
    dex: [moved, swap, addLiquidity, removeLiquidity],
  };
  const action = fc.record({ token: fc.constantFrom(...tokens), choice: fc.nat(99) });
  const blocksOfActions = fc.array(fc.array(action, { maxLength: 3 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(blocksOfActions, fc.infiniteStream(fc.boolean()), async (blocks, isSilent) => {
      const stages = new Map<Hex, "curve" | "dex">();
      const act = ({
        token: { of, pair },
        choice,
      }: {
        token: { of: Hex; pair: Hex };
        choice: number;
      }): Action => {
        const acts = actsOf[stages.get(of) ?? "none"];
        const chosen = acts[choice % acts.length] as (of: Hex, pair: Hex) => Action;
        if (chosen === create) stages.set(of, "curve");
        if (chosen === graduate) stages.set(of, "dex");
        return chosen(of, pair);
      };
      const { chain, known, head } = chainOf(...blocks.map((actions) => actions.map(act)));
      const silent = createNode(chain, head, {
        tamper: ofLogs((logs) => (isSilent.next().value ? [] : logs)),
      });
      const number = numberOf(head.header);
      const behaviours = [silent.behaviour, createNode(chain, head).behaviour];
      const { prepare } = await preparing({ behaviours, known, heads: [number, number] });
      for (const { header, logs } of chain.branch(head).slice(numberOf(known.header) + 1)) {
        expect(idsOf((await prepare(header))?.logs)).toEqual(idsOf(logs));
      }
    }),
    { seed, numRuns: 60 },
  );
});
