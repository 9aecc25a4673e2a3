import { parseCommandLine } from "../../runtime/command-line.ts";
import { StartError } from "../../runtime/start-error.ts";
import { isObjectStore } from "../store.ts";
import { folders } from "../tables/tables.ts";

export type LakeArguments = {
  /** A folder, or s3://bucket/prefix. */
  to: string;
  /** Folders of the tables to export. */
  tables: ReadonlySet<string>;
  follow: boolean;
  /** Whether the current day's final rows are exported too. */
  intraday: boolean;
  verify: boolean;
};

export const usage = `Exports all final blocks as Parquet files, for any engine that reads them.

  npm run lake -- --to lake
  npm run lake -- --to lake --follow

  --to       the folder, or s3://bucket/prefix (untested)
  --tables   only these tables, such as trades,candles
  --follow   keeps running, and exports each day once it is complete and final
  --intraday exports the current day's final rows too, as further parts: once, or with --follow each hour
  --verify   exports nothing: compares every file with the manifest's counts and checksums
  --help

Without settings of a database, it reads that of npm start in DATA_DIR, else the local stack (npm run dev) there.`;

/** Parses the command line. Returns undefined if it asks for help. Throws a StartError. */
export function readArguments(args: string[]): LakeArguments | undefined {
  const { to, tables, follow, intraday, verify, help } = parse(args);
  if (help) return undefined;
  if (to === undefined || to === "")
    throw new StartError("--to is missing: the folder for the files, as in npm run lake -- --to lake");
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(to) ?? [];
  // Anything else would become a folder of that name.
  if (scheme !== undefined && !isObjectStore(to))
    throw new StartError(`--to is a folder, or s3://bucket/prefix, not ${scheme}`);
  if (verify && (follow || intraday || tables !== undefined)) {
    const other = follow ? "follow" : intraday ? "intraday" : "tables";
    throw new StartError(`--${other} and --verify can't be combined`);
  }
  return { to, tables: readTables(tables), follow, intraday, verify };
}

function readTables(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set(folders);
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (!folders.includes(name)) throw new StartError(`--tables has ${name}: it takes ${folders.join(", ")}`);
  }
  return new Set(names);
}

function parse(args: string[]) {
  return parseCommandLine(args, {
    options: {
      to: { type: "string" },
      tables: { type: "string" },
      follow: { type: "boolean", default: false },
      intraday: { type: "boolean", default: false },
      verify: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  }).values;
}

export const sinkUsage = `Writes all final rows into ClickHouse, each exactly once, and follows the chain.

  npm run sink -- --to clickhouse://user:password@host:8123/database

  --to         the database; ?secure at the end uses TLS, and port 8443 if none is named. The password may be in the variable
               CLICKHOUSE_PASSWORD instead, since others on the machine see what is on a command line
  --snapshots  hours between full copies of the tables whose rows change, such as holders: 24 by default
  --live       also keeps the rows of blocks that a reorg may take back, for the views trades_all and so on
  --once       ends when everything that is final is written
  --help

The tables are those of npm run lake, and are created in the database. A run goes on where the last one ended. Without settings of a
Postgres, it reads that of npm start in DATA_DIR, else the local stack (npm run dev) there.`;

type SinkArguments = {
  /** The address of a ClickHouse database, unchecked. */
  to: string;
  /** Hours between full copies; 0 with `once`, which makes one. */
  snapshotHours: number;
  live: boolean;
  once: boolean;
};

/** Parses the command line. Returns undefined if it asks for help. Throws a StartError. */
export function readSinkArguments(args: string[]): SinkArguments | undefined {
  const { to, snapshots, live, once, help } = parseCommandLine(args, {
    options: {
      to: { type: "string", default: "" },
      snapshots: { type: "string" },
      live: { type: "boolean", default: false },
      once: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  }).values;
  if (help) return undefined;
  if (once && snapshots !== undefined) {
    throw new StartError("--snapshots and --once can't be combined: one run makes one copy");
  }
  return { to, snapshotHours: once ? 0 : toHours(snapshots ?? "24"), live, once };
}

function toHours(text: string): number {
  if (/^\d{1,5}(\.\d{1,6})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new StartError(`--snapshots is a number of hours, such as 24 or 0.5, not ${JSON.stringify(text)}`);
}
