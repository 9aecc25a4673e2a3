import { get } from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Address, Hex } from "viem";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventTopics } from "../../chain-access/sources/events.ts";
import { grantLock } from "../../offchain/advisory-locks.ts";
import { onConnection } from "../../offchain/connection.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir, whenIndexed } from "../../runtime/ponder/ponder.ts";
import { rowsVersion } from "../../runtime/ponder/rows-version.ts";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../chain/emulated-endpoint.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { loseTransfer } from "../chain/lose-transfer.ts";
import { differences } from "../reference-market/reconcile.ts";
import { onlyInLongRun, sized } from "../run/long-run.ts";
import { until } from "../service/condition.ts";
import { createDatabase, type TestDatabase } from "../service/database.ts";
import { type Program, runProgram, survivorsOf } from "../service/program.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/*
 * Reorgs that replace final blocks, history that is forgotten by hand, and an index that lacks logs: `npm start` indexes again, and
 * switches by itself.
 */

const start = path.join(projectDir, "runtime/start.ts");
const forget = path.join(projectDir, "tools/forget/forget.ts");

let chain: LaunchpadChain;
let endpoint: EmulatedEndpoint;
let token: Address;
let database: TestDatabase;
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let url: string;
let service: Program;

beforeAll(async () => {
  [chain, database, place] = await Promise.all([startLaunchpadChain(), createDatabase(), temporaryFolder()]);
  endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
  token = await chain.create(chain.traders[0]);
  await chain.buy(chain.traders[0], token, 10n ** 15n);
  await chain.testClient.mine({ blocks: 40 });
  env = {
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
    DATABASE_URL: database.url,
    DATA_DIR: place.folder,
    PONDER_RPC_URL_56: endpoint.url,
    POLLING_INTERVAL_56: "100",
    TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
    LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
    START_BLOCK_56: String(chain.deployment.startBlock),
  };
  url = `http://127.0.0.1:${env.PORT}`;
  service = runProgram(start, { env });
  await untilReady();
});
afterAll(async () => {
  await end();
  await database?.drop();
  await endpoint?.stop();
  await chain?.stop();
  await place?.remove();
});

async function end(): Promise<void> {
  const left = service?.descendants() ?? [];
  service?.kill("SIGTERM");
  await service?.exited;
  expect(await survivorsOf(left, 30_000)).toEqual([]);
}

async function readReady() {
  const response = await fetch(`${url}/ready`).catch(() => undefined);
  const body = (await response?.json()) as { code?: string; detail: string } | undefined;
  return { status: response?.status, ...body };
}
const untilReady = () =>
  until("the service to be ready", async () => (await readReady()).status === 200, 200_000);
const untilRepairing = () =>
  until("the repair to be requested", async () => {
    const ready = await readReady();
    return ready.code === "repairing" && ready;
  });
const untilIndexed = async () => whenIndexed(url, Number(await chain.head()), AbortSignal.timeout(100_000));

/** Resolves once the service serves from a schema, whose tables equal the chain. */
async function expectRepaired(schema: string): Promise<void> {
  await service.untilOutput(`the schema ${schema} is live`, 200_000);
  await untilReady();
  await untilIndexed();
  expect(await database.query(`select from ${schema}.trade`)).not.toEqual([]);
  expect(await differences({ ...chain, database, schema })).toEqual([]);
  const { holders } = (await (await fetch(`${url}/api/token/${token}/holders`)).json()) as {
    holders: { balanceRaw: string }[];
  };
  const balances = await Promise.all(
    chain.traders.slice(0, 3).map((account) => chain.balanceOf(token, account)),
  );
  for (const balance of balances.filter((amount) => amount > 0n)) {
    expect(holders.map(({ balanceRaw }) => balanceRaw)).toContain(String(balance));
  }
}

/** Removes the blocks after a snapshot, of which some were final, and mines more others with events. */
async function replaceBlocks(snapshot: Hex): Promise<void> {
  await chain.testClient.revert({ id: snapshot });
  await chain.transfer(chain.traders[0], token, chain.traders[2], 21n);
  await chain.testClient.mine({ blocks: 60 });
}

