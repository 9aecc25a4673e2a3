import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { createPublicClient, http } from "viem";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { createSchemaLock } from "../../runtime/ponder/schema-lock.ts";
import { query as queryDatabase } from "../../runtime/process/fixtures/query.ts";
import { isLong, onlyInLongRun, sized } from "../run/long-run.ts";
import { until } from "../service/condition.ts";
import { query } from "../service/graphql.ts";
import { copyPostgresHome } from "../service/postgres-home.ts";
import { commandOf, type Program, runCommand, runProgram, survivorsOf } from "../service/program.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* `npm run dev` as a newcomer runs it: the real script, in its own process. */

const script = path.join(projectDir, "local/dev.ts");

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let stack: Program;
let api: string;

beforeEach(async () => {
  place = await temporaryFolder();
  const port = await freePort();
  api = `http://127.0.0.1:${port}`;
  env = {
    PORT: String(port),
    LOCAL_CHAIN_PORT: String(await freePort()),
    DATA_DIR: path.join(place.folder, "data of the test"),
  };
});

afterEach(async () => {
  const left = stack.descendants();
  stack.kill("SIGKILL");
  await survivorsOf(left, 30_000);
  await place.remove();
});

async function start(run = () => runProgram(script, { env })): Promise<void> {
  stack = run();
  await stack.untilOutput("The launchpad is live", 400_000);
}

type Counts = { tokens: { totalCount: number }; trades: { totalCount: number } };
const counts = () => query<Counts>(api, "{ tokens { totalCount } trades { totalCount } }");

onlyInLongRun(() => {
  test("without a market, a crashed part is named and stops the others; the next start makes a new chain", {
    timeout: 900_000,
  }, async () => {
    const withoutMarket = { ...env, LOCAL_MARKET: "off" };
    await start(() => runProgram(script, { env: withoutMarket }));
    expect(await counts()).toEqual({ tokens: { totalCount: 0 }, trades: { totalCount: 0 } });
    await expectNamedCrash();

    // The chain was lost with its node before it was saved to disk. The disk has no room for pictures.
    await start(() => runProgram(script, { env: { ...env, IMAGES_MIN_FREE_DISK_MB: "1000000000" } }));
    const { tokens, trades } = await counts();
    expect(tokens.totalCount).toBeGreaterThanOrEqual(40);
    expect(trades.totalCount).toBeGreaterThanOrEqual(3_000);
    type Listed = { tokens: { imageUrl: string | null }[] };
    const listed = async () => ((await (await fetch(`${api}/api/tokens?limit=100`)).json()) as Listed).tokens;
    await expect.poll(async () => (await listed()).length).toBeGreaterThan(30);
    expect((await listed()).filter(({ imageUrl }) => imageUrl !== null)).toEqual([]);
  });
});

const firstStart = sized({
  usual: "the first start serves",
  long: "the first start makes a live market",
});

test(`${firstStart}; Ctrl-C stops everything; the next start continues`, {
  timeout: 900_000,
}, async () => {
  // Making a week of trading takes most of a first start, and making a cluster much of the rest.
  env.LOCAL_MARKET = sized({ usual: "off", long: "on" });
  if (!isLong) await copyPostgresHome(path.join(env.DATA_DIR as string, "local/postgres"));
  await start();
  await expectSchemaToBeLocked();
  // Alerts are on: a token is missing.
  expect((await fetch(`${api}/api/alerts`)).status).toBe(400);
  expect(stack.outputAfter("GraphQL")).toMatch(/\/graphql$/);
  const { tokens, trades } = await counts();
  if (isLong) await expectLiveMarket();
  else expect([tokens.totalCount, trades.totalCount]).toEqual([0, 0]);

  // Saved only after five minutes, so the second one would take the chain for incomplete.
  const chainFolder = path.join(env.DATA_DIR as string, "local/chain");
  const deployment = await readFile(path.join(chainFolder, "deployment.json"), "utf8");
  const ports = { PORT: String(await freePort()), LOCAL_CHAIN_PORT: String(await freePort()) };
  const second = runProgram(script, { env: { ...env, ...ports } });
  expect(await second.exited).not.toBe(0);
  expect(second.output()).toContain(`another instance of this service (pid ${stack.pid}) uses the data`);
  expect(second.output()).not.toContain("to start over");
  expect(await readFile(path.join(chainFolder, "deployment.json"), "utf8")).toBe(deployment);
  expect(await readdir(chainFolder)).not.toContain("state.json");

  if (isLong) {
    const verify = runProgram(path.join(projectDir, "verify/verify.ts"), { env });
    expect(await verify.exited).toBe(0);
    expect(verify.output()).toMatch(/: \d{3,} balances and \d{2,} tokens .* compared: no difference/);

    const lake = path.join(place.folder, "lake");
    const exported = runProgram(path.join(projectDir, "lake/command/lake.ts"), { env, args: ["--to", lake] });
    expect(await exported.exited, exported.output()).toBe(0);
    const { files } = JSON.parse(await readFile(path.join(lake, "manifest.json"), "utf8")) as {
      files: { table: string; rows: number }[];
    };
    expect(files.filter(({ table, rows }) => table === "trades" && rows > 0).length).toBeGreaterThan(4);
  }

  const client = createPublicClient({
    transport: http(stack.outputAfter("RPC").split(" ")[0]),
    cacheTime: 0,
  });
  expect(await client.getChainId()).toBe(56);
  const [, factory] = stack.outputAfter("Contracts").split(/\s+/);
  expect(await client.getCode({ address: factory as `0x${string}` })).toBeDefined();
  const { number: blockNumber, hash } = await client.getBlock();

  const reader = await expectSqlToSurviveItsReaders();
  const pids = stack.descendants();
  stack.kill("SIGINT");
  expect(await stack.exited).toBe(0);
  expect(await survivorsOf(pids, 0)).toEqual([]);

  stack = runCommand("npm", ["run", "dev"], { cwd: projectDir, env });
  const block = await until("the chain", async () => client.getBlock({ blockNumber }).catch(() => undefined));
  expect(block.hash).toBe(hash);
  // The start restores what people have changed about their login.
  await until("the login and its limits", async () => {
    const [limits] = await queryDatabase(reader, limitsOfPeople).catch(() => []);
    return limits?.timeout === "1min" && limits.reads === "on";
  });
  if (isLong) {
    await stack.untilOutput("The launchpad is live", 400_000);
    expect((await counts()).trades.totalCount).toBeGreaterThan(trades.totalCount);
  }
  expect(stack.output()).not.toContain("Making");

  // A service manager signals only npm's process.
  const all = stack.descendants();
  stack.kill("SIGTERM");
  await stack.exited;
  expect(await survivorsOf(all, 30_000)).toEqual([]);
});

