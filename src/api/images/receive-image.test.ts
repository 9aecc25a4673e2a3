import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/service/temporary-folder.ts";
import { imageLimits, receivingLimits } from "./limits.ts";
import { createSpool, receiveImage } from "./receive-image.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  place = await temporaryFolder();
});
afterEach(() => place.remove());

const boundary = "----boundary";
const contentType = `multipart/form-data; boundary=${boundary}`;

/** One part of a body, as a client writes it. */
function part(disposition: string, content: string | Buffer, type?: string): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const typeLine = type === undefined ? "" : `Content-Type: ${type}\r\n`;
  return Buffer.concat([Buffer.from(`${head}${typeLine}\r\n`), Buffer.from(content), Buffer.from("\r\n")]);
}
const end = Buffer.from(`--${boundary}--\r\n`);
const file = (content: string | Buffer = "bytes", name = "a.png") =>
  part(`name="file"; filename="${name}"`, content, "image/png");

type Sent = { body: Buffer[] | ReadableStream<Uint8Array>; type?: string; headers?: Record<string, string> };

function request({ body, type = contentType, headers = {} }: Sent): Request {
  return new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body: body instanceof ReadableStream ? body : new Uint8Array(Buffer.concat(body)),
    duplex: "half",
  } as RequestInit);
}

/** Receives the file, in memory or via the disk. */
async function receive(sent: Request, changes: Partial<typeof receivingLimits> = {}): Promise<Buffer> {
  const limits = { ...receivingLimits, ...changes };
  const spool = createSpool({ folder: place.folder, memoryBytes: limits.memoryBytes });
  try {
    await receiveImage(sent, { spool, limits });
    return await spool.read();
  } finally {
    await spool.close();
  }
}

test("the file comes back byte for byte, whatever else is sent and whatever its name is", async () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 70_000 }, (_, index) => index & 255));
  const names = ["a.png", "../../etc/passwd", "a\\..\\b", "%00.png", "", "x".repeat(10_000)];
  for (const name of names) {
    const body = [part('name="note"', "hello"), file(bytes, name), part('name="more"', "hello"), end];
    expect((await receive(request({ body }))).equals(bytes)).toBe(true);
  }
});

test("a body made by FormData is read", async () => {
  const form = new FormData();
  form.append("file", new Blob(["bytes"]), "a.png");
  const sent = new Request("http://localhost/", { method: "POST", body: form });
  expect((await receive(sent)).toString()).toBe("bytes");
});

test("a file needs no name and no type", async () => {
  for (const disposition of ['name="file"', 'name="file"; filename=""', "name=file"])
    for (const type of [undefined, "text/plain", "image/png"]) {
      const body = [part(disposition, "bytes", type), end];
      expect((await receive(request({ body }))).toString()).toBe("bytes");
    }
});

describe("malformed requests", () => {
  test.each<[string, Sent, number, string]>([
    ["another content type", { body: [file(), end], type: "image/png" }, 415, "not_multipart"],
    ["JSON", { body: [Buffer.from("{}")], type: "application/json" }, 415, "not_multipart"],
    ["no boundary", { body: [file(), end], type: "multipart/form-data" }, 400, "malformed_multipart"],
    ["another boundary", { body: [file(), end], type: `${contentType}x` }, 400, "malformed_multipart"],
    ["no end", { body: [file()] }, 400, "malformed_multipart"],
    ["an end within the file", { body: [file().subarray(0, 90)] }, 400, "malformed_multipart"],
    ["no file", { body: [part('name="note"', "hello"), end] }, 400, "missing_file"],
    ["another field", { body: [part('name="image"; filename="a"', "b"), end] }, 400, "missing_file"],
    ["two files", { body: [file(), file(), end] }, 400, "several_files"],
    ["many files", { body: [...Array.from({ length: 50 }, () => file()), end] }, 400, "several_files"],
    [
      "many fields",
      { body: [...Array(500).fill(part('name="x"', "y")), file(), end] },
      400,
      "malformed_multipart",
    ],
    ["an empty body", { body: [] }, 400, "malformed_multipart"],
  ])("%s", async (_, sent, status, code) => {
    await expect(receive(request(sent))).rejects.toMatchObject({ name: "ImageError", status, code });
  });
});

test("a file of exactly 5 MB is accepted, one byte more is not", async () => {
  const most = Buffer.alloc(imageLimits.bytes, 7);
  expect((await receive(request({ body: [file(most), end] }))).length).toBe(imageLimits.bytes);
  const more = Buffer.alloc(imageLimits.bytes + 1, 7);
  await expect(receive(request({ body: [file(more), end] }))).rejects.toMatchObject({ status: 413 });
});

test.each([
  ["a file", file("start").subarray(0, -2)],
  ["a preamble", Buffer.from("no boundary here\r\n")],
  ["a field", part('name="note"', "start").subarray(0, -2)],
])("%s without an end is cut off soon after 5 MB, and the rest is refused", async (_, start) => {
  let sent = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = sent === 0 ? new Uint8Array(start) : new Uint8Array(65_536).fill(97);
      sent += chunk.length;
      controller.enqueue(chunk);
    },
    cancel() {
      cancelled = true;
    },
  });
  // The length that the client declares is not trusted.
  const headers = { "content-length": "100" };
  await expect(receive(request({ body: endless, headers }))).rejects.toMatchObject({ status: 413 });
  expect(sent).toBeLessThan(imageLimits.bytes + imageLimits.envelopeBytes + 10 * 65_536);
  await expect.poll(() => cancelled).toBe(true);
});

test("an upload fails when the client hangs up or stalls", async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(file().subarray(0, 80)));
      controller.error(new Error("hung up"));
    },
  });
  await expect(receive(request({ body: broken }))).rejects.toMatchObject({
    code: "malformed_multipart",
  });

  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(file().subarray(0, 80))),
  });
  await expect(receive(request({ body: silent }), { totalMs: 50 })).rejects.toMatchObject({
    status: 408,
    code: "upload_timeout",
  });
});

test("an upload that trickles fails, one that is slow but steady does not", async () => {
  const chunks = async function* (size: number, count: number, pauseMs: number) {
    yield file("").subarray(0, -2);
    for (let sent = 0; sent < count; sent++) {
      await setTimeout(pauseMs);
      yield Buffer.alloc(size, 97);
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  };
  const pace = { windowMs: 1_000, windowBytes: 50 };
  const trickling = ReadableStream.from(chunks(1, 10_000, 50)) as ReadableStream<Uint8Array>;
  await expect(receive(request({ body: trickling }), pace)).rejects.toMatchObject({ status: 408 });
  const steady = ReadableStream.from(chunks(1_000, 40, 10)) as ReadableStream<Uint8Array>;
  expect((await receive(request({ body: steady }), pace)).length).toBe(40_000);
});

test("nothing is left of a file that was spooled to the disk", async () => {
  const bytes = randomBytes(1_000_000);
  expect((await receive(request({ body: [file(bytes), end] }))).equals(bytes)).toBe(true);
  await expect(receive(request({ body: [file(bytes)] }))).rejects.toMatchObject({ status: 400 });
  expect(await readdir(place.folder)).toEqual([]);
});

test("an upload whose slot was revoked before it is read ends at once", async () => {
  const spool = createSpool({ folder: place.folder, memoryBytes: receivingLimits.memoryBytes });
  const endless = new ReadableStream<Uint8Array>();
  await expect(
    receiveImage(request({ body: endless }), { spool, signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ code: "upload_timeout" });
  await spool.close();
});
