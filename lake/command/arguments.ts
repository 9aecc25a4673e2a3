import { parseCommandLine } from "../../runtime/command-line.ts";
import { StartError } from "../../runtime/start-error.ts";
import { isObjectStore } from "../store/store.ts";
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
    throw new StartError(
      "failed",
      "--to is missing: the folder for the files, as in npm run lake -- --to lake",
    );
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(to) ?? [];
  // Anything else would become a folder of that name.
  if (scheme !== undefined && !isObjectStore(to))
    throw new StartError("failed", `--to is a folder, or s3://bucket/prefix, not ${scheme}`);
  if (verify && (follow || intraday || tables !== undefined)) {
    const other = follow ? "follow" : intraday ? "intraday" : "tables";
    throw new StartError("failed", `--${other} and --verify can't be combined`);
  }
  return { to, tables: readTables(tables), follow, intraday, verify };
}

function readTables(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set(folders);
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (!folders.includes(name))
      throw new StartError("failed", `--tables has ${name}: it takes ${folders.join(", ")}`);
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
