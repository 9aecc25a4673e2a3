import path from "node:path";
import { partEnvironment } from "../config/env.ts";

/** The environment of Ponder as a part of the service: ours, on this port, database and schema. */
export function serviceEnvironment(options: {
  port: number;
  databaseUrl: string;
  schema: string;
  dataDir: string;
}) {
  return partEnvironment({
    PORT: String(options.port),
    DATABASE_URL: options.databaseUrl,
    DATABASE_SCHEMA: options.schema,
    // Its working folder may be another one than ours.
    DATA_DIR: path.resolve(options.dataDir),
    // Ponder prefers it to DATABASE_URL, and would read it from .env.local if it were not set.
    DATABASE_PRIVATE_URL: "",
  });
}
