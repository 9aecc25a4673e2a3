import { parseCommandLine } from "../../runtime/command-line.ts";
import { StartError } from "../../runtime/start-error.ts";

export const usage = `Writes all final rows into ClickHouse, each exactly once, and follows the chain.

  npm run sink -- --to clickhouse://user:password@host:8123/database

  --to         the database; ?secure at the end uses TLS, and port 8443 if none is named
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
    throw new StartError("failed", "--snapshots and --once can't be combined: one run makes one copy");
  }
  return { to, snapshotHours: once ? 0 : toHours(snapshots ?? "24"), live, once };
}

function toHours(text: string): number {
  if (/^\d{1,5}(\.\d{1,6})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new StartError(
    "failed",
    `--snapshots is a number of hours, such as 24 or 0.5, not ${JSON.stringify(text)}`,
  );
}
