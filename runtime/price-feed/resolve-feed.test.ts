import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicClient, http, toHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deployLaunchpad, type LaunchpadDeployment } from "../../contracts/deploy.ts";
import { type Anvil, startAnvil } from "../../test/chain/anvil.ts";
import { startPriceFeed, type TestFeed } from "../../test/chain/price-feed.ts";
import { StartError } from "../start-error.ts";
import { resolveFeed } from "./resolve-feed.ts";

const variable = "BNB_USD_FEED_ADDRESS_56";

let anvil: Anvil;
let launchpad: LaunchpadDeployment;
let feed: TestFeed;

beforeAll(async () => {
  anvil = await startAnvil();
  launchpad = await deployLaunchpad({ rpcUrl: anvil.rpcUrl, account: anvil.accounts[0] as never });
  feed = await startPriceFeed(anvil);
});
afterAll(() => anvil?.stop());

const resolve = (address: string) =>
  resolveFeed(anvil.publicClient as never, address as `0x${string}`, variable);

/** The error message for a wrong address. */
async function refusal(address: string): Promise<string> {
  const error = await resolve(address).catch((thrown: unknown) => thrown);
  if (!(error instanceof StartError)) throw error;
  expect(error.message).toMatch(/^BNB_USD_FEED_ADDRESS_56 is wrong: .+: set the address of .+, or none, /);
  return error.message;
}

test("an aggregator resolves to itself, with and without answers", async () => {
  expect(await resolve(feed.aggregator)).toEqual({ aggregators: [feed.aggregator], remarks: [] });
  await feed.answer(60_000_000_000n);
  expect(await resolve(feed.aggregator)).toEqual({ aggregators: [feed.aggregator], remarks: [] });
});

test("a proxy resolves to the aggregators of its phases, each once", async () => {
  const own = await startPriceFeed(anvil);
  expect((await resolve(own.proxy)).aggregators).toEqual([own.aggregator]);
  const second = await own.nextPhase();
  expect((await resolve(own.proxy)).aggregators).toEqual([own.aggregator, second]);
  await own.nextPhase(own.aggregator);
  expect(await resolve(own.proxy)).toEqual({ aggregators: [own.aggregator, second], remarks: [] });
});

test("a phase with other decimals or without a contract is left out with a remark; a phase with the zero address is ignored", async () => {
  const own = await startPriceFeed(anvil);
  const odd = await own.nextPhase(undefined, { decimals: 18 });
  const nothing = "0x00000000000000000000000000000000000000aa";
  await own.nextPhase(nothing);
  await own.nextPhase("0x0000000000000000000000000000000000000000");
  const last = await own.nextPhase();
  const { aggregators, remarks } = await resolve(own.proxy);
  expect(aggregators).toEqual([own.aggregator, last]);
  expect(remarks).toEqual([
    expect.stringContaining(`the former aggregator ${odd} does not answer with 8 decimals, and is left out`),
    expect.stringContaining(`the former aggregator ${nothing} `),
  ]);
});

test("an address that is not a price feed is refused, with what to do", async () => {
  const [account] = anvil.accounts;
  expect(await refusal(account?.address ?? "")).toContain("there is no contract at");
  expect(await refusal(launchpad.tokenFactory)).toContain("is not a price feed");
  // WBNB has 18 decimals, but no other function of a feed.
  expect(await refusal(launchpad.wbnb)).toContain("is not a price feed");
  const { proxy, aggregator } = await startPriceFeed(anvil, { decimals: 18 });
  for (const address of [proxy, aggregator]) {
    expect(await refusal(address)).toContain("answers with 18 decimals, and 8 are needed");
  }
});

test("a proxy of an aggregator that answers the proxy only is refused: its events may be of any feed", async () => {
  const own = await startPriceFeed(anvil);
  // Answers every call of the proxy with 8 and four zeros, and reverts calls of anyone else.
  const shared = "0x00000000000000000000000000000000000000cc";
  await anvil.testClient.setCode({
    address: shared,
    bytecode: `0x3373${own.proxy.slice(2)}14601e57600080fd5b600860005260a06000f3`,
  });
  await own.nextPhase(shared);
  expect(await refusal(own.proxy)).toContain(`the aggregator ${shared} behind the proxy`);
});

test("a proxy with implausibly many phases is refused before each of them is read", async () => {
  const own = await startPriceFeed(anvil);
  await anvil.testClient.setStorageAt({ address: own.proxy, index: 0, value: toHex(65_534, { size: 32 }) });
  await own.nextPhase(own.aggregator);
  expect(await refusal(own.proxy)).toContain("is not a proxy of a price feed");
});

test.each([
  ["BNB / USD", 0],
  ["tBNB/USD", 0],
  ["BNB / USDT", 1],
  ["ETH / USD", 1],
  ["USD / BNB", 1],
  ["\u001b[31m\nnonsense", 1],
])("a feed that calls itself %j is accepted, with %i remarks", async (description, count) => {
  const { aggregator } = await startPriceFeed(anvil, { description });
  const { aggregators, remarks } = await resolve(aggregator);
  expect(aggregators).toEqual([aggregator]);
  expect(remarks).toHaveLength(count);
  for (const remark of remarks) {
    expect(remark).toContain("is it BNB/USD?");
    expect([...remark].every((character) => character >= " ")).toBe(true);
  }
});

test("an endpoint that fails halfway makes it throw, whatever its error: a proxy never passes for an aggregator", async () => {
  const errors = [
    { code: -32603, message: "Internal error" },
    { code: -32005, message: "limit exceeded" },
    { code: -32000, message: "header not found" },
  ];
  for (const error of errors) {
    // All calls after the third fail: those that show whether the contract is a proxy.
    let calls = 0;
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const { id, method } = JSON.parse(body);
      const fails = method === "eth_call" && ++calls > 3;
      const answer = fails
        ? JSON.stringify({ jsonrpc: "2.0", id, error })
        : await (
            await fetch(anvil.rpcUrl, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body,
            })
          ).text();
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createPublicClient({ transport: http(url, { retryCount: 0 }) });
    await expect(resolveFeed(client, feed.proxy, variable)).rejects.not.toBeInstanceOf(StartError);
    expect(calls).toBeGreaterThan(3);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});
