import type { Address } from "viem";
import { expect, onTestFinished, test } from "vitest";
import { graduatingAmount, startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { createEndpoint } from "../endpoint/endpoint.ts";
import { createPool } from "../pool/pool.ts";
import { createChildren } from "../sources/children.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex, Log } from "../sources/log.ts";
import type { Sources } from "../sources/sources.ts";
import { type Header, numberOf } from "./block.ts";
import { areAllLogs } from "./block-logs.ts";
import { startPonder } from "./fixtures/ponder.ts";
import { hashHeader } from "./header-hash.ts";
import { createLive } from "./live.ts";

const lower = (address: Address) => address.toLowerCase() as Hex;

async function following() {
  const chain = await startLaunchpadChain({ hours: 1 });
  onTestFinished(() => chain.stop());
  const request = (method: string, ...params: unknown[]) =>
    chain.testClient.request({ method, params } as never) as Promise<never>;
  const { tokenFactory, launchpad, startBlock } = chain.deployment;
  const [ann] = chain.traders;
  const old = await chain.create(ann, "Old", "OLD");
  const finalized: Header = await request("eth_getBlockByNumber", "latest", false);
  const sources: Sources = {
    chainId: 56,
    tokenFactory: lower(tokenFactory),
    launchpad: lower(launchpad),
    priceFeeds: [],
    startBlock,
    feedStartBlock: startBlock,
  };
  const logsFrom = (from: number): Promise<Log[]> =>
    request("eth_getLogs", { fromBlock: `0x${from.toString(16)}`, toBlock: "latest" });

  const children = createChildren(sources);
  children.learn(await logsFrom(0));
  const lies: string[] = [];
  const pool = createPool({
    endpoints: [createEndpoint({ url: chain.rpcUrl, name: "#1" })],
    onInvalidAnswer: (name, { message }) => lies.push(`${name}: ${message}`),
  });
  const live = createLive({
    pool,
    children,
    sources,
    pollingMs: 30,
    readActive: async () => [],
    webSocketUrls: [],
    log: (line) => lies.push(line),
    excludeOthers: async () => {},
    knownThrough: () => numberOf(finalized),
    finality: { blocks: () => [], onFinal() {} },
  });
  onTestFinished(live.stop);
  const ponder = startPonder(live, sources, finalized, children);
  live.follow(ponder.push);

  return {
    chain,
    old,
    /** Waits until Ponder has the head, and compares all that it holds with what the node says now. */
    async agree(): Promise<{ events: number; onPairs: number }> {
      await expect
        .poll(async () => ponder.blocks.at(-1)?.block.hash)
        .toBe(((await request("eth_getBlockByNumber", "latest", false)) as Header).hash);
      const first = numberOf(finalized) + 1;
      const known = createChildren(sources);
      known.learn(await logsFrom(0));
      const logs = (await logsFrom(first)).filter((log) => known.isIndexed(log));
      const id = ({ blockHash, logIndex, address, topics }: Log) =>
        `${blockHash} ${Number(logIndex)} ${address} ${topics[0]}`;
      expect(ponder.blocks.flatMap(({ logs }) => logs.map(id))).toEqual(logs.map(id));
      const onPairs = logs.filter(({ topics: [topic] }) => topic === eventTopics.swap);
      expect([...ponder.warnings, ...lies]).toEqual([]);
      return { events: logs.length, onPairs: onPairs.length };
    },
    logsFrom,
    request,
  };
}

test("Ponder follows a launchpad through creations, trades, graduations, DEX trades and reorgs", async () => {
  const { chain, old, agree, request } = await following();
  const [ann, bob, cem] = chain.traders;
  await chain.buy(ann, old, 10n ** 15n);
  await agree();

  const beforeFork = await chain.testClient.snapshot();
  const gone = await chain.create(bob, "Gone", "GONE");
  await chain.buy(cem, gone, graduatingAmount);
  await chain.buyOnDex(ann, gone, 10n ** 15n);
  await chain.transfer(ann, old, bob, 5n);
  await agree();

  await chain.testClient.revert({ id: beforeFork });
  const fresh = await chain.create(cem, "Fresh", "FRESH");
  await chain.buy(bob, fresh, graduatingAmount);
  await chain.buyOnDex(bob, fresh, 10n ** 15n);
  await chain.sellOnDex(bob, fresh, (await chain.balanceOf(fresh, bob)) / 3n);
  await chain.burn(bob, fresh, 7n);
  await chain.addLiquidity(bob, fresh, (await chain.balanceOf(fresh, bob)) / 2n, 10n ** 15n);
  const pair = await chain.pairOf(fresh);
  await chain.removeLiquidity(bob, fresh, pair, (await chain.balanceOf(pair, bob)) / 2n);
  await chain.buy(ann, old, 10n ** 15n);
  await agree();

  await request("anvil_reorg", 3, []);
  await chain.buy(ann, old, 2n * 10n ** 15n);
  await chain.buyOnDex(bob, fresh, 10n ** 15n);
  await agree();

  // Many transactions a block.
  await chain.trade(7, { blocks: 30, actionsPerBlock: 12, creations: 0.3 });
  const { events, onPairs } = await agree();
  expect(events).toBeGreaterThan(100);
  expect(onPairs).toBeGreaterThan(3);
});

test("the blooms of real blocks are made of their logs, and their hashes of their headers", async () => {
  const { chain, old, logsFrom, request } = await following();
  const [ann] = chain.traders;
  await chain.buy(ann, old, graduatingAmount);
  const logs = await logsFrom(0);
  expect(logs.length).toBeGreaterThan(10);
  for (const [hash, ofBlock] of Map.groupBy(logs, ({ blockHash }) => blockHash)) {
    const header: Header = await request("eth_getBlockByHash", hash, false);
    expect(areAllLogs(ofBlock, header)).toBe(true);
    expect(areAllLogs(ofBlock.slice(1), header)).toBe(false);
    expect(hashHeader(header)).toBe(hash);
  }
});
