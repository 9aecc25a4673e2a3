import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type EmulatedEndpoint,
  faultNames,
  faults,
  startEmulatedEndpoint,
} from "../chain/emulated-endpoint.ts";
import { reachedThrough } from "../chain/launchpad-chain.ts";
import { startVariedChain, type VariedChain } from "../chain/varied-chain.ts";
import { until } from "../service/condition.ts";
import { type Service, startService } from "../service/service.ts";

/* Ponder behind a single RPC endpoint. */

let chain: VariedChain;
let endpoint: EmulatedEndpoint;
let service: Service;

beforeAll(async () => {
  chain = await startVariedChain(5);
  endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
  service = await startService([reachedThrough(`${endpoint.url}/secret-key`, chain)]);
  await service.indexer.untilReady();
  await service.expectIndexEqualsChain();
});

afterAll(async () => {
  await service?.stop();
  await endpoint?.stop();
  await chain?.stop();
});

// Without another endpoint nobody can tell another branch, or another chain, from ours.
const survivable = faultNames.filter((name) => !/fork|different/.test(name));
const nodes = { fork: "", otherChain: "" };
/** Those that come last are remembered: how much may be asked for at a time, and how often. */
const lessening = [/truncated|error above|blockTimestamp/, /range limit|address limit/, /429|rate-limit/];
const bearable = lessening.flatMap((names) => survivable.filter((name) => names.test(name)));
const passing = survivable.filter((name) => !bearable.includes(name));

test.each(passing)("after %s, the index reaches the head and equals the chain", async (name) => {
  const requests = () => endpoint.counts.total().requests;
  const before = requests();
  endpoint.set(faults[name](nodes));
  await chain.tradeVaried();
  await until("the fault to show", async () => requests() > before + 10 || (await isFailing()));
  endpoint.restore();
  await service.expectIndexEqualsChain();
});

async function isFailing(): Promise<boolean> {
  const response = await fetch(`${service.indexer.url}/status`);
  const { bsc } = (await response.json()) as { bsc: { endpoints: { state: string }[] } };
  return bsc.endpoints[0]?.state === "failing";
}

test("after an outage with a reorg in it, the index equals the chain, and the log has a line for each end of it", async () => {
  const before = service.indexer.output().length;
  const linesWith = (text: string) =>
    service.indexer
      .output()
      .slice(before)
      .split("\n")
      .filter((line) => line.includes(text));
  const snapshot = await chain.testClient.snapshot();
  await chain.tradeVaried();
  await service.expectIndexEqualsChain();
  endpoint.set({ down: true });
  await chain.testClient.revert({ id: snapshot });
  await chain.tradeVaried();
  await chain.tradeVaried();
  await expect.poll(() => linesWith("endpoint 1 fails: connection failed")).toHaveLength(1);
  endpoint.restore();
  await service.expectIndexEqualsChain();
  await expect.poll(() => linesWith("endpoint 1 answers again")).toHaveLength(1);
  expect(linesWith("endpoint 1 fails")).toHaveLength(1);
});

test.each(bearable)("with %s, the index equals the chain", async (name) => {
  endpoint.set(faults[name](nodes));
  await chain.tradeVaried();
  await service.expectIndexEqualsChain();
  endpoint.restore();
});

test("the log has no stack trace, and no address or key of the endpoint", () => {
  const output = service.indexer.output();
  expect(output).not.toMatch(/^ {4}at /m);
  expect(output).not.toContain(new URL(endpoint.url).host);
  expect(output).not.toContain("secret-key");
});
