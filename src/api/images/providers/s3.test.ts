import { afterEach, beforeEach, expect, test } from "vitest";
import {
  failure,
  type S3Server,
  s3Settings,
  startS3Server,
  truncated,
} from "../../../../test/doubles/s3-server.ts";
import { buildDag } from "../dag.ts";
import { createS3Provider } from "./s3.ts";

let server: S3Server;

beforeEach(async () => {
  server = await startS3Server({ region: "auto" });
});
afterEach(() => server.close());

const start = (changes: object = {}) => createS3Provider({ ...s3Settings(server), ...changes });

async function provided(bytes: Buffer) {
  const dag = await buildDag(bytes);
  return { cid: dag.root.toString(), bytes, mimeType: "image/png", dag };
}

test("files are stored, read and removed, each as one object", async () => {
  const provider = start();
  for (const size of [10, 262_145, 5_242_880]) {
    const image = await provided(Buffer.alloc(size, size % 251));
    expect([await provider.read(image.cid), await provider.has(image.cid, size)]).toEqual([undefined, false]);
    expect(await provider.add(image)).toBeNull();
    await provider.add(image);
    expect([...server.objects.keys()]).toEqual([`launchpad/${image.cid}`]);
    expect(server.objects.get(`launchpad/${image.cid}`)?.type).toBe("image/png");
    expect([await provider.has(image.cid, size), await provider.has(image.cid, size + 1)]).toEqual([
      true,
      false,
    ]);
    const read = await provider.read(image.cid);
    expect(read?.bytes.equals(image.bytes)).toBe(true);
    expect(read?.dag.blocks.length).toBe(image.dag.blocks.length);
    await provider.remove(image.cid, null);
    await provider.remove(image.cid, null);
    expect(server.objects.size).toBe(0);
  }
});

test.each([
  ["a wrong secret", { secretAccessKey: "wrong" }, "SignatureDoesNotMatch"],
  ["an unknown key", { accessKeyId: "AKIDOTHER" }, "InvalidAccessKeyId"],
  ["another region", { region: "eu-west-1" }, "InvalidAccessKeyId"],
  ["another bucket", { bucket: "others" }, "NoSuchBucket"],
])("%s is an error and no missing image, and what S3 says is only logged", async (_, changes, code) => {
  const image = await provided(Buffer.from("bytes"));
  await start().add(image);
  const provider = start(changes);
  const refused = { status: 502, message: expect.not.stringContaining(code) };
  await expect(provider.read(image.cid)).rejects.toMatchObject({
    ...refused,
    cause: new Error(String(failure(0, code).body)),
  });
  await expect(provider.remove(image.cid, null)).rejects.toMatchObject(refused);
  await expect(provider.add(image)).rejects.toMatchObject({ status: 502, maybeStored: false });
  expect(server.objects.size).toBe(1);
});

test("a request that S3 refuses because it is busy is sent once more", async () => {
  const image = await provided(Buffer.from("bytes"));
  server.faults = [failure(503, "SlowDown")];
  await start().add(image);
  server.faults = [failure(500, "InternalError")];
  expect((await start().read(image.cid))?.bytes.toString()).toBe("bytes");
  server.faults = [failure(503, "SlowDown"), failure(503, "SlowDown")];
  const calls = server.calls.length;
  await expect(start().read(image.cid)).rejects.toMatchObject({ status: 503, retryAfter: 30 });
  expect(server.calls.length).toBe(calls + 2);
});

test("what answers 200 and is no S3 has stored nothing", async () => {
  const image = await provided(Buffer.from("bytes"));
  server.faults = [{ status: 200, body: "<html>Sign in</html>" }];
  await expect(start().add(image)).rejects.toMatchObject({ status: 502, reason: "gave no ETag" });
  expect(server.objects.size).toBe(0);
});

test("of a truncated answer nothing is used, and a damaged object counts as missing", async () => {
  const image = await provided(Buffer.alloc(300_000, 7));
  await start().add(image);
  server.faults = [truncated(image.bytes)];
  await expect(start().read(image.cid)).rejects.toMatchObject({ status: 503 });
  expect(await start().read(image.cid)).toBeDefined();

  const damaged = Buffer.from(image.bytes);
  damaged[299_999] = 8;
  server.objects.set(`launchpad/${image.cid}`, { bytes: damaged, type: "image/png" });
  expect(await start().read(image.cid)).toBeUndefined();
});

test("a server that doesn't answer is given up", async () => {
  const { url } = server;
  await server.close();
  await expect(start({ endpoint: url }).read("bafkreidead")).rejects.toMatchObject({ status: 503 });
});
