import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { CID } from "multiformats/cid";
import { ignore } from "../../../../config/async.ts";
import { codeOf } from "../../../../config/error-code.ts";
import { flush } from "../../../../config/flush.ts";
import { parseImageCid, rawCode, readLinks } from "../dag.ts";
import { logImageFailure } from "../image-error.ts";
import { resizedWidths } from "../limits.ts";
import { resizedName } from "../resized-images.ts";
import { BrokenBlockError, blockSize, readBlock, unlessMissing, writeDurably } from "./block-file.ts";
import type { ProvidedImage } from "./provider.ts";

const MAX_UNFINISHED_MS = 3_600_000;

/** A stored image that has not been loaded yet. */
type StoredImage = {
  /** Bytes. */
  size: number;
  /**
   * Reads the bytes block by block, each verified against its CID before it is yielded. No file stays open in between. Throws a
   * BrokenBlockError, or the error of the disk.
   */
  blocks(): AsyncGenerator<Uint8Array>;
};

/** The local block store: a provider that can also be read. */
export type LocalStore = ReturnType<typeof createLocalStore>;

/**
 * Stores the blocks of each image in a folder per image, `blocks/<root CID>/<CID>`, below `folder`. An image's folder is written
 * elsewhere and then renamed, so that an image is never there in part.
 */
export function createLocalStore(folder: string) {
  const blocks = path.join(folder, "blocks");
  const unfinished = path.join(folder, "unfinished");
  const resized = path.join(folder, "resized");

  const folderFor = (cid: string): string => {
    // The name ultimately comes from a client, so it must be nothing but a CID.
    if (parseImageCid(cid) === undefined) throw new Error("not a CID of an image");
    return path.join(blocks, cid);
  };

  async function openImage(name: string): Promise<StoredImage> {
    const place = folderFor(name);
    const root = CID.parse(name);
    const leaves = root.code === rawCode ? [root] : readLinks((await readBlock(place, root)).bytes);
    let size = 0;
    for (const leaf of leaves) size += await blockSize(place, leaf);
    return {
      size,
      async *blocks() {
        for (const leaf of leaves) yield (await readBlock(place, leaf)).bytes;
      },
    };
  }

  async function* readBlocks(cid: string): AsyncGenerator<Uint8Array> {
    yield* (await openImage(cid)).blocks();
  }

  /** Removes the image, and leaves what it was resized to. */
  const removeBlocks = (cid: string) => rm(folderFor(cid), { recursive: true, force: true });

  return {
    name: "local" as const,
    /** The root folder. */
    folder,
    /** The folder for unfinished files. Each must have a unique name. */
    unfinished,
    /** The folder for resized images, as `<CID>-<width>.webp`. They are removed with the image. */
    resized,
    async add({ cid, dag }: ProvidedImage): Promise<null> {
      const place = folderFor(cid);
      const draft = path.join(unfinished, randomUUID());
      try {
        await mkdir(blocks, { recursive: true });
        await mkdir(draft, { recursive: true });
        for (const block of dag.blocks)
          await writeDurably(path.join(draft, block.cid.toString()), block.bytes);
        await flush(draft);
        await rm(place, { recursive: true, force: true });
        await rename(draft, place);
        await flush(blocks);
      } catch (error) {
        // What can't be removed now will be removed by `tidy`.
        await rm(draft, { recursive: true, force: true }).catch(ignore);
        throw error;
      }
      return null;
    },

    removeBlocks,

    /** Lists the images of which there are blocks, with when they were stored, or resized ones (undefined). Throws if the disk fails. */
    async list(): Promise<{ cid: string; storedAt: number | undefined }[]> {
      const sizes = new Map<string, number | undefined>();
      for (const name of (await readdir(resized).catch(unlessMissing)) ?? []) {
        const cid = parseImageCid(name.split("-")[0] ?? "");
        if (cid !== undefined) sizes.set(cid, undefined);
      }
      for (const name of (await readdir(blocks).catch(unlessMissing)) ?? []) {
        const cid = parseImageCid(name);
        // Another process may have removed it.
        const folder = await lstat(path.join(blocks, name)).catch(unlessMissing);
        if (cid !== undefined && folder !== undefined) sizes.set(cid, folder.mtimeMs);
      }
      return [...sizes].map(([cid, storedAt]) => ({ cid, storedAt }));
    },

    async remove(cid: string): Promise<void> {
      try {
        await removeBlocks(cid);
        for (const width of resizedWidths)
          await rm(path.join(resized, resizedName(cid, width)), { force: true });
      } catch (error) {
        // Without a folder there is no image to remove.
        if (codeOf(error) !== "ENOTDIR") throw error;
      }
    },

    /** Returns undefined if a block is missing or has the wrong size. Throws if the disk fails. */
    open: (cid: string) => unlessBroken(openImage(cid)),

    /** Reads the whole file. Returns undefined if it is missing or broken. Throws if the disk fails. */
    async read(cid: string): Promise<Buffer | undefined> {
      const collect = async () => {
        const leaves: Uint8Array[] = [];
        for await (const leaf of readBlocks(cid)) leaves.push(leaf);
        return Buffer.concat(leaves);
      };
      return await unlessBroken(collect());
    },

    /** Whether every block is there and intact. Throws if the disk fails. */
    async isComplete(cid: string): Promise<boolean> {
      const check = async () => {
        for await (const _ of readBlocks(cid));
        return true;
      };
      return (await unlessBroken(check())) ?? false;
    },

    /** Removes unfinished files that a crash has left. */
    async tidy(): Promise<void> {
      const names = await readdir(unfinished).catch(() => []);
      for (const name of names) {
        const draft = path.join(unfinished, name);
        const age = Date.now() - (await lstat(draft).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
        if (age > MAX_UNFINISHED_MS) await rm(draft, { recursive: true, force: true });
      }
    },
  };
}

/** Resolves to undefined instead of throwing a BrokenBlockError. One that has no cause, meaning a corrupt file, is logged. */
async function unlessBroken<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof BrokenBlockError)) throw error;
    if (error.cause === undefined) logImageFailure(error.message);
    return undefined;
  }
}
