import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import fc from "fast-check";
import { importer } from "ipfs-unixfs-importer";
import { fixedSize } from "ipfs-unixfs-importer/chunker";
import { CID } from "multiformats/cid";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/fuzz/any-character.ts";
import { buildDag, isIntact, parseImageCid, readLinks } from "./dag.ts";

describe("known vectors", () => {
  test.each([
    // https://specs.ipfs.tech/ipips/ipip-0499/#test-fixtures, and Kubo's own tests (shortStringCidV1)
    ["hello world", "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e"],
    // ipfs/kubo, test/sharness/t0114-gateway-subdomains/README.md: echo hello | ipfs add --cid-version 1
    ["hello\n", "bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am"],
    // ipfs/kubo, test/sharness/t0124-gateway-ipns-record/README.md: echo "Hello IPFS" | ipfs add --cid-version 1
    ["Hello IPFS\n", "bafkreidfdrlkeq4m4xnxuyx6iae76fdm4wgl5d4xzsb77ixhyqwumhz244"],
  ])("%j is one raw block", async (text, cid) => {
    const dag = await buildDag(Buffer.from(text));
    expect([dag.root.toString(), dag.blocks.length]).toEqual([cid, 1]);
  });

  test("a file of four chunks has the same DAG as in Kubo", async () => {
    const file = Buffer.alloc(1 << 20, "x");
    const { root, blocks } = await buildDag(file);
    expect(root.toString()).toBe("bafybeihoskmhhavvvpccjhfeuturxhtr2c3sde4bt4tnhy2yz2ih6vlyie");
    expect(blocks).toHaveLength(2);

    // Kubo 0.30 gives this CID to a folder with that file in it, as big.bin: aleph-im/aleph-rs,
    // crates/aleph-cid/tests/folder_hash.rs (GOLDEN_SINGLE_FILE_MULTI_CHUNK_V1). The folder has the file's CID.
    const results = importer(
      [{ path: "folder/big.bin", content: file }],
      { put: (cid) => cid },
      { cidVersion: 1, rawLeaves: true, chunker: fixedSize({ chunkSize: 262_144 }) },
    );
    const byPath = new Map<string | undefined, string>();
    for await (const { path, cid } of results) byPath.set(path, cid.toString());
    expect(byPath.get("folder")).toBe("bafybeiconxawjaqtqwur53yryub7awouqco4rlqqfbv6jypyfzeewmhrbe");
    expect(byPath.get("folder/big.bin")).toBe(root.toString());
  });
});

test("any file can be read back from its blocks, and its CID follows the specifications", async () => {
  const sizes = fc.oneof(
    fc.integer({ min: 1, max: 400 }),
    fc.constantFrom(262_143, 262_144, 262_145, 524_288, 5_242_880),
  );
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 0, max: 255 }), async (size, seed) => {
      const file = Buffer.alloc(size);
      for (let index = 0; index < size; index++) file[index] = index * 31 + (index >> 8) + seed;
      const { root, blocks } = await buildDag(file);
      expect(blocks.every(isIntact)).toBe(true);
      const byCid = new Map(blocks.map(({ cid, bytes }) => [cid.toString(), bytes]));
      const node = byCid.get(root.toString()) ?? new Uint8Array();
      const leaves = root.code === 0x55 ? [root] : readLinks(node);
      const joined = Buffer.concat(leaves.map((cid) => byCid.get(cid.toString()) ?? new Uint8Array()));
      expect(joined.equals(file)).toBe(true);
      expect(root.toString()).toBe(cidByHand(file));
      expect(parseImageCid(root.toString())).toBe(root.toString());
    }),
    { numRuns: 25 },
  );
});

test("the first image loads no modules, for which all requests would wait", async () => {
  const script = `
    import { registerHooks } from "node:module";
    import { buildDag } from ${JSON.stringify(new URL("dag.ts", import.meta.url).href)};
    const loaded = [];
    registerHooks({
      load(url, context, next) {
        loaded.push(url);
        return next(url, context);
      },
    });
    await buildDag(Buffer.alloc(600_000));
    console.log(JSON.stringify(loaded));`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(JSON.parse((await run).stdout)).toEqual([]);
});

test("only the CID of an image is parsed", async () => {
  const { root } = await buildDag(Buffer.from("hello world"));
  const cid = root.toString();
  const others = [
    "",
    "..",
    "../../etc/passwd",
    `${cid}/`,
    `${cid}\0`,
    `${cid}\n`,
    cid.toUpperCase(),
    cid.slice(0, -1),
    `${cid.slice(0, -1)}f`,
    "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG",
    "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi?x",
    "bafyreihdb57fdysx5h35urvxz64ros7zvywshber7id6t6c6fek37jgyfe",
    CID.createV1(0x55, CID.parse(cid).multihash).toString().replace("bafk", "zafk"),
  ];
  for (const text of others) expect(parseImageCid(text)).toBeUndefined();
  expect(parseImageCid(cid)).toBe(cid);
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 80 }),
      (text) => parseImageCid(text) === undefined,
    ),
  );
});

/** The CID of a file of up to 174 chunks, from the formats alone: dag-pb, UnixFS 1, CIDv1. */
function cidByHand(file: Buffer): string {
  const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
  const cid = (codec: number, bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([1, codec, 0x12, 32]), sha256(bytes)]);
  const number = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) | 128, ...number(Math.floor(value / 128))];
  const field = (tag: number, bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([tag, ...number(bytes.length)]), bytes]);
  const chunks: Buffer[] = [];
  for (let at = 0; at < file.length; at += 262_144) chunks.push(file.subarray(at, at + 262_144));
  if (chunks.length === 1) return CID.decode(cid(0x55, file)).toString();
  const links = chunks.map((chunk) =>
    // Hash, an empty name, the size of what hangs below.
    field(
      0x12,
      Buffer.concat([field(0x0a, cid(0x55, chunk)), Buffer.from([0x12, 0, 0x18, ...number(chunk.length)])]),
    ),
  );
  // A file (2), its size, the size of each chunk.
  const unixfs = Buffer.from([
    8,
    2,
    0x18,
    ...number(file.length),
    ...chunks.flatMap((chunk) => [0x20, ...number(chunk.length)]),
  ]);
  return CID.decode(cid(0x70, Buffer.concat([...links, field(0x0a, unixfs)]))).toString();
}