const requests = () =>
  database.query<{ cause: string; from_block: number; repaired_in: string | null }>(
    "select cause, from_block::int, repaired_in from offchain.repair_request order by id",
  );

onlyInLongRun(() => {
  test("a reorg of 40 blocks with events, which were final in part, is repaired while the old rows are served", async () => {
    const [fork, snapshot] = [Number(await chain.head()), await chain.testClient.snapshot()];
    for (let count = 0; count < 40; count++) await chain.buy(chain.traders[1], token, 10n ** 14n);
    await untilIndexed();
    await replaceBlocks(snapshot);
    const { status, detail } = await untilRepairing();
    expect(status).toBe(503);
    expect(detail).toMatch(
      /^Chain 56 is indexed again from block \d+ on, into .* The chain has replaced block \d+, which was final: it was 0x/,
    );
    expect((await fetch(`${url}/api/curve/${token}`)).status).toBe(200);
    await expect
      .poll(service.output)
      .toMatch(/chain 56: The chain has replaced block .* Nothing more is indexed into the schema onchain/);
    await expectRepaired("onchain_2");
    const [request, ...others] = await requests();
    expect(others).toEqual([]);
    expect(request).toMatchObject({ cause: "reorg", repaired_in: "onchain_2" });
    expect(request?.from_block).toBeLessThanOrEqual(fork + 1);
    expect(service.output()).not.toContain("unrecoverable");
  });

  test("one without events on the abandoned branch is repaired at the next start, even if DATABASE_SCHEMA names the first schema", async () => {
    const snapshot = await chain.testClient.snapshot();
    for (let mined = 0; mined < 45; mined++) {
      await chain.testClient.mine({ blocks: 1 });
      await untilIndexed();
    }
    await end();
    await replaceBlocks(snapshot);
    // As if a version whose rows may differ had begun the index.
    await database.query("update onchain_2._ponder_meta set value = value - 'rows_version'");
    service = runProgram(start, { env: { ...env, DATABASE_SCHEMA: "onchain" } });
    expect(await untilRepairing()).toMatchObject({ status: 503 });
    await expect.poll(service.output).toContain("the live schema onchain_2 is used");
    expect(service.output()).toContain("The index in the schema onchain_2 was begun by a version that");
    await expectRepaired("onchain_3");
    expect(service.output()).not.toContain("The index in the schema onchain_3");
    // An index that is continued keeps the version that began it.
    const versions = await database.query<{ version: string | null }>(
      `select value ->> 'rows_version' as version from onchain_2._ponder_meta
       union all select value ->> 'rows_version' from onchain_3._ponder_meta`,
    );
    expect(versions).toEqual([{ version: null }, { version: String(rowsVersion) }]);
  });
});

/** The live schema, and the one that the next repair makes. */
async function readSchemas(): Promise<[string, string]> {
  const [{ live } = { live: "" }] = await database.query<{ live: string }>(
    "select schema as live from offchain.live_schema order by id desc limit 1",
  );
  return [live, `onchain_${Number(live.split("_")[1] ?? 1) + 1}`];
}

onlyInLongRun(() => {
  test("npm run forget refuses what it can't forget", async () => {
    const before = await requests();
    const run = async (...args: string[]) => {
      const program = runProgram(forget, { env, args });
      return [await program.exited, program.output().trim()];
    };
    expect(await run("--chain", "56")).toEqual([
      1,
      expect.stringMatching("--from is the number of the first"),
    ]);
    expect(await run("--chain", "97", "--from", "1")).toEqual([
      1,
      "nothing of chain 97 is stored in this database",
    ]);
    expect(await run("--chain", "56", "--from", "1000000")).toEqual([
      1,
      expect.stringMatching(
        /^--from is wrong: the last stored block of chain 56 is \d+, so there is nothing/,
      ),
    ]);
    expect(await requests()).toEqual(before);
  });
});

async function runForget(fromBlock: number): Promise<void> {
  const program = runProgram(forget, { env, args: ["--chain", "56", "--from", String(fromBlock)] });
  expect([await program.exited, program.output()]).toEqual([
    0,
    expect.stringMatching(`requested: the history of chain 56 from block ${fromBlock} on is forgotten`),
  ]);
}

