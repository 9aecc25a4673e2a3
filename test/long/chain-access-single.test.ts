import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type EmulatedEndpoint,
  faults,
  liveFaultNames,
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

// Without a second endpoint, a fork or another chain can't be told from ours, and times that are always wrong are believed.
const survivableFaults = liveFaultNames.filter((name) => !/fork|different|wrong times/.test(name));
const nodes = { fork: "", otherChain: "" };
/** Faults whose limits the indexer remembers (how much it may request at once, and how often), so they are tested last. */
const limitPatterns = [/blockTimestamp/, /range limit|address limit|without an address/, /429|rate-limit/];
const limitFaults = limitPatterns.flatMap((names) => survivableFaults.filter((name) => names.test(name)));
const transientFaults = survivableFaults.filter((name) => !limitFaults.includes(name));
test.each(transientFaults)("after %s, the index reaches the head and equals the chain", async (name) => {
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

test("after an outage that hides a reorg, the index equals the chain, and the log has one line for its start and one for its end", async () => {
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

test.each(limitFaults)("in spite of %s, the index equals the chain", async (name) => {
  endpoint.set(faults[name](nodes));
  await chain.tradeVaried();
  await service.expectIndexEqualsChain();
  endpoint.restore();
});

test("in blocks full of other contracts' logs, at an endpoint that takes few addresses, nothing is missing of tokens that had slept", async () => {
  const [creator, buyer, other] = chain.traders;
  const token = await chain.create(creator);
  await chain.buy(buyer, token, 10n ** 15n);
  for (let count = 0; count < 8; count++) await chain.create(creator);
  await service.expectIndexEqualsChain();
  const transferHalf = async () =>
    await chain.transfer(buyer, token, other, (await chain.balanceOf(token, buyer)) / 2n);

  const removed = async () =>
    (await service.database.query("select from offchain.stream_event where removed")).length;
  const [before, removedBefore] = [await chain.head(), await removed()];

  endpoint.set({ foreignLogs: 400, needsAddress: true, addresses: 2 });
  await chain.testClient.increaseTime({ seconds: 2 * 86_400 });
  await transferHalf();
  await transferHalf();
  // Only now are its events looked for.
  await chain.testClient.mine({ blocks: 25 });
  await service.expectIndexEqualsChain();
  await transferHalf();
  await chain.tradeVaried();
  await service.expectIndexEqualsChain();
  expect(service.indexer.output()).not.toContain("came too late");
  // Ponder indexed blocks again, of which clients of the stream only get what is new.
  await until("the transfers to be in the stream", async () => {
    const unsent = `select from onchain.transfer x where block > ${before} and not exists
      (select from offchain.stream_event e where e.position = x.id and e.current)`;
    return (await service.database.query(unsent)).length === 0;
  });
  expect(await removed()).toBe(removedBefore);
  endpoint.restore();
});

test("the log has no stack trace, and neither the endpoint's address nor its key", () => {
  const output = service.indexer.output();
  expect(output).not.toMatch(/^ {4}at /m);
  expect(output).not.toContain(new URL(endpoint.url).host);
  expect(output).not.toContain("secret-key");
});
