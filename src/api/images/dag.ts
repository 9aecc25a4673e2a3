import { createHash } from "node:crypto";
import { createLink, createNode, decode, encode } from "@ipld/dag-pb";
import { CID } from "multiformats/cid";
import { create as createDigest } from "multiformats/hashes/digest";
import { createTickBudget } from "../concurrency/event-loop.ts";

export type Block = { cid: CID; bytes: Uint8Array };

/** A file as IPFS stores it: blocks, of which one is the root. */
export type Dag = { root: CID; blocks: Block[] };

/** Bytes of a leaf, and links of a node, as in `ipfs add --cid-version=1` (Kubo up to 0.39 and its later default). */
export const chunkSize = 262_144;
const maxLinks = 174;

/* Codes of multicodec. */
export const rawCode = 0x55;
const dagPbCode = 0x70;
const sha256Code = 0x12;

/** In each tick of the event loop, one chunk is hashed, of all files together. */
const yieldWhenSpent = createTickBudget();

/**
 * Builds the UnixFS DAG of a file: CIDv1, sha2-256, raw leaves, chunks of 256 KiB. A file of up to one chunk is a single raw block
 * (bafkrei...), a larger one has a dag-pb root (bafybei...). Its links fit one node, since an image has 5 MB at most.
 */
export async function buildDag(bytes: Uint8Array): Promise<Dag> {
  if (bytes.length > maxLinks * chunkSize) throw new Error("Invariant(IPFS): the file needs a tree of nodes");
  const leaves: Block[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += chunkSize) {
    await yieldWhenSpent();
    leaves.push(toBlock(rawCode, bytes.subarray(at, at + chunkSize)));
  }
  const [first, ...others] = leaves as [Block, ...Block[]];
  const root = others.length === 0 ? first : toBlock(dagPbCode, encodeRoot(leaves));
  // Keyed by CID, so that equal chunks become one block.
  const blocks = new Map([...leaves, root].map((block) => [block.cid.toString(), block]));
  return { root: root.cid, blocks: [...blocks.values()] };
}

function toBlock(code: number, bytes: Uint8Array): Block {
  return { cid: CID.createV1(code, createDigest(sha256Code, sha256(bytes))), bytes };
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

function encodeRoot(leaves: Block[]): Uint8Array {
  const sizes = leaves.map(({ bytes }) => bytes.length);
  const links = leaves.map(({ cid, bytes }) => createLink("", bytes.length, cid));
  return encode(createNode(unixFsFile(sizes), links));
}

/** The UnixFS message of a file in chunks of these sizes, in Protobuf: its type (field 1), its size (3) and those of the chunks (4). */
function unixFsFile(sizes: number[]): Uint8Array {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const fields = [[1, 2], [3, total], ...sizes.map((size) => [4, size])];
  return Uint8Array.from(fields.flatMap(([field = 0, value = 0]) => [8 * field, ...varint(value)]));
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];

/** Whether the block's bytes match its CID. */
export function isIntact({ cid, bytes }: Block): boolean {
  return sha256(bytes).equals(cid.multihash.digest);
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
