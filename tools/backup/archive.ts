import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { extract } from "tar-stream";
import { z } from "zod";

/*
 * A backup is one tar file:
 *
 *     backup.json          the format and when the backup was begun
 *     images/<CID>         the bytes of each image. The CID is their checksum
 *     images.jsonl         what is known of each of these images, in the same order
 *     registrations.jsonl  registrations and hidden tokens, as npm run registrations:export writes them
 *     SHA256SUMS           the checksums of the other files, as sha256sum writes them, and of the list of images
 */

export const format = 1;
export const names = {
  head: "backup.json",
  images: "images.jsonl",
  registrations: "registrations.jsonl",
  sums: "SHA256SUMS",
} as const;

export const imagesFolder = "images/";
/** The line of SHA256SUMS for the CIDs in `images/`, one a line. Not the name of a file. */
export const imagesList = "images/*";

const mostSumsBytes = 10_000;
const head = z.object({ format: z.number(), createdAt: z.string() });

/** A file of a backup. Its bytes can be read until the next one is asked for. */
export type ArchivedFile = { name: string; size: number; bytes: () => AsyncIterable<Buffer> };

/** What is wrong with a backup. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** The files of a backup, in their order. Throws a BackupError if it is no tar file, or one that was cut off. */
export async function* filesOf(file: string): AsyncGenerator<ArchivedFile> {
  const entries = extract();
  const input = createReadStream(file);
  input.on("error", (error) => entries.destroy(error));
  input.pipe(entries);
  try {
    for await (const entry of orBackupError(entries)) {
      const { name, size = 0 } = entry.header;
      yield { name, size, bytes: () => orBackupError(entry as AsyncIterable<Buffer>) };
      // Passes over what nobody has read.
      entry.resume();
    }
  } finally {
    input.destroy();
  }
}

/** Throws a BackupError where the tar file is wrong, and what the disk fails with as it is. */
async function* orBackupError<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: NodeJS.ErrnoException) => {
        if (error.code !== undefined) throw error;
        throw new BackupError(`is no backup, or was cut off: ${error.message}`);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.().catch(hasFailedBefore);
  }
}

/** A small file, whole. */
export async function readText({ name, size, bytes }: ArchivedFile): Promise<string> {
  if (size > mostSumsBytes) throw new BackupError(`${name} has ${size} bytes, which is too much`);
  const parts: Buffer[] = [];
  for await (const part of bytes()) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** Throws a BackupError if a backup is not of this format. */
export function checkHead(text: string): void {
  const { data } = head.safeParse(JSON.parse(text));
  if (data?.format === format) return;
  throw new BackupError(`has the format ${data?.format}, and this version reads ${format}`);
}

export const sha256 = () => createHash("sha256");

/** Checksums by name, as lines of SHA256SUMS. */
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

/** Of a stream that has failed there is nothing left to end. */
const hasFailedBefore = () => {};
