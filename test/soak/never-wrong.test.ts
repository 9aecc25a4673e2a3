import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { keccak256, stringToHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Log } from "../../chain-access/sources/log.ts";
import { createRandom } from "../../local/market/random.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir, whenIndexed } from "../../runtime/ponder/ponder.ts";
import { type RunningPostgres, startPostgres } from "../../runtime/postgres/start-postgres.ts";
import { type Anvil, startAnvil } from "../chain/anvil.ts";
import { startFork } from "../chain/anvil-fork.ts";
import {
  type EmulatedEndpoint,
  faultNames,
  faults,
  startEmulatedEndpoint,
} from "../chain/emulated-endpoint.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startPriceFeed, type TestFeed } from "../chain/price-feed.ts";
import { openRandomMarket, type RandomMarket } from "../chain/random-market.ts";
import { type CommitProxy, startCommitProxy } from "../doubles/commit-proxy.ts";
import { seed } from "../run/seed.ts";
import { type OpenDatabase, openDatabase } from "../service/database.ts";
import { copyPostgresHome } from "../service/postgres-home.ts";
import { type Program, runProgram, survivorsOf } from "../service/program.ts";
import { startService } from "../service/service.ts";
import { readRows, rowDifferences } from "../service/table-rows.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/*
 * `npm start` while everything around it misbehaves at random: endpoints that lag, lie, lack history or lose logs, commits whose
 * answers are lost, reorgs deeper than finality, and processes that are killed. In the end its tables equal a new index of the chain.
 */

/** The minutes for which everything misbehaves. */
const minutes = Number(process.env.SOAK_MINUTES ?? 20);
/** How long the service may take to recover, in milliseconds. */
const recoveryMs = 400_000;

const script = (name: string) => path.join(projectDir, name);
const random = createRandom(seed);

let chain: LaunchpadChain;
let feed: TestFeed;
let market: RandomMarket;
let fork: Anvil;
let otherChain: Anvil;
let postgres: RunningPostgres;
let proxy: CommitProxy;
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let database: OpenDatabase;
let env: Record<string, string>;
let service: Program;
/** One is honest, one fails at random, and one lies at random. The last one loses one log in a hundred, for good. */
let endpoints: Record<"honest" | "failing" | "lying" | "losing", EmulatedEndpoint>;
/** What was done so far, to explain a failure. */
const story: string[] = [];

const trading = { actions: 6, creations: 0.02, pause: () => random.integer(1, 10) };

/** Faults with which an endpoint lies, rather than failing. */
const lies = faultNames.filter((name) =>
  /fork|too high|lag|missing|empty|truncated|null|seconds|chain|wrong|twice/.test(name),
);

/** The last block of the history when the service first starts: no endpoint loses logs of it, which are read once. */
let historyTo: bigint;

const isLost = ({ blockNumber, transactionHash, logIndex }: Log) =>
  BigInt(blockNumber) > historyTo &&
  Number.parseInt(keccak256(stringToHex(`${transactionHash}${logIndex}`)).slice(-6), 16) % 100 === 0;

beforeAll(async () => {
  [chain, otherChain, place] = await Promise.all([
    startLaunchpadChain({ hours: 7 * 24 }),
    startAnvil({ chainId: 56 }),
    temporaryFolder(),
  ]);
  feed = await startPriceFeed(chain);
  await chain.testClient.setAutomine(false);
  market = await openRandomMarket(chain, seed, feed.aggregator);
  await market.trade({ ...trading, blocks: 80 });
  await otherChain.testClient.mine({ blocks: 200 });
  fork = await startFork(chain);
  await fork.testClient.mine({ blocks: 5 });
  historyTo = await chain.head();
  const upstream = chain.rpcUrl;
  const [honest, failing, lying, losing] = await Promise.all([
    startEmulatedEndpoint({ upstream, latencyMs: 15 }),
    startEmulatedEndpoint({ upstream }),
    startEmulatedEndpoint({ upstream, latencyMs: 5 }),
    startEmulatedEndpoint({ upstream, latencyMs: 5, losesLog: isLost }),
  ]);
  endpoints = { honest, failing, lying, losing };

  const home = path.join(place.folder, "postgres");
  await copyPostgresHome(home);
  postgres = await startPostgres({ dataDir: home, durable: false });
  proxy = await startCommitProxy("127.0.0.1", postgres.port);
  database = openDatabase(postgres.url);
  env = {
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
    DATABASE_URL: Object.assign(new URL(postgres.url), { port: String(proxy.port) }).href,
    DATA_DIR: path.join(place.folder, "data"),
    PONDER_RPC_URL_56: Object.values(endpoints)
      .map(({ url }) => url)
      .join(),
    POLLING_INTERVAL_56: "200",
    SELF_CHECK_SECONDS: "15",
    TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
    LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
    START_BLOCK_56: String(chain.deployment.startBlock),
    BNB_USD_FEED_ADDRESS_56: feed.aggregator,
  };
  start();
});

afterAll(async () => {
  await end("SIGTERM");
  await database?.close();
  await proxy?.stop();
  await postgres?.stop();
  await Promise.all(Object.values(endpoints ?? {}).map((endpoint) => endpoint.stop()));
  await Promise.all([fork?.stop(), otherChain?.stop(), chain?.stop()]);
  await place?.remove();
});

function start(): void {
  service = runProgram(script("runtime/start.ts"), { env });
}

/**
 * Starts the service again, as systemd does, if it could not start without its database, or refused an endpoint that was on another
 * chain at that moment. It must not end for another reason.
 */