onlyInLongRun(() => {
  test("npm run forget has damaged history read and indexed again by the running service, and once", async () => {
    const [, next] = await readSchemas();
    const [lost] = await database.query<{ block: number }>(
      `delete from ponder_sync.logs where block_number = (select max(block_number) from ponder_sync.logs)
       returning block_number::int as block`,
    );
    await runForget(lost?.block ?? 0);
    await expectRepaired(next);
    expect(service.output().match(/history is forgotten/g)).toHaveLength(2);
  });

  test("without a running service, the next start does it", async () => {
    const [, next] = await readSchemas();
    await end();
    await runForget(0);
    await chain.buy(chain.traders[1], token, 10n ** 14n);
    service = runProgram(start, { env });
    await expectRepaired(next);
  });
});

type Repair = { cause: string; fromBlock: number; token: string | null; schema: string | null };

/** The repairs in /status, while /ready has to answer 200. */
async function readRepairs(): Promise<Repair[]> {
  expect(await readReady()).toMatchObject({ status: 200 });
  const status = (await (await fetch(`${url}/status`)).json()) as { bsc: { repairs?: Repair[] } };
  return status.bsc.repairs ?? [];
}

/** Lets the service index a block of two transfers without the second, until the block is final. Returns the block. */
async function indexWithoutTransfer(): Promise<number> {
  const [creator, buyer] = chain.traders;
  await chain.buy(buyer, token, 10n ** 14n);
  const losing = await loseTransfer(chain, endpoint, { token, from: buyer, to: creator });
  // Ponder has the block stored once it and 30 later ones are final.
  await chain.testClient.mine({ blocks: 70 });
  await untilIndexed();
  return losing;
}

/** Starts `npm run serve` beside the service, and waits until it is ready. */
async function startReplica() {
  const port = String(await freePort());
  const serve = path.join(projectDir, "runtime/serve.ts");
  const ports = { PORT: port, METRICS_PORT: String(await freePort()) };
  const replica = runProgram(serve, { env: { ...env, ...ports, RATE_LIMIT_READS: "1000000" } });
  onTestFinished(async () => {
    replica.kill("SIGTERM");
    await replica.exited;
  });
  const isReady = async () => {
    if (replica.hasExited()) throw new Error(`npm run serve has ended:\n${replica.output()}`);
    return (await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined))?.ok;
  };
  const untilReplicaReady = () => until("npm run serve to be ready", isReady, 200_000);
  await untilReplicaReady();
  return { ...replica, port, untilReady: untilReplicaReady };
}

/** Asks for the list on a new connection, as a load balancer may. Resolves to whether the answer is 200. */
const answers = (port: string) =>
  new Promise<boolean>((resolve) => {
    const request = get({ host: "127.0.0.1", port, path: "/api/tokens", agent: false }, (response) => {
      response.resume();
      response.once("close", () => resolve(response.complete && response.statusCode === 200));
    });
    request.once("error", () => resolve(false));
  });

/**
 * Asks two processes, one after the other, until a stop. Whenever the first one doesn't answer, and the second one ends before it has
 * answered, the first one must be back.
 *
 * @returns a function that stops, and returns how often the first didn't answer, and how often none did
 */
