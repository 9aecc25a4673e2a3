import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FileCheck } from "./store.ts";

/** Computes a file's SHA-256 and length. */
export async function checksum(file: string): Promise<FileCheck> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest("hex"), bytes };
}
