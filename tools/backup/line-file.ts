import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";

/** Creates a file to write lines to. Only its owner can read it. */
export async function createLineFile(file: string) {
  const output = createWriteStream(file, { mode: 0o600 });
  await once(output, "open");
  let count = 0;
  return {
    /** Writes a line, which includes its line break. */
    async write(line: string): Promise<void> {
      count++;
      if (!output.write(line)) await once(output, "drain");
    },
    /** Closes the file. Resolves to the number of lines. */
    async end(): Promise<number> {
      output.end();
      await finished(output);
      return count;
    },
  };
}

export const readLines = (input: Readable): AsyncIterable<string> =>
  createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
