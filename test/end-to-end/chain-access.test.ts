import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../runtime/checks/host.ts";
import { type Anvil, startAnvil } from "../chain/anvil.ts";
import { startFork } from "../chain/anvil-fork.ts";
import {
  type EmulatedEndpoint,
  faults,
  liveFaultNames,
  startEmulatedEndpoint,
} from "../chain/emulated-endpoint.ts";
import { reachedThrough } from "../chain/launchpad-chain.ts";
import { startVariedChain, type VariedChain } from "../chain/varied-chain.ts";
import { startHttpServer } from "../doubles/http-server.ts";
import { onlyInLongRun, sized } from "../run/long-run.ts";
import { type Service, startService } from "../service/service.ts";

/* Ponder behind two RPC endpoints, one of which misbehaves in every known way. */

let chain: VariedChain;
let fork: Anvil;
let otherChain: Anvil;
/** The fast endpoint is configured first and asked whenever possible, so its faults matter. */
let fast: EmulatedEndpoint;
let slow: EmulatedEndpoint;
let service: Service;
let metricsPort: number;

beforeAll(async () => {
  [chain, otherChain] = await Promise.all([startVariedChain(4), startAnvil({ chainId: 56 })]);
  await otherChain.testClient.mine({ blocks: 70 });
  // It shares our history except for the last blocks.
  fork = await startFork(chain);
  await fork.testClient.mine({ blocks: 3 });
  fast = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
  slow = await startEmulatedEndpoint({ upstream: chain.rpcUrl, latencyMs: 20 });
  metricsPort = await freePort();
  const rpcUrl = `${fast.url}/secret-key,${slow.url}/secret-key`;
  service = await startService([reachedThrough(rpcUrl, chain)], {
    env: { METRICS_PORT: String(metricsPort) },
  });
  await service.indexer.untilReady();
  await service.expectIndexEqualsChain();
});

afterAll(async () => {
  await service?.stop();
  await fast?.stop();
  await slow?.stop();
  await fork?.stop();
  await otherChain?.stop();
  await chain?.stop();
});

test("a history that was read ahead is indexed in one batch", () => {
  expect(service.indexer.output().match(/Indexed block range/g)).toHaveLength(1);
});

/** Replaces blocks with others, by default after they have been indexed. */
async function reorg(afterTrades: () => Promise<unknown> = service.expectIndexEqualsChain): Promise<void> {
  const snapshot = await chain.testClient.snapshot();
  await chain.tradeVaried();
  await afterTrades();
  await chain.testClient.revert({ id: snapshot });
  await chain.testClient.mine({ blocks: 2 });
  await chain.tradeVaried();
}

/** Those that a single endpoint can't have, and wrong heads. The others have units in pool/, live/prepare-block and live/leader. */
const tested = sized({
  usual: liveFaultNames.filter((name) => /fork|different|lagging|too high|wrong times|twice/.test(name)),
  long: liveFaultNames,
});
/** One in this many faults comes with a reorg. */
const faultsPerReorg = sized({ usual: 4, long: 2 });

test.each(tested)("beside a healthy endpoint, a fault changes nothing: %s", async (name) => {
  fast.set(faults[name]({ fork: fork.rpcUrl, otherChain: otherChain.rpcUrl }));
  await (liveFaultNames.indexOf(name) % faultsPerReorg === 1 ? reorg() : chain.tradeVaried());
  await service.expectIndexEqualsChain();
  fast.restore();
});

test("the indexer follows no redirect from an endpoint", async () => {
  let visits = 0;
  const inside = await startHttpServer(async () => {
    visits++;
    return { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":"0x38"}' };
  });
  fast.counts.reset();
  fast.set({ redirectTo: inside.url });
  await chain.tradeVaried();
  await service.expectIndexEqualsChain();
  await expect.poll(() => fast.counts.total().requests, { timeout: 60_000 }).toBeGreaterThan(2);
  fast.restore();
  await inside.close();
  expect(visits).toBe(0);
});

test("the endpoint that is ahead is followed, and /status and /metrics report how far the other one lags", async () => {
  fast.set({ lag: 6 });
  for (let round = 0; round < 2; round++) {
    await chain.tradeVaried();
    await service.expectIndexEqualsChain();
  }
  await reorg();
  await service.expectIndexEqualsChain();

  const head = Number(await chain.head());
  const readStatus = async () => (await fetch(`${service.indexer.url}/status`)).json();
  // An endpoint that was on another chain is excluded until the next look at its chain.
  await expect.poll(readStatus, { timeout: 90_000 }).toMatchObject({
    bsc: {
      endpoints: [
        { name: "endpoint 1", state: "healthy", head: head - 6, lagBlocks: 6 },
        { name: "endpoint 2", state: "healthy", head, lagBlocks: 0, blockRange: null },
      ],
    },
  });
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toContain('launchpad_endpoint_healthy{chain="56",endpoint="endpoint 2"} 1\n');
  expect(metrics).toContain('launchpad_endpoint_lag_blocks{chain="56",endpoint="endpoint 1"} 6\n');
  fast.restore();
});

test("after an outage of all endpoints amid trades and reorgs, the index catches up soon after one of them returns", async () => {
  const rounds = sized({ usual: 1, long: 5 });
  const maxRecoveryMs = sized({ usual: 60_000, long: 10_000 });
  const before = service.indexer.output().length;
  for (const endpoint of [fast, slow]) endpoint.set({ down: true });
  for (let round = 0; round < rounds; round++) {
    await reorg(async () => {});
    // A few more blocks every six seconds is about the pace of BNB Smart Chain.
    if (rounds > 1) await delay(6_000);
  }
  slow.restore();
  const backAt = performance.now();
  await service.expectIndexEqualsChain();
  expect(performance.now() - backAt).toBeLessThan(maxRecoveryMs);
  const changes =
    service.indexer
      .output()
      .slice(before)
      .match(/following endpoint \d/g) ?? [];
  expect(changes.length).toBeLessThanOrEqual(3);
  fast.restore();
  await chain.tradeVaried();
  await service.expectIndexEqualsChain();
});

onlyInLongRun(() => {
  test("after an outage of hundreds of blocks, an endpoint that takes ten blocks in a request is enough to catch up", async () => {
    for (const endpoint of [fast, slow]) endpoint.set({ down: true });
    await chain.tradeVaried();
    await chain.testClient.mine({ blocks: 300 });
    await chain.tradeVaried();
    slow.set({ down: false, blockRange: 10 });
    await service.expectIndexEqualsChain();
    fast.restore();
    slow.restore();
    await chain.tradeVaried();
    await service.expectIndexEqualsChain();
  });
});

test("the log reports failures in single lines, without any endpoint's address or key", async () => {
  const output = () => service.indexer.output();
  const last = () =>
    output()
      .match(/^chain 56: endpoint 1 (fails|answers again)/gm)
      ?.at(-1) ?? "";
  // Of a fault that an earlier test left, only the first line would be there.
  await expect.poll(last).not.toContain("fails");
  fast.set({ down: true });
  await expect.poll(output).toMatch(/^chain 56: endpoint 1 fails: connection failed: \w+$/m);
  fast.restore();
  const failedAt = output().lastIndexOf("endpoint 1 fails");
  await expect.poll(() => output().slice(failedAt)).toContain("\nchain 56: endpoint 1 answers again\n");
  expect(output()).not.toMatch(/^ {4}at /m);
  for (const { url } of [fast, slow]) expect(output()).not.toContain(new URL(url).host);
  expect(output()).not.toContain("secret-key");
});
