import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { CID } from "multiformats/cid";
import { parseImageCid } from "../cid.ts";
import { type Block, isIntact, linksOf } from "../dag.ts";
import type { ImageProvider } from "./provider.ts";

const RAW = 0x55;
const MAX_UNFINISHED_MS = 3_600_000;

/** The block store: a provider that can also be read. */
export type LocalStore = Omit<ImageProvider, "remove"> & {
  remove(cid: string): Promise<void>;
  /** The file, every block of it checked against its CID. Undefined where it is missing or broken. */
  read(cid: string): Promise<Buffer | undefined>;
  /** Removes what a crash has left unfinished. */
  tidy(): Promise<void>;
};

/**
 * Keeps the blocks of each image in a folder of its own, `blocks/<root CID>/<CID>`, in `folder`. A folder is
 * written elsewhere and then renamed, so that an image is there as a whole or not at all.
 */
export function createLocalStore(folder: string): LocalStore {
  const blocks = path.join(folder, "blocks");
  const unfinished = path.join(folder, "unfinished");

  const placeOf = (cid: string): string => {
    // Names come from clients in the end, so that nothing but a CID may be one.
    if (parseImageCid(cid) === undefined) throw new Error("not a CID of an image");
    return path.join(blocks, cid);
  };

  async function readBlock(root: string, cid: CID): Promise<Block> {
    const block = { cid, bytes: await readFile(path.join(placeOf(root), cid.toString())) };
    if (!isIntact(block)) throw new Error(`the block ${cid} of ${root} has changed on the disk`);
    return block;
  }

  return {
    name: "local",
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
        await rm(draft, { recursive: true, force: true });
        throw error;
      }
      return null;
    },

    async remove(cid) {
      try {
        await rm(placeOf(cid), { recursive: true, force: true });
      } catch (error) {
        // Where there is no folder there is no image.
        if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
      }
    },

    async read(cid) {
      try {
        const root = await readBlock(cid, CID.parse(cid));
        if (root.cid.code === RAW) return Buffer.from(root.bytes);
        const leaves: Uint8Array[] = [];
        for (const link of linksOf(root.bytes)) leaves.push((await readBlock(cid, link)).bytes);
        return Buffer.concat(leaves);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") console.error(error);
        return undefined;
      }
    },

    async tidy() {
      const names = await readdir(unfinished).catch(() => []);
      for (const name of names) {
        const draft = path.join(unfinished, name);
        const age = Date.now() - (await stat(draft).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
        if (age > MAX_UNFINISHED_MS) await rm(draft, { recursive: true, force: true });
      }
    },
  };
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
