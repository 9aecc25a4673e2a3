import path from "node:path";
import { partEnvironment } from "../../config/env.ts";
import { feedVariable } from "../price-feed/ask-chain.ts";
import type { ChosenFeeds } from "../price-feed/choose-feeds.ts";

/** The environment of Ponder as a part of the service: ours, on this port, database and schema. */
export function serviceEnvironment(options: {
  port: number;
  databaseUrl: string;
  databaseReadUrl: string | undefined;
  schema: string;
  dataDir: string;
  /** In place of the feeds that are configured: the contracts behind them. */
  priceFeeds?: ChosenFeeds;
}) {
  const feeds = [...(options.priceFeeds ?? [])];
  return partEnvironment({
    ...Object.fromEntries(feeds.map(([id, addresses]) => [feedVariable({ id }), addresses.join(",")])),
    PORT: String(options.port),
    DATABASE_URL: options.databaseUrl,
    // Empty, not unset: Ponder would read what is unset from .env.local.
    DATABASE_READ_URL: options.databaseReadUrl ?? "",
    DATABASE_SCHEMA: options.schema,
    // Its working folder may be another one than ours.
    DATA_DIR: path.resolve(options.dataDir),
    // Ponder prefers it to DATABASE_URL, and would read it from .env.local if it were not set.
    DATABASE_PRIVATE_URL: "",
  });
}
