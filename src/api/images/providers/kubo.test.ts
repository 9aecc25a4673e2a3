import { afterEach, expect, test } from "vitest";
import { type KuboServer, startKuboServer } from "../../../../test/doubles/kubo-server.ts";
import { buildDag } from "../dag.ts";
import { createKuboProvider } from "./kubo.ts";

let server: KuboServer;
afterEach(() => server.close());

async function provided(bytes: Buffer) {
  const dag = await buildDag(bytes);
  return { cid: dag.root.toString(), bytes, mimeType: "image/png", dag };
}

test.each([undefined, "secret"])("files are pinned and unpinned, with the token %s", async (token) => {
  server = await startKuboServer(token === undefined ? {} : { token });
  const provider = createKuboProvider({ url: server.url, token });
  for (const size of [10, 262_144, 262_145, 5_242_880]) {
    const image = await provided(Buffer.alloc(size, size % 251));
    expect(await provider.add(image)).toBeNull();
    expect(server.pins.get(image.cid)?.equals(image.bytes)).toBe(true);
    await provider.add(image);
    await provider.remove(image.cid, null);
    await provider.remove(image.cid, null);
    expect(server.pins.size).toBe(0);
  }
});

test("a wrong token is refused, and the node's message is not passed on", async () => {
  server = await startKuboServer({ token: "secret" });
  const provider = createKuboProvider({ url: server.url, token: "wrong" });
  const image = await provided(Buffer.from("bytes"));
  await expect(provider.add(image)).rejects.toMatchObject({
    status: 502,
    message: expect.not.stringContaining("Unauthorized"),
    cause: new Error("Unauthorized\n"),
  });
  await expect(provider.remove(image.cid, null)).rejects.toMatchObject({ status: 502 });
});

test("a file under another CID is unpinned at once", async () => {
  server = await startKuboServer();
  const provider = createKuboProvider({ url: server.url });
  const image = await provided(Buffer.from("bytes"));
  await expect(provider.add({ ...image, cid: "bafkreianother" })).rejects.toMatchObject({
    status: 502,
    maybeStored: false,
  });
  expect(server.calls).toEqual(["POST /api/v0/add", "POST /api/v0/pin/rm"]);
  expect(server.pins.size).toBe(0);
});
