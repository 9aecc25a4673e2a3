import { once } from "node:events";
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { freePort } from "../../runtime/checks/host.ts";
import { applyEdit } from "../../runtime/ponder/edits/edit.ts";
import { ponderEdits } from "../../runtime/ponder/edits/edit-ponder.ts";
import { withoutVite } from "../../runtime/ponder/edits/start.ts";
import { rowsVersion } from "../../runtime/ponder/rows-version.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

// Undocumented behaviour of Ponder that src/api/ponder/ and runtime/ponder/ rely on: docs/decisions/0003-ponder-pinned.md.
const updateAdvice =
  "Ponder has changed: read docs/decisions/0003-ponder-pinned.md, then bring the two folders up to date";

const ponderFolder = path.dirname(findPackageJSON("ponder", import.meta.url) ?? "");
const installed = (file: string) => readFileSync(path.join(ponderFolder, "..", file), "utf8");
const source = (file: string) => installed(`ponder/dist/esm/${file}`);

let chain: SharedService["chain"];
let service: SharedService["service"];

beforeAll(async () => {
  ({ chain, service } = await sharedService());
  await chain.create(chain.traders[0], "First", "ONE");
  await service.indexer.untilIndexed(56, await chain.head());
});
test("the installed version is the one that all of this was verified with", () => {
  const { version } = JSON.parse(readFileSync(path.join(ponderFolder, "package.json"), "utf8"));
  expect(version, updateAdvice).toBe("0.17.7");
});

test.each([
  ["build/index.js", "globalThis.PONDER_COMMON"],
  ["build/index.js", "globalThis.PONDER_DATABASE"],
  ["internal/options.js", "command: cliOptions.command"],
  ["internal/options.js", "factoryAddressCountThreshold"],
  ["internal/options.js", "syncEventsQuerySize"],
  ["database/index.js", "}, common.options.databaseHeartbeatInterval);"],
  ["database/index.js", 'adminQB.transaction({ label: "migrate" }, async (tx) => {'],
  ["database/index.js", "of schemaBuild.statements.indexes.json"],
  ["utils/port.js", "http.createServer();"],
  ["bin/commands/start.js", "            runMultichain(app);"],
  ["server/index.js", "apiShutdown"],
  ["server/index.js", "createServer: http.createServer"],
  ["bin/commands/dev.js", "common.shutdown = createShutdown();"],
  ["bin/commands/dev.js", "buildShutdown: createShutdown(),"],
  ["bin/commands/start.js", "buildShutdown: shutdown,"],
  ["bin/commands/serve.js", "buildShutdown: shutdown,"],
  ["bin/utils/exit.js", "common.buildShutdown.kill()"],
  ["database/queryBuilder.js", "if (common.shutdown.isKilled"],
  ["build/index.js", 'viteNodeServer.fetchModule(id, "ssr")'],
  ["build/index.js", "await viteNodeRunner.executeFile(file)"],
  ["build/index.js", 'await viteNodeRunner.executeId("ponder:registry")'],
  ["build/plugin.js", 'if (id === "ponder:schema")'],
  ["bin/utils/codegen.js", 'writeFileSync(path.join(common.options.rootDir, "ponder-env.d.ts")'],
])("%s has %s", (file, text) => {
  expect(source(file), updateAdvice).toContain(text);
});

const allEdits = [...ponderEdits, ...withoutVite];

test.each([...new Set(allEdits.map(({ file }) => file))])("%s contains the code that we replace", (file) => {
  const edits = allEdits.filter((edit) => edit.file === file);
  expect(() => edits.reduce(applyEdit, installed(file))).not.toThrow();
});

test("at most 20 pieces of its code are replaced", () => {
  expect(allEdits.length).toBeLessThanOrEqual(20);
});

test("the metrics sample the event loop's delay by a function that we replace", () => {
  expect(installed("prom-client/lib/metrics/eventLoopLag.js")).toContain(
    "perf_hooks.monitorEventLoopDelay({",
  );
});

