import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import path from "node:path";
import type { CID } from "multiformats/cid";
import { codeOf } from "../../../../config/error-code.ts";
import { type Block, chunkSize, isIntact } from "../dag.ts";

/** Thrown if the file of a block is missing, or holds something else. */
export class BrokenBlockError extends Error {
  override name = "BrokenBlockError";
}

/** Returns the size of a block's file. Throws a BrokenBlockError if that can't be the block. */
export async function blockSize(folder: string, cid: CID): Promise<number> {
  const file = path.join(folder, cid.toString());
  const { size } = await lstat(file)
    .then((stats) => (stats.isFile() ? stats : { size: Number.POSITIVE_INFINITY }))
    .catch((cause) => {
      throw asBroken(file, cause);
    });
  if (size > chunkSize) throw new BrokenBlockError(`${file} is no block`);
  return size;
}

/** Reads a block and verifies it against its CID. Throws a BrokenBlockError, or the error of the disk. */
export async function readBlock(folder: string, cid: CID): Promise<Block> {
  // Checked before the file is opened, since opening a FIFO would block forever.
  const bytes = new Uint8Array(await blockSize(folder, cid));
  const file = path.join(folder, cid.toString());
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause) => {
    throw asBroken(file, cause);
  });
  try {
    await handle.read(bytes);
  } finally {
    await handle.close();
  }
  const block = { cid, bytes };
  if (!isIntact(block)) throw new BrokenBlockError(`${file} has changed on the disk`);
  return block;
}

/** Writes a new file and waits until it is on the disk. */
export async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** For the error of a file or folder that may be missing. */
export function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}

/** Returns a BrokenBlockError if the file is missing, and any other error as it is. */
function asBroken(file: string, cause: unknown): unknown {
  const code = codeOf(cause);
  const isMissing = code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP";
  return isMissing ? new BrokenBlockError(`${file} is missing`, { cause }) : cause;
}