/** Expects a week of trading with answers of the price feed and registrations, which goes on. */
async function expectLiveMarket(): Promise<void> {
  const { tokens, trades } = await counts();
  expect(tokens.totalCount).toBeGreaterThanOrEqual(40);
  expect(trades.totalCount).toBeGreaterThanOrEqual(3_000);

  type Newest = {
    tokens: { items: { createdAt: string; curve: object; trades: object; holders: object }[] };
    trades: { items: { timestamp: string }[] };
  };
  const newest = await query<Newest>(
    api,
    `{ tokens(orderBy: "createdAt", orderDirection: "desc", limit: 5) {
         items {
           createdAt curve { progress }
           trades(orderBy: "timestamp", orderDirection: "desc", limit: 3) { items { side bnbAmountWei } }
           holders(orderBy: "balanceRaw", orderDirection: "desc", limit: 3) { items { account balanceRaw } }
         }
       }
       trades(orderBy: "timestamp", limit: 1) { items { timestamp } } }`,
  );
  expect(newest.tokens.items).toHaveLength(5);
  const oldest = Number(newest.trades.items[0]?.timestamp);
  expect((Date.now() / 1_000 - oldest) / 86_400).toBeGreaterThan(6.5);

  // The price feed had answers from the start.
  type Priced = {
    trades: { items: { bnbUsdX8: string | null; launchpadVolumeToDateUsdX18: string }[] };
    candles: { items: { closeUsdX36: string | null }[] };
    bnbUsdAnswers: { totalCount: number };
    launchpad: { bnbUsdX8: string };
  };
  const priced = await query<Priced>(
    api,
    `{ trades(orderBy: "timestamp", limit: 1000) { items { bnbUsdX8 launchpadVolumeToDateUsdX18 } }
       candles(where: { interval: "1h" }, limit: 1000) { items { closeUsdX36 } }
       bnbUsdAnswers { totalCount }
       launchpad(chainId: 56) { bnbUsdX8 } }`,
  );
  const rates = priced.trades.items.map(({ bnbUsdX8 }) => Number(bnbUsdX8) / 1e8);
  expect(new Set(rates).size).toBeGreaterThan(10);
  for (const rate of [...rates, Number(priced.launchpad.bnbUsdX8) / 1e8]) {
    expect(rate).toBeGreaterThanOrEqual(400);
    expect(rate).toBeLessThanOrEqual(900);
  }
  expect(
    priced.trades.items.every(({ launchpadVolumeToDateUsdX18 }) => launchpadVolumeToDateUsdX18 !== "0"),
  ).toBe(true);
  expect(priced.candles.items.every(({ closeUsdX36 }) => Number(closeUsdX36) > 0)).toBe(true);
  expect(priced.bnbUsdAnswers.totalCount).toBeGreaterThan(100);

  // Most tokens are registered through the API, some with a signature; some are not registered at all.
  const list = (await (await fetch(`${api}/api/tokens?limit=100`)).json()) as {
    total: number;
    tokens: { name: string; verified: boolean; description: string }[];
  };
  expect(list.total).toBeGreaterThan(tokens.totalCount / 2);
  expect(list.total).toBeLessThan(tokens.totalCount);
  expect(list.tokens.some(({ verified }) => verified)).toBe(true);
  // A sentence in Chinese has few characters.
  expect(list.tokens.every(({ description }) => description.length > 8)).toBe(true);
  expect(list.tokens.some(({ name }) => /\p{Script=Han}/u.test(name))).toBe(true);

  // The simulated market keeps producing trades and price feed answers on its own.
  await until("live trades", async () => (await counts()).trades.totalCount > trades.totalCount + 3);
  await until("a live answer", async () => {
    const { bnbUsdAnswers } = await query<Priced>(api, "{ bnbUsdAnswers { totalCount } }");
    return bnbUsdAnswers.totalCount > priced.bnbUsdAnswers.totalCount;
  });
}

