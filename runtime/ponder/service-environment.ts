import path from "node:path";
import { childEnvironment } from "../../config/env.ts";
import type { ChosenFeeds } from "../price-feed/choose-feeds.ts";
import { feedVariable } from "../price-feed/resolve-feed.ts";

/** Ponder's environment: ours, with this port, database and schema. */
export function serviceEnvironment(options: {
  port: number;
  databaseUrl: string;
  databaseReadUrl: string | undefined;
  databaseSqlUrl: string | undefined;
  isSqlOn: boolean;
  schema: string;
  dataDir: string;
  moderationFile?: string | undefined;
  /** The contracts behind the configured price feeds, which replace them. */
  priceFeeds?: ChosenFeeds;
}) {
  const feeds = [...(options.priceFeeds ?? [])];
  return childEnvironment({
    ...Object.fromEntries(feeds.map(([id, addresses]) => [feedVariable({ id }), addresses.join(",")])),
    PORT: String(options.port),
    DATABASE_URL: options.databaseUrl,
    // Empty, not unset: Ponder reads unset variables from .env.local.
    DATABASE_READ_URL: options.databaseReadUrl ?? "",
    DATABASE_SQL_URL: options.databaseSqlUrl ?? "",
    SQL: options.isSqlOn ? "on" : "off",
    DATABASE_SCHEMA: options.schema,
    // Absolute, since its working directory may differ from ours.
    DATA_DIR: path.resolve(options.dataDir),
    MODERATION_FILE: options.moderationFile === undefined ? "" : path.resolve(options.moderationFile),
    // Empty, since Ponder prefers it to DATABASE_URL, and reads it from .env.local if it is not set.
    DATABASE_PRIVATE_URL: "",
  });
}
