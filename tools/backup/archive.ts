import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { extract } from "tar-stream";
import { z } from "zod";
import { ignore } from "../../config/async.ts";
import { parseJson } from "../../config/parse.ts";
import { knownNumbers } from "../../offchain/alert-backup.ts";

/*
 * A backup is one tar file:
 *
 *     backup.json          the format, when the backup was started, and the highest numbers of events that clients may know
 *     images/<CID>         the bytes of each image. The CID is their checksum
 *     images.jsonl         the database row of each image, in the same order
 *     registrations.jsonl  registrations and hidden tokens, as npm run registrations:export writes them
 *     subscriptions.jsonl  subscriptions to webhooks, which backups of earlier versions lack
 *     SHA256SUMS           the checksums of the other files, as sha256sum writes them, and of the list of images
 */

export const format = 1;
export const names = {
  head: "backup.json",
  images: "images.jsonl",
  registrations: "registrations.jsonl",
  subscriptions: "subscriptions.jsonl",
  sums: "SHA256SUMS",
} as const;

export const imagesFolder = "images/";
/** The entry of SHA256SUMS for the list of the CIDs in `images/`, one per line. Not the name of a file. */
export const imagesList = "images/*";

const maxTextBytes = 10_000;
const head = z.object({ format: z.number(), createdAt: z.string(), numbers: knownNumbers.optional() });

/** A file in a backup. Its bytes can be read until the next file is requested. */
export type ArchivedFile = { name: string; size: number; bytes: () => AsyncIterable<Buffer> };

/** Says what is wrong with a backup. The message continues a sentence that begins with the backup's file name. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** Iterates over the files of a backup in order. Throws a BackupError if it is not a tar file or is truncated. */
export async function* readArchive(file: string): AsyncGenerator<ArchivedFile> {
  const entries = extract();
  const input = createReadStream(file);
  input.on("error", (error) => entries.destroy(error));
  input.pipe(entries);
  try {
    for await (const entry of withBackupErrors(entries)) {
      const { name, size = 0 } = entry.header;
      yield { name, size, bytes: () => withBackupErrors(entry as AsyncIterable<Buffer>) };
      // Skips what the caller has not read.
      entry.resume();
    }
  } finally {
    input.destroy();
  }
}

/** Turns errors in the tar format into BackupErrors. Errors of the file system are thrown unchanged. */
async function* withBackupErrors<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: NodeJS.ErrnoException) => {
        if (error.code !== undefined) throw error;
        throw new BackupError(`is not a backup, or is truncated: ${error.message}`);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // The stream has already failed and reported its error.
    await iterator.return?.().catch(ignore);
  }
}

/** Reads a small file completely. */
export async function readText({ name, size, bytes }: ArchivedFile): Promise<string> {
  if (size > maxTextBytes) throw new BackupError(`${name} has ${size} bytes, which is too much`);
  return (await buffer(bytes())).toString("utf8");
}

/** Throws a BackupError if the backup has another format, or the text is damaged. */
export function parseHead(text: string): z.infer<typeof head> {
  const { data } = head.safeParse(parseJson(text));
  if (data === undefined) throw new BackupError(`is damaged: ${names.head} names no format`);
  if (data.format === format) return data;
  throw new BackupError(`has the format ${data.format}, and this version reads ${format}`);
}

export const sha256 = () => createHash("sha256");

/** Formats checksums by name as lines of SHA256SUMS. */
export const formatSums = (sums: Map<string, string>) =>
  [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join("");

export function parseSums(text: string): Map<string, string> {
  return new Map(
    text
      .trim()
      .split("\n")
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  );
}

/** Creates a file to write lines to. Only its owner can read it. */
export async function createLineFile(file: string) {
  const output = createWriteStream(file, { mode: 0o600 });
  await once(output, "open");
  // A full disk shows after the write that it concerns. Whoever writes next gets it; without a listener it would end the process.
  output.on("error", ignore);
  const throwFailure = () => {
    if (output.errored !== null) throw output.errored;
  };
  let count = 0;
  return {
    /** Writes a line, which includes its line break. Throws the error of this write, or of an earlier one. */
    async write(line: string): Promise<void> {
      throwFailure();
      count++;
      if (!output.write(line)) await once(output, "drain");
    },
    /** Closes the file. Resolves to the number of lines. */
    async end(): Promise<number> {
      throwFailure();
      output.end();
      await finished(output);
      return count;
    },
  };
}