async function expectNamedCrash(): Promise<void> {
  const pids = stack.descendants();
  const anvil = pids.find((pid) => commandOf(pid).includes("anvil"));
  if (anvil === undefined) throw new Error("no anvil");
  process.kill(anvil, "SIGKILL");
  expect(await stack.exited).toBe(1);
  expect(stack.output()).toContain(
    "local chain (anvil) ended unexpectedly (signal SIGKILL): stopping the rest",
  );
  expect(await survivorsOf(pids, 0)).toEqual([]);
}

/** The reader's URL, and the owner's password from the file that is printed next to it. */
async function printedLogins(): Promise<{ reader: string; password: string }> {
  const [reader = ""] = stack.outputAfter("Postgres").split(" ");
  const file = stack.outputAfter("its owner").split("password in ")[1] ?? "";
  return { reader, password: (await readFile(file, "utf8")).trim() };
}

/** `npm start` on the local stack's schema would drop its tables, so the stack holds the lock that every start takes first. */
async function expectSchemaToBeLocked(): Promise<void> {
  const { reader, password } = await printedLogins();
  const lock = createSchemaLock({
    url: Object.assign(new URL(reader), { username: "launchpad", password }).href,
    schema: "onchain_dev",
    signal: new AbortController().signal,
    onLost() {},
  });
  await expect(lock.acquire()).rejects.toThrow("another process indexes into the schema onchain_dev");
}

test.each(sized<string[]>({ usual: ["PORT"], long: ["PORT", "LOCAL_CHAIN_PORT"] }))(
  "a %s that is already in use is reported in one clear line",
  async (variable) => {
    const { createServer } = await import("node:http");
    const server = createServer().listen(Number(env[variable]), "127.0.0.1");
    stack = runProgram(script, { env });
    expect(await stack.exited).toBe(1);
    server.close();
    expect(stack.messages().trim()).toMatch(
      new RegExp(
        `^port ${env[variable]} \\(.+\\) is taken by another process: set ${variable} to a free one or stop it$`,
      ),
    );
  },
);

onlyInLongRun(() => {
  test("the API and the local chain must not share a port", async () => {
    stack = runProgram(script, { env: { ...env, PORT: "9000", LOCAL_CHAIN_PORT: "9000" } });
    expect(await stack.exited).toBe(1);
    expect(stack.messages().trim()).toBe("LOCAL_CHAIN_PORT is wrong: it must differ from PORT");
  });

  test("an invalid variable is named before anything starts", async () => {
    stack = runProgram(script, { env: { ...env, LOCAL_MARKET: "maybe", PORT: "0" } });
    expect(await stack.exited).toBe(1);
    expect(stack.messages().trim().split("\n")).toEqual([
      "PORT is wrong: it must be a whole number from 1 to 65535",
      "LOCAL_MARKET is wrong: it must be on or off",
      expect.stringContaining("not started"),
    ]);
  });
});

const limitsOfPeople =
  "select current_setting('statement_timeout') as timeout, current_setting('default_transaction_read_only') as reads";

/** Changes all that people may about the role that they log in with. Resolves to their URL. */
async function expectSqlToSurviveItsReaders(): Promise<string> {
  const { reader, password } = await printedLogins();
  expect(reader).toMatch(/^postgres:\/\/launchpad_reader:/);
  expect(stack.output()).not.toContain(password);
  await queryDatabase(
    reader,
    `set default_transaction_read_only = off; set transaction read write;
     alter role launchpad_reader reset all; alter role launchpad_reader set statement_timeout = 1;
     alter role launchpad_reader in database launchpad set default_transaction_read_only = off;
     alter role launchpad_reader password 'theirs'`,
  );
  await expect(queryDatabase(reader, "select")).rejects.toMatchObject({ code: "28P01" });
  const answer = await fetch(`${api}/sql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sql: "select current_user, count(*) > 0 from chains" }),
  });
  expect([answer.status, ((await answer.json()) as { rows: unknown }).rows]).toEqual([
    200,
    [["launchpad_sql", true]],
  ]);
  return reader;
}
