import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import type http from "node:http";
import net from "node:net";
import path from "node:path";
import pg from "pg";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, portIsFree } from "../../runtime/checks/host.ts";
import { projectDir, whenIndexed } from "../../runtime/ponder/ponder.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { differences } from "../reference-market/reconcile.ts";
import { isLong, onlyInLongRun, sized } from "../run/long-run.ts";
import { until } from "../service/condition.ts";
import { type OpenDatabase, openDatabase } from "../service/database.ts";
import type { StreamEvent } from "../service/event-stream.ts";
import { copyPostgresHome } from "../service/postgres-home.ts";
import { commandOf, descendantsOf, type Program, runProgram, survivorsOf } from "../service/program.ts";
import { registrationOf } from "../service/registration.ts";
import { indexBlockOf, orderViolations, request, startSteadyClients } from "../service/steady-clients.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* `npm run upgrade` beside a running `npm start` with its embedded Postgres, and clients that must not notice. */

const script = (name: string) => path.join(projectDir, "runtime", name);

let chain: LaunchpadChain;
let database: OpenDatabase;
/** Takes the port after the service's, as the documented `serve` units do. */
let neighbour: net.Server;
let analystUrl: string;
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let url: string;
let service: Program;
/** Send requests all the time, except while the service is down, and record every wrong answer. */
let clients: ReturnType<typeof startSteadyClients>;
let token: Address;
const registered: string[] = [];
const trades: string[] = [];
/** How many of them came before the present clients. */
let earlier = { registered: 0, trades: 0 };
let streamed: StreamEvent[] = [];
let polled: StreamEvent[] = [];
/** Reads the views throughout. */
let analyst: pg.Client;
/** Has read a view in an open transaction, which keeps it locked through the upgrade. */
let lockingReader: pg.Client;
/** True while the views are being restored after the new version was killed in the switch, when the running one is not frozen. */
let mayViewsBeStale = false;
/** True while a test holds an upgrade back before the switch. */
let isSwitchHeld = false;
/** Every `npm run upgrade` so far. */
const upgrades: Program[] = [];

/**
 * Milliseconds from an answer to the next request, while one version takes over from another and otherwise: for readers, and for
 * clients that mine a block each time, which invalidates every cache.
 */
const pauses = sized({
  usual: { reading: { usual: 1_000, takingOver: 100 }, mining: { usual: 1_500, takingOver: 600 } },
  long: { reading: { usual: 0, takingOver: 0 }, mining: { usual: 0, takingOver: 0 } },
});

beforeAll(async () => {
  [chain, place] = await Promise.all([startLaunchpadChain(), temporaryFolder()]);
  await copyPostgresHome(path.join(place.folder, "postgres"));
  env = {
    PORT: String(await freePortBefore()),
    METRICS_PORT: String(await freePort()),
    DATA_DIR: place.folder,
    RATE_LIMIT: "off",
    PONDER_RPC_URL_56: `${chain.rpcUrl},${chain.rpcUrl.replace("http:", "ws:")}`,
    POLLING_INTERVAL_56: "500",
    TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
    LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
    START_BLOCK_56: String(chain.deployment.startBlock),
  };
  url = `http://127.0.0.1:${env.PORT}`;
  neighbour = net.createServer();
  await once(neighbour.listen(Number(env.PORT) + 1, "127.0.0.1"), "listening");
  service = runProgram(script("start.ts"), { env });
  await untilReady();
  await service.untilOutput("password of its owner launchpad: ");
  const reader = new URL(service.outputAfter("to read only:"));
  const [readerPassword, password] = await Promise.all(
    ["its password:", "password of its owner launchpad:"].map(async (name) =>
      (await readFile(service.outputAfter(name), "utf8")).trim(),
    ),
  );
  for (const secret of [readerPassword, password]) expect(service.output()).not.toContain(secret);
  analystUrl = Object.assign(reader, { password: readerPassword }).href;
  database = openDatabase(Object.assign(new URL(analystUrl), { username: "launchpad", password }).href);
  token = await chain.create(chain.traders[0]);
  await until("the token", async () => (await request(`${url}/api/curve/${token}`)).status === 200);
  lockingReader = await connect(analystUrl);
  await startClients();
});

