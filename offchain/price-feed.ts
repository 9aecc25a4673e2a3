import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { onConnection } from "./connection.ts";
import { priceFeed } from "./schema.ts";

/** A configured feed, and the on-chain schema into which its answers are indexed. */
export type FeedKey = { onchainSchema: string; chainId: number; configured: string[] };

/**
 * Returns the aggregators with which indexing of a feed began, or undefined if it has not begun. Throws the driver's
 * error.
 */
export async function findFeedAggregators(databaseUrl: string, key: FeedKey): Promise<string[] | undefined> {
  return await onDatabase(databaseUrl, async (database) => {
    const [row] = await database
      .select({ aggregators: priceFeed.aggregators })
      .from(priceFeed)
      .where(
        and(
          eq(priceFeed.onchainSchema, key.onchainSchema),
          eq(priceFeed.chainId, key.chainId),
          eq(priceFeed.configured, key.configured),
        ),
      );
    return row?.aggregators;
  });
}

/** Stores the aggregators with which indexing of a feed begins, replacing earlier ones. Throws the driver's error. */
export async function saveFeedAggregators(
  databaseUrl: string,
  key: FeedKey,
  aggregators: string[],
): Promise<void> {
  await onDatabase(databaseUrl, async (database) => {
    await database
      .insert(priceFeed)
      .values({ ...key, aggregators })
      .onConflictDoUpdate({
        target: [priceFeed.onchainSchema, priceFeed.chainId, priceFeed.configured],
        set: { aggregators },
      });
  });
}

async function onDatabase<Result>(
  databaseUrl: string,
  work: (database: ReturnType<typeof open>) => Promise<Result>,
): Promise<Result> {
  return await onConnection(databaseUrl, (client) => work(open(client)));
}

function open(client: pg.Client) {
  return drizzle(client, { casing: "snake_case" });
}
