import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { type Anvil, startAnvil } from "../../test/chain/anvil.ts";
import { startFork } from "../../test/chain/anvil-fork.ts";
import {
  type EmulatedEndpoint,
  faultNames,
  faults,
  startEmulatedEndpoint,
} from "../../test/chain/emulated-endpoint.ts";
import {
  graduatingAmount,
  type LaunchpadChain,
  startLaunchpadChain,
} from "../../test/chain/launchpad-chain.ts";
import { sized } from "../../test/run/long-run.ts";
import { createDatabase, type TestDatabase } from "../../test/service/database.ts";
import { startFillingGate, storedRows } from "../fixtures/filling-gate.ts";

let chain: LaunchpadChain;
let fork: Anvil;
let otherChain: Anvil;
let toBlock: number;
let expected: Record<string, unknown>;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  const [creator, buyer] = chain.traders;
  const token = await chain.create(creator, "Twin", "TWIN");
  await chain.buy(buyer, token, graduatingAmount);
  await chain.addLiquidity(buyer, token, 10n ** 24n, 10n ** 15n);
  const pair = await chain.pairOf(token);
  await chain.removeLiquidity(buyer, token, pair, (await chain.balanceOf(pair, buyer)) / 2n);
  await chain.trade(4, { blocks: 20, actionsPerBlock: sized({ usual: 24, long: 60 }), creations: 0.02 });
  otherChain = await startAnvil({ chainId: 56 });
  await otherChain.testClient.mine({ blocks: 200 });
  // It shares our chain's past, but not its last blocks.
  fork = await startFork(chain);
  await Promise.all([chain, fork].map(({ testClient }) => testClient.mine({ blocks: 30 })));
  toBlock = Number(await chain.head()) - 30;
  const whole = await startEndpoint();
  expected = await fill([whole]);
  await whole.stop();
});

afterAll(async () => {
  await fork?.stop();
  await otherChain?.stop();
  await chain?.stop();
});

/** Starts an endpoint of the chain that is as slow as a paid one. */
const startEndpoint = () => startEmulatedEndpoint({ upstream: chain.rpcUrl, latencyMs: 5 });

/** Starts several endpoints, which end with the test. */
async function endpoints({ onTestFinished }: TestContext, count: 1 | 2 | 3) {
  const started = await Promise.all(Array.from({ length: count }, startEndpoint));
  onTestFinished(async () => {
    await Promise.all(started.map((endpoint) => endpoint.stop()));
  });
  return started as [EmulatedEndpoint, EmulatedEndpoint, EmulatedEndpoint];
}

/** Fills a database through these endpoints and returns its contents. */
async function fill(endpoints: EmulatedEndpoint[], lines: string[] = []): Promise<Record<string, unknown>> {
  const database = await createDatabase();
  const rpcUrls = endpoints.map(({ url }) => url);
  const gate = startFillingGate({ chain, database, rpcUrls, lines });
  try {
    expect(await gate.fill(toBlock)).toEqual([]);
    return { ...(await storedRows(database)), ...(await storedCoverage(database)) };
  } finally {
    await gate.stop();
    await database.drop();
  }
}

/** The blocks that count as read. None may be above the last final one, whatever head an endpoint reports. */
async function storedCoverage(database: TestDatabase): Promise<Record<string, unknown>> {
  const rows = await database.query("select blocks::text from offchain.chain_coverage");
  return { coverage: rows };
}

const nodes = () => ({ fork: fork.rpcUrl, otherChain: otherChain.rpcUrl });

test("there is something to read", () => {
  expect(expected).toMatchObject({ logs: { count: expect.any(Number) } });
  // More than any of the endpoints below answers at once.
  expect((expected.logs as { count: number }).count).toBeGreaterThan(sized({ usual: 800, long: 2_000 }));
});

const bearable = faultNames.filter((name) =>
  /429|rate-limit|limit|truncated|error above|blockTimestamp|no batches/.test(name),
);

/** Faults of history alone are tested below. */
const passing = faultNames.filter(
  (name) => !bearable.includes(name) && !/fork|different|behind|old logs|too high/.test(name),
);

/** In `npm test` the faults that a single endpoint can't have below, one of each kind. */
const beside = sized({
  usual: faultNames.filter(
    (name) => !bearable.includes(name) && !passing.includes(name) && !name.includes("split batches"),
  ),
  long: faultNames,
});

// Concurrent, because most of these mostly wait for an endpoint.
const together = test.concurrent;

together.for(beside)("beside two good endpoints, one with %s changes nothing", async (name, context) => {
  const [faulty, good, another] = await endpoints(context, 3);
  faulty.set(faults[name](nodes()));
  expect(await fill([faulty, good, another])).toEqual(expected);
});

/** In `npm test` one of each kind. */
const usualBearable = sized({
  usual: bearable.filter((name) => /^429$|range limit|truncated at 777|blockTimestamp/.test(name)),
  long: bearable,
});
/** Others are tested where new blocks are followed, in chain-access.test.ts. */
const usualPassing = sized({
  usual: passing.filter((name) => /hangs|empty/.test(name)),
  long: passing,
});

together.for(usualBearable)("a single endpoint with %s is enough", async (name, context) => {
  const [faulty] = await endpoints(context, 1);
  faulty.set(faults[name](nodes()));
  expect(await fill([faulty])).toEqual(expected);
});

together.for(usualPassing)("after %s, a single endpoint continues where it was", async (name, context) => {
  const [only] = await endpoints(context, 1);
  only.set(faults[name](nodes()));
  const lines: string[] = [];
  const filled = fill([only], lines);
  const isHeld = () => lines.length > 0 || only.counts.total().requests > 3;
  await expect.poll(isHeld).toBe(true);
  only.restore();
  expect(await filled).toEqual(expected);
});

together.for<[name: (typeof faultNames)[number], line: RegExp]>([
  ["logs that lag behind the head", /no block \d+, which its head is not below/],
  ["logs that lag behind the head, in split batches", /no logs of block \d+, which has some/],
  ["logs that lag behind the head, with errors", /block range extends beyond current head block/],
  ["old logs that are missing", /no logs of block \d+, which has some/],
  ["a head that is far too high", /no endpoint has block \d+ yet/],
])("with %s, a single endpoint's history is not complete until it is", async ([name, line], context) => {
  const [only] = await endpoints(context, 1);
  only.set(faults[name](nodes()));
  const lines: string[] = [];
  const filled = fill([only], lines);
  await expect.poll(() => lines.join("\n"), { timeout: 30_000 }).toMatch(line);
  only.restore();
  expect(await filled).toEqual(expected);
});

together("two endpoints that disagree stop the sync with a line that names both", async (context) => {
  const [good, other] = await endpoints(context, 2);
  other.set(faults["a different chain behind the URL"](nodes()));
  const lines: string[] = [];
  const filled = fill([good, other], lines);
  await expect
    .poll(() => lines)
    .toEqual([expect.stringMatching(/^stopped: the endpoints disagree: block \d+ is/)]);
  other.restore();
  expect(await filled).toEqual(expected);
});
