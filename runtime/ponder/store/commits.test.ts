import { randomBytes } from "node:crypto";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { statement } from "../../../offchain/connection.ts";
import { type CommitProxy, startCommitProxy } from "../../../test/doubles/commit-proxy.ts";
import { importFromPonder } from "../edits/edit-ponder.ts";
import { type CommitsOptions, openCommits } from "./commits.ts";

/* Ponder's own query builder, which repeats whatever fails, with a proxy between it and Postgres. */

const schema = `commits_${randomBytes(6).toString("hex")}`;
const move = "update _ponder_checkpoint set";
let admin: pg.Client;
let proxy: CommitProxy;
let pool: pg.Pool;
let qb: CommitsOptions["qb"];
let NonRetryableUserError: CommitsOptions["NonRetryableUserError"];

beforeAll(async () => {
  const url = new URL(inject("postgresUrl"));
  admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(statement`create schema ${schema}`);
  await admin.query(statement`set search_path to ${schema}`);
  await admin.query(
    "create table _ponder_checkpoint (chain_id int primary key, latest_checkpoint text); create table balance (amount int)",
  );
  proxy = await startCommitProxy(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  pool = new pg.Pool({ connectionString: url.href, options: `-c search_path=${schema}` });
  // The queries report it.
  const ignore = () => {};
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  const { createQB } = await importFromPonder("ponder", "dist/esm/database/queryBuilder.js");
  ({ NonRetryableUserError } = await importFromPonder("ponder", "dist/esm/internal/errors.js"));
  const common = {
    shutdown: { isKilled: false },
    logger: { trace: ignore, debug: ignore, warn: ignore },
    metrics: {
      ponder_database_method_duration: { observe: ignore },
      ponder_database_method_error_total: { inc: ignore },
    },
  };
  qb = createQB(drizzle(pool), { common, isAdmin: false });
});

beforeEach(async () => {
  await admin.query(
    "truncate _ponder_checkpoint, balance; insert into _ponder_checkpoint values (56, '1'), (97, '1'); insert into balance values (0)",
  );
});

afterAll(async () => {
  await pool?.end();
  await proxy?.stop();
  await admin?.query(statement`drop schema ${schema} cascade`);
  await admin?.end();
});

const open = (through = qb) =>
  openCommits({
    qb: through,
    schema,
    logger: { warn() {} },
    NonRetryableUserError,
  });

type Tx = CommitsOptions["qb"];

/** Adds 1 to the balance. `moves` is the statement that moves the checkpoint, if any. */
const add = (moves = `${move} latest_checkpoint = '1' where chain_id = 56`) => {
  let attempts = 0;
  return async (tx: Tx) => {
    attempts += 1;
    await tx.$client.query({ text: "update balance set amount = amount + 1" });
    if (moves !== "") await tx.$client.query({ text: moves });
    return `attempt ${attempts}`;
  };
};

const balance = async () => (await admin.query("select amount from balance")).rows[0].amount;

test("a commit whose answer is lost counts once, even if the checkpoint keeps its value", async () => {
  const commits = await open();
  for (const argument of [[], [{ label: "finalize" }]]) {
    const lost = proxy.loseCommitOf(move);
    expect(await commits.transaction(...argument, add())).toBe("attempt 1");
    await lost;
  }
  expect(await balance()).toBe(2);
  await commits.transaction(add());
  expect(await balance()).toBe(3);
});

test("so does one that moves no checkpoint, such as a reorg's", async () => {
  const commits = await open();
  const lost = proxy.loseCommitOf("update balance");
  expect(await commits.transaction(add(""))).toBe("attempt 1");
  await lost;
  expect(await balance()).toBe(1);
});

test("a transaction that is cut off before its COMMIT is repeated", async () => {
  const commits = await open();
  const cut = proxy.cutAt(move);
  expect(await commits.transaction(add())).toBe("attempt 2");
  await cut;
  expect(await balance()).toBe(1);
});

test("a process stops before it writes anything once another one has written", async () => {
  const [first, second] = [await open(), await open()];
  await first.transaction(add());
  await expect(second.transaction(add())).rejects.toThrow(
    `another process indexes into the schema "${schema}"`,
  );
  await first.transaction(add());
  expect(await balance()).toBe(2);
});

test("a process stops if another one has written after its own commit, whose answer was lost", async () => {
  const lost = proxy.loseCommitOf(move).then(() => admin.query(`${move} latest_checkpoint = '2'`));
  let attempts = 0;
  const transaction = (work: (tx: Tx) => unknown) =>
    qb.transaction(async (tx: Tx) => {
      attempts += 1;
      if (attempts === 2) await lost;
      return await work(tx);
    });
  const commits = await open(Object.assign(Object.create(qb), { transaction }));
  await expect(commits.transaction(add())).rejects.toThrow("another process indexes");
  expect([attempts, await balance()]).toEqual([2, 1]);
});
