import http from "node:http";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startTcpGate, type TcpGate } from "../doubles/tcp-gate.ts";
import { until } from "../service/condition.ts";
import { createDatabase, type TestDatabase } from "../service/database.ts";
import { commandOf, descendantsOf, type Program, runProgram, survivorsOf } from "../service/program.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* An upgrade while its database, or the new version, goes away or hangs. */

const script = (name: string) => path.join(projectDir, "runtime", name);

let chain: LaunchpadChain;
let database: TestDatabase;
let gate: TcpGate;
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let service: Program;
let url: string;
let token: `0x${string}`;

beforeAll(async () => {
  [chain, database, place] = await Promise.all([startLaunchpadChain(), createDatabase(), temporaryFolder()]);
  const { hostname, port } = new URL(database.url);
  gate = await startTcpGate(hostname, Number(port));
  env = {
    PORT: String(await freePort()),
    HOST: "127.0.0.1",
    DATABASE_URL: Object.assign(new URL(database.url), { host: `127.0.0.1:${gate.port}` }).href,
    DATA_DIR: place.folder,
    RATE_LIMIT: "off",
    SELF_CHECK_SECONDS: "0",
    PONDER_RPC_URL_56: chain.rpcUrl,
    POLLING_INTERVAL_56: "100",
    TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
    LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
    START_BLOCK_56: String(chain.deployment.startBlock),
  };
  url = `http://127.0.0.1:${env.PORT}`;
  service = runProgram(script("start.ts"), { env });
  await untilReady();
  token = await chain.create(chain.traders[0]);
});

afterAll(async () => {
  const left = service?.descendants() ?? [];
  service?.kill("SIGTERM");
  await service?.exited;
  expect(await survivorsOf(left, 30_000)).toEqual([]);
  await gate?.stop();
  await database?.drop();
  await chain?.stop();
  await place?.remove();
});

const upgrade = () => runProgram(script("upgrade.ts"), { env });
const untilReady = () =>
  until("the service to be ready", async () => (await fetch(`${url}/ready`).catch(() => undefined))?.ok);
const liveSchemas = async () =>
  (await database.query("select schema from offchain.live_schema order by id")).map(({ schema }) => schema);

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(database.url);
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Resolves once a new trade is indexed, and told of in the live schema's journal. */
async function expectFollowing(): Promise<void> {
  await untilReady();
  const { transactionHash } = await chain.buy(chain.traders[1], token, 10n ** 12n);
  const schema = (await liveSchemas()).at(-1);
  await until("the trade in the journal", async () => {
    const rows = await database.query(
      "select from offchain.stream_event where schema = $1 and kind = 'trade' and data::text like $2",
      [schema, `%${transactionHash}%`],
    );
    return rows.length > 0;
  });
}

const acceptsConnections = () =>
  new Promise<boolean>((resolve) => {
    const request = http.get(`${url}/health`, { agent: false, timeout: 500 }, () => resolve(true));
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", () => resolve(false));
  });

/** Lets an upgrade switch the schema, and stops the new version's API before it takes the socket. Returns the new version's pid. */
async function stopInSwitch(): Promise<number> {
  const running = (await liveSchemas()).at(-1);
  const holder = await connect();
  await holder.query("begin; lock table offchain.live_schema in share mode");
  await until("the switch to wait", async () => {
    const { rows } = await holder.query(
      "select from pg_locks where relation = 'offchain.live_schema'::regclass and not granted",
    );
    return rows.length > 0;
  });
  const find = (pid: number, text: string) =>
    descendantsOf(pid).find((found) => commandOf(found).includes(text)) ?? -1;
  const next = find(service.pid, "runtime/start.ts");
  process.kill(find(next, "ponder.js"), "SIGSTOP");
  await holder.query("commit");
  await holder.end();
  await until("the switch", async () => (await liveSchemas()).at(-1) !== running);
  await until("the socket to be handed over", async () => !(await acceptsConnections()));
  return next;
}

test("a new version that hangs in the switch is given up, and the running one goes on", async () => {
  const command = upgrade();
  process.kill(await stopInSwitch(), "SIGSTOP");
  expect(await command.exited).toBe(1);
  expect(command.output()).toMatch(
    /not upgraded: the new version (did not switch within|has given no sign of life for) 60 s/,
  );
  expect(await liveSchemas()).toEqual(["onchain"]);
  await expectFollowing();
});

test("if the database goes away in the switch, and the new version with it, the running one goes on once it is back", async () => {
  const command = upgrade();
  const next = await stopInSwitch();
  // In this order, its API is still there, with a copy of the socket, when the running version's is restarted.
  process.kill(next, "SIGKILL");
  gate.close();
  await service.untilOutput("the switch is undone as soon as the database allows it");
  expect(await liveSchemas()).toEqual(["onchain", "onchain_2"]);
  gate.open();
  expect(await command.exited).toBe(1);
  expect(command.output()).toContain("not upgraded: the new version was killed by the signal SIGKILL");
  expect(await liveSchemas()).toEqual(["onchain"]);
  await expectFollowing();
});

test("where an upgrade to another version has begun the schema, the command says what to do", async () => {
  const meta =
    "update onchain_2._ponder_meta set value = jsonb_set(value, '{build_id}', to_jsonb(%)) where key = 'app'";
  await database.query(meta.replace("%", "'other ' || (value ->> 'build_id')"));
  const command = upgrade();
  expect(await command.exited).toBe(1);
  expect(command.output()).toContain("drop it (npm run schemas -- drop onchain_2) and upgrade again");
  await database.query(meta.replace("%", "replace(value ->> 'build_id', 'other ', '')"));
});

test("a new version that waits says what for, and outlasts a database that goes away meanwhile", async () => {
  // It needs this table of an earlier attempt before its API answers.
  const holder = await connect();
  await holder.query("begin; lock table onchain_2._ponder_checkpoint in share mode");
  const command = upgrade();
  await command.untilOutput("the running one serves. It waits: its API doesn't answer");
  gate.close();
  await command.untilOutput("It waits: the database doesn't answer");
  gate.open();
  await holder.end();
  expect(await command.exited, command.output()).toBe(0);
  expect(await liveSchemas()).toEqual(["onchain", "onchain_2"]);
  await expectFollowing();
});

test("an upgrade outlasts a database that goes away while the journal is copied", async () => {
  const holder = await connect();
  await holder.query("begin; lock table offchain.stream_event in share mode");
  const command = upgrade();
  await command.untilOutput("copying the stream's journal");
  gate.close();
  await command.untilOutput("the database went away during the copy");
  await holder.end();
  gate.open();
  expect(await command.exited, command.output()).toBe(0);
  await expectFollowing();
});

test.each([
  {
    stage: "while the new version starts",
    reach: (command: Program) => command.untilOutput("Connected to database"),
  },
  {
    stage: "while the new version copies the journal",
    reach: (command: Program) => command.untilOutput("copying the stream's journal"),
  },
  { stage: "in the switch", reach: stopInSwitch },
])(
  "after the parent is killed $stage, nothing is left, a start goes on, and so does the next upgrade",
  async ({ reach }) => {
    const command = upgrade();
    await reach(command);
    const started = service.descendants();
    process.kill(service.pid, "SIGKILL");
    expect(await command.exited).toBe(1);
    expect(await survivorsOf(started, 30_000)).toEqual([]);
    service = runProgram(script("start.ts"), { env });
    await expectFollowing();
    const again = upgrade();
    expect(await again.exited, again.output()).toBe(0);
    await expectFollowing();
  },
);