afterAll(async () => {
  await clients?.stop();
  await Promise.all([analyst?.end(), lockingReader?.end()]);
  const left = service?.descendants() ?? [];
  service?.kill("SIGTERM");
  await service?.exited;
  expect(await survivorsOf(left, 30_000)).toEqual([]);
  neighbour?.close();
  await database?.close();
  await chain?.stop();
  await place?.remove();
});

/** A free port that is followed by another free one. */
async function freePortBefore(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await portIsFree(port + 1)) return port;
  }
}

function upgrade(...args: string[]): Program {
  const command = runProgram(script("upgrade.ts"), { env, args });
  upgrades.push(command);
  return command;
}
const caughtUp = "the new version has caught up";
const isTakingOver = () =>
  !isSwitchHeld && upgrades.some((command) => !command.hasExited() && command.output().includes(caughtUp));
const pause = (of: keyof typeof pauses) => () => pauses[of][isTakingOver() ? "takingOver" : "usual"];
const untilReady = () =>
  until("the service to be ready", async () => (await fetch(`${url}/ready`).catch(() => undefined))?.ok);

async function startClients(): Promise<void> {
  // After a test that failed, they would still register and trade.
  await clients?.stop();
  const [creator, trader] = chain.traders;
  earlier = { registered: registered.length, trades: trades.length };
  [streamed, polled] = [[], []];
  await analyst?.end();
  analyst = await connect(analystUrl);
  await until("the views", () => analyst.query("select from launchpad.chains").catch(() => undefined));

  clients = startSteadyClients(url, { restMs: pause("reading") });
  const query = {
    query: '{ trades(limit: 2, orderBy: "id", orderDirection: "desc") { items { id side } } }',
  };
  clients.read("kept", "/api/tokens", clients.keptAlive(1));
  clients.read("anew", "/api/tokens?sort=burn", undefined);
  clients.read("pooled", `/api/token/${token}/trades?limit=3`, clients.keptAlive(4), { at: 4 });
  clients.read("graphql kept", "/graphql", clients.keptAlive(1), { body: query });
  clients.read("graphql anew", "/graphql", undefined, { body: query });

  clients.repeat("views", async () => {
    const isExcused = mayViewsBeStale;
    const { headers } = await request(`${url}/api/tokens?limit=1`);
    const block = indexBlockOf(headers) ?? 0;
    const { rows } = await analyst.query({
      name: "position",
      text: "select indexed_block from launchpad.chains where chain_id = 56",
    });
    const indexed = Number(rows[0]?.indexed_block);
    if (indexed >= block || isExcused || mayViewsBeStale) return;
    clients.problems.push(`views: block ${indexed} after ${block}`);
  });

  const ready = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  clients.follow(streamed, ready[0].resolve);
  clients.poll(polled, ready[1].resolve);
  await Promise.all(ready.map(({ promise }) => promise));

  // Waiting also proves that minBlock works during a switch, and keeps the chain from outrunning the index.
  const untilIndexed = async (mint: string, block: bigint, agent: http.Agent | undefined) => {
    const ask = () => request(`${url}/api/curve/${mint}?minBlock=${block}`, { agent });
    let { status, text } = await ask();
    // On a busy machine the index may be some seconds behind, and clients are told to retry.
    for (let again = 0; again < 5 && text.includes("block_not_indexed"); again++) {
      ({ status, text } = await ask());
    }
    if (status !== 200) clients.problems.push(`minBlock: ${status} ${text}`);
  };
  const [byCreator, byTrader] = [clients.keptAlive(1), clients.keptAlive(1)];
  const register = async () => {
    const mint = await chain.create(creator);
    const agent = registered.length % 2 === 0 ? byCreator : undefined;
    const body = registrationOf(mint, creator);
    const { status, text } = await request(`${url}/api/tokens`, { agent, body });
    if (status === 201) registered.push(mint.toLowerCase());
    else clients.problems.push(`registration: ${status} ${text}`);
    await untilIndexed(mint, await chain.head(), agent);
  };
  const trade = async () => {
    const { transactionHash, blockNumber } = await chain.buy(trader, token, 10n ** 12n);
    trades.push(transactionHash);
    await untilIndexed(token, blockNumber, byTrader);
  };
  clients.repeat("registration", register, pause("mining"));
  clients.repeat("trade", trade, pause("mining"));
}

