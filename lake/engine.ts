import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { ignore } from "../config/async.ts";
import { reasonOf } from "../config/error-code.ts";
import { literal, statement } from "../offchain/connection.ts";
import { fileError, isDiskFull, StartError } from "../runtime/start-error.ts";
import { makeFolder } from "./store.ts";

/** This process's DuckDB, in a folder that is locked against other processes. */
export type Engine = {
  /** For unfinished files. It is emptied at the start. */
  workFolder: string;
  run: (text: string) => Promise<void>;
  rows: <Row>(text: string) => Promise<Row[]>;
  close: () => Promise<void>;
};

/** MB that DuckDB may use for rows before it spills to disk. Node, Postgres's driver and what DuckDB doesn't count take as much again. */
const memoryLimit = 350;

/**
 * Opens DuckDB. Its lock on its own file ends with the process, however that ends, and so shows whether another export is running.
 * Throws a StartError if one is, or if the folder can't be written.
 */
export async function openEngine(workFolder: string): Promise<Engine> {
  const scratch = path.join(workFolder, "scratch");
  const lock = path.join(workFolder, "lock.duckdb");
  let instance: DuckDBInstance;
  try {
    // The folder of the finished files is above it.
    await makeFolder(workFolder);
    instance = await DuckDBInstance.create(lock, {
      memory_limit: `${memoryLimit}MB`,
      threads: "2",
      temp_directory: path.join(scratch, "spilled"),
      preserve_insertion_order: "true",
      // No downloads unless asked for.
      autoinstall_known_extensions: "false",
    });
  } catch (error) {
    // It is this run's, and no DuckDB would open what there is of it.
    if (isDiskFull(error)) await rm(lock, { force: true }).catch(ignore);
    throw openError(error, workFolder);
  }
  // Removes what a killed run left unfinished.
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  const connection = await instance.connect();
  let running: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  // Statements run one at a time, and closing waits for the last: closing during a statement would wait forever.
  const next = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = running.then(() => {
      if (isClosed) throw new Error("DuckDB is closed");
      return work();
    });
    // The caller gets the error, and the next statement runs all the same.
    running = result.catch(ignore);
    return result;
  };
  return {
    workFolder: scratch,
    run: (text) => next(async () => void (await connection.run(text))),
    rows: <Row>(text: string) => next(async () => (await readRows(connection, text)) as Row[]),
    async close() {
      isClosed = true;
      connection.interrupt();
      await running;
      connection.closeSync();
      instance.closeSync();
      await rm(workFolder, { recursive: true, force: true });
    },
  };
}

async function readRows(connection: DuckDBConnection, text: string): Promise<unknown[]> {
  return (await connection.runAndReadAll(text)).getRowObjectsJS();
}

/** Lets DuckDB use S3, with the credentials of AWS's own settings. */
export async function prepareObjectStore(engine: Engine): Promise<void> {
  try {
    await engine.run("install httpfs; load httpfs; install aws; load aws");
    await engine.run("create secret (type s3, provider credential_chain)");
  } catch (error) {
    throw new StartError(
      `cannot use S3: DuckDB's extensions httpfs and aws, which it downloads, are needed: ${error}`,
      {
        cause: error,
      },
    );
  }
}

/** Returns SQL for DuckDB that writes rows to a Parquet file. */
export function writeParquet(select: string, file: string, metadata: Record<string, string>): string {
  const entries = Object.entries(metadata).map(([name, value]) => statement`${name}: ${literal(value)}`);
  return [
    `copy (${select}) to ${statement`${literal(file)}`}`,
    `(format parquet, compression zstd, row_group_size 122880, kv_metadata {${entries.join(", ")}})`,
  ].join(" ");
}

function openError(error: unknown, folder: string): StartError {
  const reason = reasonOf(error);
  if (reason.includes("Could not set lock")) {
    const holder = /PID (\d+)/.exec(reason)?.[1];
    return new StartError(
      `another export into this folder is running${holder === undefined ? "" : ` (process ${holder})`}: wait until it has ended, or stop it`,
      { code: "in-use", cause: error },
    );
  }
  if (reason.includes("not a valid DuckDB database file")) {
    return new StartError(
      `a run was cut off while it created ${folder}: remove that folder, and run this again`,
      {
        cause: error,
      },
    );
  }
  return fileError(error, folder, "name a folder");
}