function restart(): void {
  const end = service.output().slice(-3_000);
  if (!/can't be used|once Postgres runs|is wrong: there is no contract/.test(end))
    throw new Error(`the service has ended:\n${end}\n${story.join("\n")}`);
  story.push("service started again");
  start();
}

async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const left = service?.descendants() ?? [];
  for (const pid of signal === "SIGKILL" ? left : []) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has just ended.
    }
  }
  service?.kill(signal);
  await service?.exited;
  expect(await survivorsOf(left, 60_000)).toEqual([]);
}

async function trade(): Promise<void> {
  await market.trade({ ...trading, blocks: random.integer(1, 8) });
}

async function reorg(): Promise<void> {
  const depth = random.chance(0.7) ? random.integer(1, 12) : random.integer(13, 60);
  const snapshot = await chain.testClient.snapshot();
  const sent = await market.trade({ ...trading, blocks: depth });
  if (random.chance(0.6)) await waitForIndex(30_000);
  await chain.testClient.revert({ id: snapshot });
  await market.reloadState();
  await market.tradeAgain(sent, { ...trading, blocks: depth + random.integer(1, 6), share: 0.6 });
  story.push(`reorg of ${depth} blocks`);
}

/** Waits until the head is indexed, but not for ever: something may be broken on purpose. */
async function waitForIndex(ms: number): Promise<void> {
  const head = Number(await chain.head());
  await whenIndexed(`http://127.0.0.1:${env.PORT}`, head, AbortSignal.timeout(ms)).catch(() => {});
}

const commits = [
  'insert into "onchain',
  '"_ponder_checkpoint" set "latest_checkpoint"',
  '"_ponder_checkpoint" set "finalized_checkpoint"',
  "WITH reverted1 AS",
  "insert into offchain.stream_event",
];

/** Everything that may go wrong, and how often. */
const troubles: [weight: number, trouble: () => Promise<void>][] = [
  [6, trade],
  [3, reorg],
  [
    3,
    async () => {
      const name = random.pick(faultNames.filter((fault) => !lies.includes(fault)));
      endpoints.failing.restore();
      endpoints.failing.set(faults[name]({ fork: fork.rpcUrl, otherChain: otherChain.rpcUrl }));
      story.push(`failing: ${name}`);
    },
  ],
  [
    3,
    async () => {
      const name = random.pick(lies);
      endpoints.lying.restore();
      endpoints.lying.set(faults[name]({ fork: fork.rpcUrl, otherChain: otherChain.rpcUrl }));
      story.push(`lying: ${name}`);
    },
  ],
  [
    3,
    async () => {
      const text = random.pick(commits);
      void (random.chance(0.7) ? proxy.loseCommitOf(text) : proxy.cutAt(text)).then(() =>
        story.push(`lost ${text}`),
      );
      await trade();
    },
  ],
  [
    1,
    async () => {
      await end("SIGKILL");
      story.push("service killed");
      if (random.chance(0.3)) await reorg();
      start();
    },
  ],
  [
    1,
    async () => {
      await end("SIGTERM");
      story.push("service stopped");
      if (random.chance(0.3)) await reorg();
      start();
    },
  ],
  [
    1,
    async () => {
      const { home, port } = postgres;
      postgres.kill();
      await postgres.exited;
      story.push("Postgres killed");
      if (random.chance(0.5)) await trade();
      postgres = await startPostgres({ dataDir: home, port, durable: false });
    },
  ],
  [1, async () => void (await chain.testClient.mine({ blocks: random.integer(5, 40) }))],
  [3, async () => await waitForIndex(60_000)],
  [2, async () => await delay(random.integer(100, 3_000))],
];

/** Lets the service recover beside endpoints that only lose logs, and compares all of its tables with a new index of the chain. */
async function expectNeverWrong(): Promise<void> {
  for (const name of ["failing", "lying"] as const) endpoints[name].restore();
  // Makes everything so far final, so that it is read a second time.
  await market.trade({ ...trading, blocks: 5 });
  await chain.testClient.mine({ blocks: 70 });
  await end("SIGTERM");
  start();
  const fresh = await startService([chain], { env: { BNB_USD_FEED_ADDRESS_56: feed.aggregator } });
  try {
    await fresh.indexer.untilReady();
    await fresh.expectIndexEqualsChain();
    const expected = await readRows(fresh.database, "onchain");
    expect(expected.trade?.length).toBeGreaterThan(100);
    const differences = async () => {
      // As if earlier repairs had been long ago, since the pauses between them grow.
      await database.query("update offchain.live_schema set since = since - interval '8 days'");
      const [live] = await database.query("select schema from offchain.live_schema order by id desc limit 1");
      return rowDifferences(expected, await readRows(database, live?.schema));
    };
    let left = await differences();
    for (const until = performance.now() + recoveryMs; left.length > 0 && performance.now() < until; ) {
      await delay(3_000);
      left = await differences();
    }
    const told = [
      ...story,
      ...service
        .output()
        .split("\n")
        .filter((line) => /repair|chain 56/.test(line)),
    ];
    expect(left, told.slice(-200).join("\n")).toEqual([]);
  } finally {
    await fresh.stop();
  }
  await waitForIndex(60_000);
  const verify = runProgram(script("verify/verify.ts"), {
    env: { ...env, DATABASE_URL: postgres.url, PONDER_RPC_URL_56: endpoints.honest.url },
  });
  expect([await verify.exited, verify.output()]).toEqual([0, expect.any(String)]);
}

test("whatever misbehaves, the index equals the chain in the end", {
  timeout: (minutes + 60) * 60_000,
}, async () => {
  const all = troubles.flatMap(([weight, trouble]) => Array<typeof trouble>(weight).fill(trouble));
  const endsAt = performance.now() + minutes * 60_000;
  for (let round = 1; performance.now() < endsAt; round++) {
    await random.pick(all)();
    if (service.hasExited()) restart();
    if (round % 40 === 0) await expectNeverWrong();
  }
  await expectNeverWrong();
});
