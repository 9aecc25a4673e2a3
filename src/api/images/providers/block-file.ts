import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import path from "node:path";
import type { CID } from "multiformats/cid";
import { type Block, chunkSize, isIntact } from "../dag.ts";

/** The file of a block is missing, or holds something else. */
export class BrokenBlockError extends Error {
  override name = "BrokenBlockError";
}

/** Bytes of the block's file. Throws a BrokenBlockError where it can't be the block. */
export async function blockSize(folder: string, cid: CID): Promise<number> {
  const file = path.join(folder, cid.toString());
  const { size } = await lstat(file)
    .then((found) => (found.isFile() ? found : { size: Number.POSITIVE_INFINITY }))
    .catch((cause) => {
      throw asBroken(file, cause);
    });
  if (size > chunkSize) throw new BrokenBlockError(`${file} is no block`);
  return size;
}

/** Reads a block and checks it against its CID. Throws a BrokenBlockError, or what the disk fails with. */
export async function readBlock(folder: string, cid: CID): Promise<Block> {
  // Also before it is opened: opening a FIFO would wait for ever.
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

/** Waits until the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** What the disk failed with, as a BrokenBlockError where the file is missing. */
function asBroken(file: string, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  const isMissing = code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP";
  return isMissing ? new BrokenBlockError(`${file} is missing`, { cause }) : cause;
}
