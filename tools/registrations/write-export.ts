import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import type pg from "pg";
import { inSnapshot } from "../../offchain/connection.ts";
import { exportLines } from "../../offchain/read-registrations.ts";
import { fileError, isFileError, StartError } from "../../runtime/start-error.ts";
import { createUnfinished, putInPlace } from "../unfinished-file.ts";

type ExportOptions = {
  pool: pg.Pool;
  /** Undefined: to stdout. */
  file: string | undefined;
  signal: AbortSignal;
};

const throwFileError = (file: string) => (error: unknown) => {
  throw fileError(error, file, "name a file");
};

/**
 * Writes every registration as a line of JSON, and resolves to their number. A file is written under a temporary name of its own first, so
 * that it is always complete, and is on disk afterwards.
 */
export async function writeExport({ pool, file, signal }: ExportOptions): Promise<number> {
  const half = file === undefined ? undefined : await createUnfinished(file).catch(throwFileError(file));
  const output = half === undefined ? process.stdout : createWriteStream(half.part, { mode: 0o600 });
  let count = 0;
  const failed = once(output, "error").then(([error]) => {
    throw error;
  });
  try {
    await Promise.race([
      failed,
      (async () => {
        await inSnapshot(pool, async (client) => {
          for await (const line of exportLines(client)) {
            signal.throwIfAborted();
            if (!output.write(line)) await once(output, "drain");
            count++;
          }
        });
        if (half === undefined || file === undefined) return;
        output.end();
        await finished(output);
        if (count === 0) await assertEmpty(file);
        await putInPlace(half);
      })(),
    ]);
  } catch (error) {
    if (half !== undefined) await rm(half.part, { force: true });
    throw isFileError(error) ? fileError(error, file ?? "the output", "name a file") : error;
  }
  return count;
}

/** Throws a StartError if an empty export would replace a file with content, since this may be the wrong database. */
async function assertEmpty(file: string): Promise<void> {
  const size = await stat(file).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size === 0) return;
  throw new StartError(
    `this database has no registrations, and ${file} is not empty: it stays as it is. Check DATABASE_URL and DATA_DIR, or name another file`,
  );
}