test("Ponder moves to another port when its own is taken, and our service then exits", async () => {
  // Not a port chosen by the system: the next one, which Ponder then takes, might belong to some connection.
  const port = await freePort();
  const taken = createServer((socket) => socket.destroy()).listen(port);
  await once(taken, "listening");
  const wrongPort = new RegExp(
    `ended with code 1:[^]*port ${port} \\(API\\) was taken by another process just now`,
  );
  await expect(service.startReplica({ port }), updateAdvice).rejects.toThrow(wrongPort);
  await new Promise((resolve) => taken.close(resolve));
});

test("the checkpoint table has a row per chain, made of time, chain and block", async () => {
  const [row] = await service.database.query<Record<string, string>>(
    "select * from onchain._ponder_checkpoint",
  );
  expect(Object.keys(row ?? {}), updateAdvice).toEqual(
    expect.arrayContaining(["chain_id", "latest_checkpoint", "safe_checkpoint", "finalized_checkpoint"]),
  );
  const latest = row?.latest_checkpoint ?? "";
  expect(latest, updateAdvice).toMatch(/^\d{75}$/);
  const { number, timestamp } = await chain.publicClient.getBlock();
  expect(Number(latest.slice(0, 10)), updateAdvice).toBe(Number(timestamp));
  expect(Number(latest.slice(10, 26)), updateAdvice).toBe(56);
  expect(Number(latest.slice(26, 42)), updateAdvice).toBe(Number(number));
});

test("the metadata says when the backfill is done, whether the schema is locked, which start this is, and which version began it", async () => {
  const [row] = await service.database.query<{ value: Record<string, unknown> }>(
    "select value from onchain._ponder_meta where key = 'app'",
  );
  const ours = { started: expect.any(String), rows_version: rowsVersion };
  expect(row?.value, updateAdvice).toMatchObject({ is_ready: 1, is_locked: 1, ...ours });
});

test("each table has a reorg table with the rows that a reorg may restore", async () => {
  const [row] = await service.database.query(
    "select to_regclass('onchain._reorg__token') is not null as exists",
  );
  expect(row, updateAdvice).toEqual({ exists: true });
});

test("the reorg table has each change of a block once, with the block's checkpoint", async () => {
  const reorgRows = await service.database.query<{ rows: string; times: string; isKnown: boolean }>(
    `select count(*) as rows, count(*) / count(distinct (checkpoint, address)) as times,
       bool_and(checkpoint <= (select latest_checkpoint from onchain._ponder_checkpoint)) as "isKnown"
     from onchain._reorg__token`,
  );
  expect(reorgRows, updateAdvice).toEqual([
    { rows: expect.stringMatching(/^[1-9]/), times: "1", isKnown: true },
  ]);
});

test("each change is recorded with its operation (0 for an insert), in the order of the changes", async () => {
  const [row] = await service.database.query<Record<string, unknown>>(
    `select operation, operation_id is not null as ordered from onchain._reorg__token
     order by operation_id desc limit 1`,
  );
  expect(row, updateAdvice).toEqual({ operation: 0, ordered: true });
});

test("triggers run once for each statement", async () => {
  const rows = await service.database.query(
    `select distinct tgname as name from pg_trigger
     where tgrelid::regclass::text like 'onchain.%' and not tgisinternal and tgtype & 1 = 0 order by 1`,
  );
  expect(rows, updateAdvice).toEqual(
    ["live_query_notify", "reorg", "reorg_delete", "reorg_update"].map((name) => ({ name })),
  );
});

test("a trigger on the checkpoint table sends a notification for every block", async () => {
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select tgrelid::regclass::text as on from pg_trigger where tgname = 'live_query_notify'",
    );
    expect(rows, updateAdvice).toEqual([{ on: "onchain._ponder_checkpoint" }]);
    const notified = new Promise<string>((resolve) =>
      client.on("notification", ({ channel }) => resolve(channel)),
    );
    await client.query("listen onchain_live_query");
    await chain.create(chain.traders[0], "Second", "TWO");
    expect(await notified, updateAdvice).toBe("onchain_live_query");
  } finally {
    await client.end();
  }
});