function watchAnswers(one: string, other: string) {
  const counts = { refused: 0, unanswered: 0 };
  let isOver = false;
  const watching = (async () => {
    for (let ports = [one, other] as const; !isOver; ports = [ports[1], ports[0]]) {
      const [first, second] = ports;
      await delay(20);
      if (await answers(first)) continue;
      counts.refused++;
      if (!(await answers(second)) && !(await answers(first))) counts.unanswered++;
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return counts;
  };
}

/** Lets an endpoint leave a transfer out of a new block. Resolves once the index is repaired in the next schema. */
async function expectLossRepaired(next: string): Promise<void> {
  const losing = await indexWithoutTransfer();
  const [repair] = await until("the repair to be requested", async () => {
    const repairs = await readRepairs();
    return repairs.length > 0 && repairs;
  });
  expect(repair).toMatchObject({ cause: "loss", fromBlock: losing, token: null });
  await expectRepaired(next);
  expect(await readRepairs()).toEqual([]);
  endpoint.restore();
}

const lossIsRepaired =
  "a transfer that an endpoint leaves out of a new block is repaired, while /ready answers 200";

test(
  sized({
    usual: lossIsRepaired,
    long: `${lossIsRepaired}, and of two npm run serve that follow one always answers`,
  }),
  async () => {
    await untilReady();
    const [, next] = await readSchemas();
    await sized({ usual: expectLossRepaired, long: expectLossRepairedBesideReplicas })(next);
  },
);

/** Ends the connection with which a process prepares to serve a schema, once that is live, as a failing database would. */
async function loseConnectionOf(replicas: readonly Program[], schema: string): Promise<void> {
  await until("the schema to be live", async () => (await readSchemas())[0] === schema, 200_000);
  await onConnection(database.url, async (client) => {
    await client.query("select pg_advisory_lock($1)", [grantLock]);
    await until("a process to wait for the database", async () => {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%pg_advisory_lock%'`,
      );
      return replicas.some(({ output }) => output().includes(`changing to the schema ${schema}: `));
    });
  });
}

async function expectLossRepairedBesideReplicas(next: string): Promise<void> {
  const replicas = await Promise.all([startReplica(), startReplica()]);
  const [one, other] = replicas;
  const stopWatching = watchAnswers(one.port, other.port);
  await Promise.all([expectLossRepaired(next), loseConnectionOf(replicas, next)]);
  for (const replica of replicas) {
    await replica.untilOutput(`npm start indexes into the schema ${next}`);
    await replica.untilReady();
  }
  const { refused, unanswered } = await stopWatching();
  expect(refused).toBeGreaterThan(0);
  expect(unanswered).toBe(0);
}

onlyInLongRun(() => {
  test("a token that differs from its contract is repaired, with what stored history lacks of it, and only once", async () => {
    await end();
    const [, buyer] = chain.traders;
    const [live, next] = await readSchemas();
    const [lost] = await database.query<{ block: number }>(
      `delete from ponder_sync.logs where (block_number, log_index) = (
         select block_number, log_index from ponder_sync.logs where address = $1 and topic0 = $2 and exists (
           select from ponder_sync.stored_windows where block_number between first_block and last_block)
         order by block_number desc limit 1)
       returning block_number::int as block`,
      [token.toLowerCase(), eventTopics.transfer],
    );
    // As if no answer had ever had it.
    await database.query(
      "update ponder_sync.stored_windows set logs = logs - 1 where $1 between first_block and last_block",
      [lost?.block],
    );
    // The pause after the last repair is over.
    await database.query("update offchain.live_schema set since = since - interval '1 hour'");
    service = runProgram(start, { env: { ...env, SELF_CHECK_SECONDS: "1" } });
    await untilReady();
    await untilIndexed();
    const falsify = (schema: string) =>
      database.falsify(`update ${schema}.holder set balance_raw = 7 where token = $1 and account = $2`, [
        token.toLowerCase(),
        buyer.toLowerCase(),
      ]);
    await falsify(live);
    const repairs = await until("the repair to be requested", async () => {
      await chain.testClient.mine({ blocks: 5 });
      await untilIndexed();
      const found = await readRepairs();
      return found.length > 0 && found;
    });
    expect(repairs).toMatchObject([{ cause: "difference", token: token.toLowerCase() }]);
    await expectRepaired(next);
    expect(service.output()).toContain("1 of their logs were missing, and 0 were not on the chain");

    await falsify(next);
    await until("the difference to be found again", async () => {
      await chain.testClient.mine({ blocks: 5 });
      await untilIndexed();
      return service.output().includes(`although it was repaired in the schema ${next}`);
    });
    expect(await readRepairs()).toEqual([]);
    expect((await requests()).filter(({ cause }) => cause === "difference")).toHaveLength(1);
  });
});

test("npm run forget asks for what every start looks for", async () => {
  await end();
  await runForget(0);
  expect((await requests()).at(-1)).toEqual({ cause: "operator", from_block: 0, repaired_in: null });
});
