import pg from "pg";
import { numberToHex } from "viem";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../test/service/database.ts";
import { explainingDatabase, nodesOf } from "../../test/service/query-plan.ts";
import {
  addressOf,
  create,
  createSimulatedChain,
  graduate,
  sources,
  transfer,
} from "../live/fixtures/simulated-chain.ts";
import { eventTopics } from "../sources/events.ts";
import { storeEvents } from "./store-window.ts";
import { readChildren, readStoredLogs, restoreChildList } from "./stored-events.ts";
import { createCreationsIndex } from "./window-counts.ts";

test("tokens and pairs are found by an index, however many other logs are stored", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const pool = new pg.Pool({ connectionString: database.url });
  onTestFinished(() => pool.end());
  const [token, pair] = [addressOf(100), addressOf(300)];
  const { mine } = createSimulatedChain();
  const transfers = Array.from({ length: 2_000 }, () => [transfer(token)]);
  const block = mine(mine(undefined), [create(token), ...transfers, graduate(token, pair)]);
  const timestamps = new Map([[1, 1_700_000_000]]);
  await storeEvents(pool, { chainId: sources.chainId, logs: block.logs, timestamps });
  await createCreationsIndex(pool);
  await createCreationsIndex(pool);
  await pool.query("analyze ponder_sync.logs");

  expect(await readChildren(pool, sources)).toEqual([
    { type: "token", address: token, block: 1 },
    { type: "pair", address: pair, token, block: 1 },
  ]);
  const created = { address: sources.tokenFactory, topic: eventTopics.tokenCreated, from: 0, to: 9 };
  expect(await readStoredLogs(pool, sources.chainId, created)).toMatchObject([
    { address: sources.tokenFactory, blockNumber: numberToHex(1), logIndex: block.logs[0]?.logIndex },
  ]);
  const { client, plans } = explainingDatabase(pool);
  await readChildren(client, sources);
  await readStoredLogs(client, sources.chainId, created);
  for (const plan of plans) {
    const indexes = nodesOf(plan).flatMap((node) => node["Index Name"] ?? []);
    expect(new Set(indexes)).toEqual(new Set(["logs_of_creations"]));
    expect(nodesOf(plan).map((node) => node["Node Type"])).not.toContain("Seq Scan");
  }
});

test("what restoring Ponder's list reads grows with the number of tokens, and not with its square", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const pool = new pg.Pool({ connectionString: database.url });
  onTestFinished(() => pool.end());
  const { chainId, tokenFactory } = sources;
  await pool.query("insert into ponder_sync.factories (factory) values ($1)", [
    { type: "log", address: [tokenFactory], eventSelector: eventTopics.tokenCreated, chainId },
  ]);
  let pages = 0;
  const measuring = {
    async query(text: string, values: unknown[]) {
      const { rows } = await pool.query(`explain (analyze, buffers, format json) ${text}`, values);
      const { Plan: plan } = rows[0]["QUERY PLAN"][0];
      pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
      return { rows };
    },
  } as unknown as pg.Pool;

  async function pagesFor(tokens: number): Promise<number> {
    const children = Array.from({ length: tokens }, (_, index) => ({
      type: "token" as const,
      address: addressOf(1_000 + index),
      block: 1,
    }));
    pages = 0;
    await restoreChildList(measuring, sources, children, 1);
    const { rows } = await pool.query("select count(*)::int from ponder_sync.factory_addresses");
    expect(rows).toEqual([{ count: tokens }]);
    return pages;
  }
  const few = await pagesFor(1_000);
  await pool.query("truncate ponder_sync.factory_addresses");
  expect(await pagesFor(4_000)).toBeLessThan(6 * few);
});
