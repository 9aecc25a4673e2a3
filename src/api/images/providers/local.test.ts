import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/service/temporary-folder.ts";
import { buildDag } from "../dag.ts";
import { createLocalStore, type LocalStore } from "./local.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let store: LocalStore;

beforeEach(async () => {
  place = await temporaryFolder();
  store = createLocalStore(path.join(place.folder, "images"));
});
afterEach(() => place.remove());

async function provided(bytes: Buffer) {
  const dag = await buildDag(bytes);
  return { cid: dag.root.toString(), bytes, mimeType: "image/png", dag };
}

test("files of one block and of many are read back, and removed without a trace", async () => {
  for (const size of [1, 262_144, 262_145, 5_242_880]) {
    const image = await provided(
      Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 7) & 255)),
    );
    expect(await store.read(image.cid)).toBeUndefined();
    await store.add(image);
    expect((await store.read(image.cid))?.equals(image.bytes)).toBe(true);
    await store.remove(image.cid);
    await store.remove(image.cid);
    expect(await store.read(image.cid)).toBeUndefined();
  }
  expect(await readdir(path.join(place.folder, "images", "blocks"))).toEqual([]);
  expect(await readdir(path.join(place.folder, "images", "unfinished"))).toEqual([]);
});

test("images that share a block don't lose it to each other", async () => {
  const shared = Buffer.alloc(262_144, 1);
  const one = await provided(Buffer.concat([shared, Buffer.from("one")]));
  const other = await provided(Buffer.concat([shared, Buffer.from("other")]));
  await store.add(one);
  await store.add(other);
  await store.remove(one.cid);
  expect((await store.read(other.cid))?.equals(other.bytes)).toBe(true);
});

test("nothing but a CID is a name", async () => {
  for (const name of ["", ".", "..", "../blocks", "a/b", "\0"]) {
    await expect(store.remove(name)).rejects.toThrow("not a CID");
    await expect(store.add({ ...(await provided(Buffer.from("x"))), cid: name })).rejects.toThrow(
      "not a CID",
    );
  }
});
