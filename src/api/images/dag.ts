import { createHash } from "node:crypto";
import { decode } from "@ipld/dag-pb";
import { CID } from "multiformats/cid";
import { createTickBudget } from "../concurrency/event-loop.ts";

export type Block = { cid: CID; bytes: Uint8Array };

/** A file as IPFS stores it: blocks, of which one is the root. */
export type Dag = { root: CID; blocks: Block[] };

/** Bytes of a leaf, and links of a node, as in `ipfs add --cid-version=1` (Kubo up to 0.39 and its later default). */
export const chunkSize = 262_144;
const maxLinks = 174;

/** In each tick of the event loop, one chunk is hashed, of all files together. */
const yieldWhenSpent = createTickBudget();

/**
 * Builds the UnixFS DAG of a file: CIDv1, sha2-256, raw leaves, chunks of 256 KiB in a balanced tree. A file of up to one chunk
 * is a single raw block (bafkrei...), a larger one has a dag-pb root (bafybei...).
 */
export async function buildDag(bytes: Uint8Array): Promise<Dag> {
  // Loaded on the first image.
  const [{ importBytes }, { fixedSize }, { balanced }] = await Promise.all([
    import("ipfs-unixfs-importer"),
    import("ipfs-unixfs-importer/chunker"),
    import("ipfs-unixfs-importer/layout"),
  ]);
  const splitIntoChunks = fixedSize({ chunkSize });
  async function* spreadChunks(source: Parameters<typeof splitIntoChunks>[0]) {
    for await (const chunk of splitIntoChunks(source)) {
      await yieldWhenSpent();
      yield chunk;
    }
  }
  // Keyed by CID, so that equal chunks become one block.
  const blocks = new Map<string, Block>();
  const store = {
    put(cid: CID, block: Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
      if (!(block instanceof Uint8Array)) throw new Error("the importer gave a block in pieces");
      blocks.set(cid.toString(), { cid, bytes: block });
      return cid;
    },
  };
  const { cid: root } = await importBytes(bytes, store, {
    cidVersion: 1,
    rawLeaves: true,
    reduceSingleLeafToSelf: true,
    chunker: spreadChunks,
    layout: balanced({ maxChildrenPerNode: maxLinks }),
  });
  return { root, blocks: [...blocks.values()] };
}

/** Whether the block's bytes match its CID. */
export function isIntact({ cid, bytes }: Block): boolean {
  return createHash("sha256").update(bytes).digest().equals(cid.multihash.digest);
}

/** Returns the children of a dag-pb node, in order. Throws if the block is not such a node. */
export function readLinks(block: Uint8Array): CID[] {
  return decode(block).Links.map(({ Hash }) => Hash);
}

/**
 * Parses the CID of an image: CIDv1, sha2-256, raw or dag-pb, in base32 and in its canonical spelling. Returns undefined for
 * any other text, so that the result is safe as a file name.
 */
export function parseImageCid(text: string): string | undefined {
  if (!/^baf(?:krei|ybei)[a-z2-7]{52}$/.test(text)) return undefined;
  try {
    // The last character has spare bits, so several spellings parse to the same CID.
    return CID.parse(text).toString() === text ? text : undefined;
  } catch {
    return undefined;
  }
}
