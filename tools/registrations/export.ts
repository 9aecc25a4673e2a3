// npm run registrations:export [-- file]: writes every registration as one line of JSON.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { inSnapshot } from "../../offchain/connection.ts";
import { exportLines } from "../../offchain/read-registrations.ts";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { fileError, isFileError, StartError } from "../../runtime/start-error.ts";
import { runTool } from "../run-tool.ts";
import { createUnfinished } from "../unfinished-file.ts";

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

const throwFileError = (file: string) => (error: unknown) => {
  throw fileError(error, file, "name a file");
};

// To stderr, since the export itself may go to stdout.
const log = (line: string) => console.error(line);

await runTool(async ({ signal, open }) => {
  const { positionals } = parseCommandLine(process.argv.slice(2), { options: {}, names: ["a file"] });
  const [file] = positionals;
  const pool = await open();
  // Written under a temporary name of its own first, so that the file is always complete.
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
        await rename(half.part, half.target);
      })(),
    ]);
  } catch (error) {
    if (half !== undefined) await rm(half.part, { force: true });
    throw isFileError(error) ? fileError(error, file ?? "the output", "name a file") : error;
  }
  log(`${count} registrations exported${file === undefined ? "" : ` to ${file}`}`);
  return 0;
}, log);
