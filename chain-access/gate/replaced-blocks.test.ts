import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Anvil, startAnvil } from "../../test/chain/anvil.ts";
import { startFork } from "../../test/chain/anvil-fork.ts";
import { faults, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../../test/chain/launchpad-chain.ts";
import { onlyInLongRun } from "../../test/run/long-run.ts";
import { createDatabase } from "../../test/service/database.ts";
import { startFillingGate } from "../fixtures/filling-gate.ts";

/** What becomes of endpoints whose chain has final blocks of another branch than the database. */

let chain: LaunchpadChain;
let fork: Anvil;
let other: Anvil;
/** The last block that the branches have in common, which has events. */
let common: number;
let final: number;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator);
  await chain.buy(buyer, token, 10n ** 15n);
  common = Number(await chain.head());
  [fork, other] = await Promise.all([startFork(chain), startAnvil({ chainId: 56 })]);
  await chain.testClient.mine({ blocks: 50 });
  await Promise.all([fork, other].map(({ testClient }) => testClient.mine({ blocks: 100 })));
  final = common + 20;
});
afterAll(async () => {
  await fork?.stop();
  await other?.stop();
  await chain?.stop();
});

/** Fills a database from the chain, and starts a gate on it whose endpoints lead to these nodes. */
async function restartOn(...nodes: { rpcUrl: string; lag?: number }[]) {
  const database = await createDatabase();
  const first = startFillingGate({ chain, database, rpcUrls: [chain.rpcUrl] });
  await first.fill(final);
  await first.stop();
  const endpoints = await Promise.all(
    nodes.map(({ rpcUrl, lag = 0 }) => startEmulatedEndpoint({ upstream: rpcUrl, lag })),
  );
  const gate = startFillingGate({ chain, database, rpcUrls: endpoints.map(({ url }) => url) });
  onTestFinished(async () => {
    await gate.stop();
    for (const endpoint of endpoints) await endpoint.stop();
    await database.drop();
  });
  const requests = () =>
    database.query<{ from_block: string; cause: string }>(
      "select from_block, cause from offchain.repair_request",
    );
  return { endpoints, gate, lines: gate.lines, requests };
}

test("the last final block is stored", async () => {
  const database = await createDatabase();
  const gate = startFillingGate({ chain, database, rpcUrls: [chain.rpcUrl] });
  await gate.fill(final);
  await gate.stop();
  const { hash } = await chain.publicClient.getBlock({ blockNumber: BigInt(final) });
  expect(await database.query("select number::int, hash from offchain.final_block")).toEqual([
    { number: final, hash },
  ]);
  await database.drop();
});

test("final blocks count as replaced if most endpoints say so for some time", async () => {
  const replaced = [await restartOn(fork), await restartOn(fork, chain, fork)];
  const kept = [await restartOn(chain, fork, chain), await restartOn(other), await restartOn(fork, chain)];
  for (const { lines, requests } of replaced) {
    await expect.poll(() => lines.at(-1), { timeout: 60_000 }).toMatch(/Nothing more is indexed into/);
    expect(lines.at(-1)).toMatch(`The chain has replaced block ${final}, which was final`);
    expect(lines.at(-1)).toMatch(`The last block that is still there is ${common}.`);
    expect(await requests()).toEqual([{ from_block: String(common + 1), cause: "reorg" }]);
  }
  for (const { requests } of kept) expect(await requests()).toEqual([]);
  const [minority, foreign] = kept;
  await minority?.gate.fill(final);
  expect(foreign?.lines).toContain("stopped: no endpoint is of the chain that the database was filled from");
});

test("a start waits for a head above which what is indexed as final is final", async () => {
  const { endpoints, gate, lines } = await restartOn(chain);
  const { hash } = await chain.publicClient.getBlock();
  const [endpoint] = endpoints;
  endpoint?.set(faults["a lagging endpoint"]());
  const answered = gate.request("eth_getBlockByNumber", ["latest", false]);
  await expect
    .poll(() => lines.at(-1))
    .toMatch(
      `waiting for block ${final + 30}, since block ${final} is final in the index: the endpoints are at`,
    );
  endpoint?.restore();
  expect(await answered).toMatchObject({ hash });
});

onlyInLongRun(() => {
  test("a chain that replaces final blocks while it is below them, during a start, is not taken for the same", async () => {
    const { rpcUrl } = fork;
    const { endpoints, gate, lines, requests } = await restartOn({ rpcUrl, lag: 95 }, { rpcUrl, lag: 95 });
    let isFilled = false;
    void gate.request("eth_getBlockByNumber", ["latest", false]).then(async () => {
      await gate.fill(final + 1);
      isFilled = true;
    });
    await expect.poll(() => lines.at(-1)).toMatch(`waiting for block ${final + 30}`);
    for (const endpoint of endpoints) endpoint.set({ lag: 0 });
    await expect.poll(() => lines.at(-1), { timeout: 60_000 }).toMatch(/Nothing more is indexed into/);
    expect(await requests()).toEqual([{ from_block: String(common + 1), cause: "reorg" }]);
    expect(isFilled).toBe(false);
  });

  test("nothing is read for an index whose final blocks are replaced, except headers", async () => {
    const { gate, lines } = await restartOn(fork);
    await expect.poll(() => lines.at(-1), { timeout: 60_000 }).toMatch(/Nothing more is indexed into/);
    let isAnswered = false;
    void gate.fill(final + 1).then(() => {
      isAnswered = true;
    });
    const latest = await gate.request("eth_getBlockByNumber", ["latest", false]);
    expect(latest).toMatchObject({ hash: expect.any(String) });
    expect(isAnswered).toBe(false);
  });
});

test("an endpoint that soon has our final block again is used again", async () => {
  const { endpoints, gate, lines, requests } = await restartOn(fork);
  await expect.poll(() => lines.join("\n")).toContain("stopped: no endpoint is of the chain");
  endpoints[0]?.set({ upstream: chain.rpcUrl });
  await gate.fill(final);
  expect(lines.at(-1)).toBe("endpoint 1 is used again");
  expect(await requests()).toEqual([]);
});
