import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { CID } from "multiformats/cid";
import { parseImageCid } from "../cid.ts";
import { linksOf } from "../dag.ts";
import { resizedWidths } from "../limits.ts";
import { resizedName } from "../resized-name.ts";
import { BrokenBlockError, blockSize, readBlock, syncFolder, writeDurably } from "./block-file.ts";
import type { ImageProvider } from "./provider.ts";

const RAW = 0x55;
const MAX_UNFINISHED_MS = 3_600_000;

/** A stored image, of which nothing is in memory yet. */
type StoredImage = {
  /** Bytes. */
  size: number;
  /**
   * Its bytes, block by block, each one checked against its CID before it comes. No file stays open in between.
   * Throws a BrokenBlockError, or what the disk fails with.
   */
  blocks(): AsyncGenerator<Uint8Array>;
};

/** The block store: a provider that can also be read. */
export type LocalStore = Omit<ImageProvider, "remove"> & {
  /** Where everything is. */
  readonly folder: string;
  /** For files that are not finished. Each has to have a name of its own. */
  readonly unfinished: string;
  /** For images made of those here, as `<CID>-<width>.webp`. They go with the image. */
  readonly resized: string;
  remove(cid: string): Promise<void>;
  /** Undefined where a block is missing or cannot be the right one by its size. Throws when the disk fails. */
  open(cid: string): Promise<StoredImage | undefined>;
  /** The whole file. Undefined where it is missing or broken. Throws when the disk fails. */
  read(cid: string): Promise<Buffer | undefined>;
  /** Whether every block is there and intact. Throws when the disk fails. */
  isWhole(cid: string): Promise<boolean>;
  /** Removes what a crash has left unfinished. */
  tidy(): Promise<void>;
};

/** What can't be removed now is removed by `tidy`. */
const leaveToTidy = () => {};

/**
 * Keeps the blocks of each image in a folder of its own, `blocks/<root CID>/<CID>`, in `folder`. A folder is
 * written elsewhere and then renamed, so that an image is there as a whole or not at all.
 */
export function createLocalStore(folder: string): LocalStore {
  const blocks = path.join(folder, "blocks");
  const unfinished = path.join(folder, "unfinished");
  const resized = path.join(folder, "resized");

  const placeOf = (cid: string): string => {
    // Names come from clients in the end, so that nothing but a CID may be one.
    if (parseImageCid(cid) === undefined) throw new Error("not a CID of an image");
    return path.join(blocks, cid);
  };

  async function openImage(name: string): Promise<StoredImage> {
    const place = placeOf(name);
    const root = CID.parse(name);
    const leaves = root.code === RAW ? [root] : linksOf((await readBlock(place, root)).bytes);
    let size = 0;
    for (const leaf of leaves) size += await blockSize(place, leaf);
    return {
      size,
      async *blocks() {
        for (const leaf of leaves) yield (await readBlock(place, leaf)).bytes;
      },
    };
  }

  async function* blocksOf(cid: string): AsyncGenerator<Uint8Array> {
    yield* (await openImage(cid)).blocks();
  }

  return {
    name: "local",
    folder,
    unfinished,
    resized,
    async add({ cid, dag }) {
      const place = placeOf(cid);
      const draft = path.join(unfinished, randomUUID());
      try {
        await mkdir(blocks, { recursive: true });
        await mkdir(draft, { recursive: true });
        for (const block of dag.blocks)
          await writeDurably(path.join(draft, block.cid.toString()), block.bytes);
        await syncFolder(draft);
        await rm(place, { recursive: true, force: true });
        await rename(draft, place);
        await syncFolder(blocks);
      } catch (error) {
        await rm(draft, { recursive: true, force: true }).catch(leaveToTidy);
        throw error;
      }
      return null;
    },

    async remove(cid) {
      try {
        await rm(placeOf(cid), { recursive: true, force: true });
        for (const width of resizedWidths)
          await rm(path.join(resized, resizedName(cid, width)), { force: true });
      } catch (error) {
        // Where there is no folder there is no image.
        if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
      }
    },

    open: (cid) => unlessBroken(openImage(cid)),

    async read(cid) {
      const collect = async () => {
        const leaves: Uint8Array[] = [];
        for await (const leaf of blocksOf(cid)) leaves.push(leaf);
        return Buffer.concat(leaves);
      };
      return await unlessBroken(collect());
    },

    async isWhole(cid) {
      const check = async () => {
        for await (const _ of blocksOf(cid));
        return true;
      };
      return (await unlessBroken(check())) ?? false;
    },

    async tidy() {
      const names = await readdir(unfinished).catch(() => []);
      for (const name of names) {
        const draft = path.join(unfinished, name);
        const age = Date.now() - (await lstat(draft).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
        if (age > MAX_UNFINISHED_MS) await rm(draft, { recursive: true, force: true });
      }
    },
  };
}

/** Undefined in place of a BrokenBlockError, which goes to the log where something else lies in the block's place. */
async function unlessBroken<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof BrokenBlockError)) throw error;
    if (error.cause === undefined) console.error(error.message);
    return undefined;
  }
}
