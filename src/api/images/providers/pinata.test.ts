import { afterEach, beforeEach, expect, test } from "vitest";
import { type PinataServer, startPinataServer } from "../../../../test/doubles/pinata-server.ts";
import { buildDag } from "../dag.ts";
import { createPinataProvider } from "./pinata.ts";
import type { ImageProvider } from "./provider.ts";

const jwt = "header.payload.signature";
let server: PinataServer;
let provider: ImageProvider;

beforeEach(async () => {
  server = await startPinataServer({ jwt });
  provider = createPinataProvider({ jwt, uploadUrl: `${server.url}/v3`, apiUrl: `${server.url}/v3` });
});
afterEach(() => server.close());

async function provided(bytes: Buffer) {
  const dag = await buildDag(bytes);
  return { cid: dag.root.toString(), bytes, mimeType: "image/png", dag };
}

test("a file of one block is sent as it is, a larger one as a CAR file, and both can be removed", async () => {
  for (const size of [10, 262_144, 262_145, 5_242_880]) {
    const image = await provided(Buffer.alloc(size, size % 251));
    const reference = await provider.add(image);
    expect(server.files.get(reference ?? "")).toMatchObject({ cid: image.cid, name: `${image.cid}.png` });
    await provider.remove(image.cid, reference);
    await provider.remove(image.cid, reference);
    expect(server.files.size).toBe(0);
  }
});

test("without a reference it finds its own files, and touches nothing else", async () => {
  const image = await provided(Buffer.from("bytes"));
  server.fault = { when: "lose", reply: { status: 500, body: "" }, method: "POST" };
  await expect(provider.add(image)).rejects.toMatchObject({ status: 503, maybeStored: true });
  expect(server.files.size).toBe(1);
  await provider.remove(image.cid, null);
  expect(server.files.size).toBe(0);

  server.fault = undefined;
  const others = { id: "7", cid: image.cid, name: "mine", size: 5, keyvalues: {} };
  server.files.set("7", others);
  expect(await provider.add(image)).toBeNull();
  await provider.remove(image.cid, null);
  expect([...server.files.values()]).toEqual([others]);
});

test("a file under another CID is removed at once", async () => {
  const image = await provided(Buffer.from("bytes"));
  await expect(provider.add({ ...image, cid: "bafkreianother" })).rejects.toMatchObject({
    status: 502,
    maybeStored: false,
  });
  expect(server.calls).toEqual(["POST /v3/files", expect.stringMatching(/^DELETE /)]);
  expect(server.files.size).toBe(0);
});
