import { createHash } from "node:crypto";
import { importBytes } from "ipfs-unixfs-importer";
import { fixedSize } from "ipfs-unixfs-importer/chunker";
import { balanced } from "ipfs-unixfs-importer/layout";
import { CID } from "multiformats/cid";
import { BoundedReader } from "./protobuf.ts";

export type Block = { cid: CID; bytes: Uint8Array };

/** A file as IPFS has it: the blocks, of which one is the root. */
export type Dag = { root: CID; blocks: Block[] };

/** Bytes of a leaf, and links of a node: what `ipfs add --cid-version=1` does (Kubo up to 0.39 and its later default). */
export const chunkSize = 262_144;
const maxLinks = 174;

/**
 * The UnixFS DAG of a file: CIDv1, sha2-256, raw leaves, chunks of 256 KiB in a balanced tree. A file of up to
 * one chunk is a single raw block (bafkrei...), a larger one has a dag-pb root (bafybei...).
 */
export async function buildDag(bytes: Uint8Array): Promise<Dag> {
  // Equal chunks are one block.
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
    chunker: fixedSize({ chunkSize }),
    layout: balanced({ maxChildrenPerNode: maxLinks }),
  });
  return { root, blocks: [...blocks.values()] };
}

/** Whether the block's bytes are the ones that its CID names. */
export function isIntact({ cid, bytes }: Block): boolean {
  return createHash("sha256").update(bytes).digest().equals(cid.multihash.digest);
}

/**
 * The children of a dag-pb node, in order. Format: https://ipld.io/specs/codecs/dag-pb/spec/ (PBNode.Links is
 * field 2, PBLink.Hash field 1). Throws a RangeError where it is broken.
 */
export function linksOf(block: Uint8Array): CID[] {
  const links: CID[] = [];
  for (const [field, link] of new BoundedReader(block).fields()) {
    if (field !== 2) continue;
    for (const [linkField, hash] of new BoundedReader(link).fields())
      if (linkField === 1) links.push(CID.decode(hash));
  }
  return links;
}