/** Resolves once the clients have had more answers, all of them correct. */
async function expectServed(): Promise<void> {
  const [answers, traded] = [clients.answers() + 25, trades.length + 2];
  await until(
    "more answers",
    async () => (clients.answers() >= answers && trades.length >= traded) || clients.problems.length > 0,
  );
  expect(clients.problems.slice(0, 10)).toEqual([]);
}

/** Resolves once every accepted registration is listed. */
const untilListed = () =>
  until("every registration to be listed", async () => {
    const { text } = await request(`${url}/api/tokens?limit=1`);
    return JSON.parse(text).total === registered.length;
  });

async function connect(connectionString = database.url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  // Postgres ends a long open transaction, which must not fail a slow run.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Holds an upgrade back before the switch, and blocks nothing else: this row of the new version's journal can't be deleted. */
async function holdSwitch(): Promise<{ release(): Promise<void> }> {
  await database.query(
    `insert into offchain.stream_event (schema, chain_id, position, kind, mint, fingerprint, data)
     values ('onchain_2', 56, '', 'begin', '', '', '{}')`,
  );
  const holder = await connect();
  await holder.query("begin; select from offchain.stream_event where schema = 'onchain_2' for update");
  isSwitchHeld = true;
  return {
    async release() {
      isSwitchHeld = false;
      await holder.end();
    },
  };
}

const liveSchemas = async () =>
  (await database.query("select schema from offchain.live_schema order by id")).map(({ schema }) => schema);

/** The schemas that the view of trades reads. */
const viewsOver = async () =>
  (
    await database.query(
      "select table_schema from information_schema.view_table_usage where view_schema = 'launchpad' and view_name = 'trades'",
    )
  ).map(({ table_schema }) => table_schema);

/** The process descendantRunning this one whose command contains the text, or -1. */
const descendantRunning = (pid: number, text: string) =>
  descendantsOf(pid).find((found) => commandOf(found).includes(text)) ?? -1;

test("npm start runs its own Postgres, and prints no warning", async () => {
  expect((await fetch(`${url}/graphql`)).status).toBe(200);
  expect(service.output()).not.toContain("launchpad_admin");
  expect(service.output()).not.toMatch(/ WARN | ERROR /);
  expect((await stat(`${place.folder}/control.sock`)).mode & 0o777).toBe(0o600);
});

onlyInLongRun(() => {
  test("without a running version the command says where it looked", async () => {
    const command = runProgram(script("upgrade.ts"), {
      env: { ...env, DATA_DIR: `${place.folder}/nowhere` },
    });
    expect(await command.exited).toBe(1);
    expect(command.output()).toContain(`no npm start can be reached at ${place.folder}/nowhere/control.sock`);
  });

  test("an upgrade to the running version's schema is refused", async () => {
    const refused = upgrade("--to", "onchain");
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toContain("not upgraded: the running version already uses the schema onchain");
  });

  test("a cancelled upgrade changes nothing", async () => {
    const holder = await holdSwitch();
    // Postgres starts a process for each connection.
    const processes = () => service.descendants().filter((pid) => !commandOf(pid).startsWith("postgres:"));
    const before = processes();
    const cancelled = upgrade();
    await cancelled.untilOutput(caughtUp);
    const second = upgrade();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain("another upgrade is under way");
    cancelled.kill("SIGINT");
    await service.untilOutput("upgrade: cancelled");
    await holder.release();
    const left = processes().filter((pid) => !before.includes(pid));
    expect(await survivorsOf(left, 30_000)).toEqual([]);
    expect(await liveSchemas()).toEqual(["onchain"]);
    await expectServed();
  });

  test("a new version killed during the switch leaves the running one as it was", async () => {
    const holder = await connect();
    // Blocks the last write of the switch.
    await holder.query("begin; lock table offchain.live_schema in share mode");
    const command = upgrade();
    await until("the switch to wait", async () => {
      const { rows } = await holder.query(
        "select from pg_locks where relation = 'offchain.live_schema'::regclass and not granted",
      );
      return rows.length > 0;
    });
    const next = descendantRunning(service.pid, "runtime/start.ts");
    // Stopped, its API can't take over the socket.
    process.kill(descendantRunning(next, "ponder.js"), "SIGSTOP");
    await holder.query("commit");
    await holder.end();
    await until("the switch", async () => (await liveSchemas()).at(-1) === "onchain_2");
    expect(await viewsOver()).toEqual(["onchain_2"]);
    mayViewsBeStale = true;
    process.kill(next, "SIGKILL");
    expect(await command.exited).toBe(1);
    expect(command.output()).toContain("not upgraded: the new version was killed by the signal SIGKILL");
    expect(await liveSchemas()).toEqual(["onchain"]);
    expect(await viewsOver()).toEqual(["onchain"]);
    mayViewsBeStale = false;
    await expectServed();
  });
});

/** Resolves once the command has succeeded and the previous version is gone. */
async function expectUpgraded(command: Program, schema: string, before: number): Promise<void> {
  expect(await command.exited, command.output()).toBe(0);
  expect(command.output()).toContain(`serves, from the schema ${schema}`);
  expect((await liveSchemas()).at(-1)).toBe(schema);
  expect(await survivorsOf([before], 60_000)).toEqual([]);
  await expectServed();
  const metrics = `http://127.0.0.1:${env.METRICS_PORT}/metrics`;
  await until("the metrics", async () => (await fetch(metrics).catch(() => undefined))?.ok);
}

test("an upgrade waits for the running version's last block, and no client notices", async () => {
  const before = descendantRunning(service.pid, "ponder.js");
  await lockingReader.query("begin; select from launchpad.trades limit 1");
  const holder = await holdSwitch();
  const command = upgrade();
  await command.untilOutput(caughtUp);
  // From here on the new version falls behind.
  const behind = await connect();
  await behind.query("begin; lock table onchain_2._ponder_checkpoint in share mode");
  const more = trades.length + 3;
  await until("more blocks", async () => trades.length >= more);
  await holder.release();
  await until("the running version to stand still", async () => {
    const { rows } = await behind.query(
      `select from pg_locks where relation = 'onchain._ponder_checkpoint'::regclass and mode = 'ShareLock' and granted`,
    );
    return rows.length > 0;
  });
  expect(await liveSchemas()).toEqual(["onchain"]);
  await behind.end();
  await expectUpgraded(command, "onchain_2", before);
  expect(await viewsOver()).toEqual(["onchain_2"]);
  await lockingReader.end();
});

/** Stops the clients, and fails unless everything traded and registered since they began was streamed once, in order. */
async function expectAllStreamed(): Promise<void> {
  const done = trades.length;
  const isTold = (events: StreamEvent[]) => events.some(({ data }) => data.tx === trades[done - 1]);
  await until("the last trade to be told of", async () => isTold(polled));
  await expectServed();
  await clients.stop();
  expect(clients.problems.slice(0, 10)).toEqual([]);
  await whenIndexed(url, Number(await chain.head()), AbortSignal.timeout(100_000));
  for (const events of [streamed, polled]) {
    expect(orderViolations(events)).toEqual([]);
    const of = (kind: string) => events.filter(({ event }) => event === kind).map(({ data }) => data);
    expect(of("removed")).toEqual([]);
    const told = of("trade").map(({ tx }) => tx);
    expect(told.length).toBeGreaterThanOrEqual(done - earlier.trades);
    expect(told).toEqual(trades.slice(earlier.trades).slice(0, told.length));
    const created = of("registered").map(({ mint }) => mint);
    expect(created.length).toBeGreaterThan(0);
    expect(created).toEqual(registered.slice(earlier.registered).slice(0, created.length));
  }
  await untilListed();
}

test("everything traded and registered meanwhile was streamed once, in order", async () => {
  await expectAllStreamed();
});

onlyInLongRun(() => {
  test("an upgraded version that dies ends the service; the next start resumes the live schema", async () => {
    // What enters the stream's journal only after the start would be sent to the next clients.
    await until("the last trade to be in the journal", async () => {
      const last = await database.query(
        "select from offchain.stream_event where schema = 'onchain_2' and kind = 'trade' and data::text like $1",
        [`%${trades.at(-1)}%`],
      );
      return last.length > 0;
    });
    const all = service.descendants();
    process.kill(descendantRunning(service.pid, "runtime/start.ts"), "SIGKILL");
    expect(await service.exited).toBe(1);
    expect(await survivorsOf(all, 30_000)).toEqual([]);

    service = runProgram(script("start.ts"), { env });
    await untilReady();
    expect(service.output()).not.toContain("Schema is locked");
    expect(service.output()).toContain("Detected crash recovery");
    expect(await liveSchemas()).toEqual(["onchain", "onchain_2"]);
    await untilListed();
  });

  test("a switch back resumes the old schema where it stopped, and no client notices", async () => {
    await startClients();
    const before = descendantRunning(service.pid, "ponder.js");
    await expectUpgraded(upgrade("--to", "onchain"), "onchain", before);
    expect(await viewsOver()).toEqual(["onchain"]);
    await expectAllStreamed();
    await until(
      "the index to equal the chain",
      async () => (await differences({ ...chain, database })).length === 0,
    );
  });
});

test("schemas are listed, and an unused one can be dropped", async () => {
  const schemas = async (...args: string[]) => {
    const program = runProgram(path.join(projectDir, "tools/schemas/schemas.ts"), { env, args });
    return { code: await program.exited, output: program.output() };
  };
  const { output } = await schemas();
  // The long run has switched back.
  const [live, unused] = sized<[string, string]>({
    usual: ["onchain_2", "onchain"],
    long: ["onchain", "onchain_2"],
  });
  const line = (schema: string, text: string) => new RegExp(`^${schema}: ${text}`, "m");
  expect(output).toMatch(
    line(live, "live since [^;]+; being indexed; served by 1; [\\d.]+ MiB; block \\d+ of chain 56$"),
  );
  expect(output).toMatch(line(unused, "not live [^;]+; not being indexed; served by 0; "));
  const refused = await schemas("drop", live);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("a process indexes into it") });
  if (isLong) expect(await schemas("drop", "offchain")).toMatchObject({ code: 1 });
  await until(
    "the views for analysts to be over the live schema only",
    async () => (await schemas("drop", unused)).code === 0,
  );
  expect((await schemas()).output).not.toMatch(line(unused, ""));
  const left = await database.query("select from offchain.stream_event where schema = $1", [unused]);
  expect(left).toEqual([]);
});

test("after upgrades the service stops cleanly", async () => {
  const left = service.descendants();
  service.kill("SIGTERM");
  expect(await service.exited).toBe(0);
  expect(await survivorsOf(left, 0)).toEqual([]);
});
