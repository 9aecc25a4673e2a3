import { readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startImages, type TestImages } from "../../../test/service/image-service.ts";
import { animation, encode, formats, picture } from "../../../test/service/sample-images.ts";
import { createImageDecoder } from "./decoder/decoder.ts";
import type { UploadedImage } from "./image-service.ts";
import { resizedLimits, resizingQueue } from "./limits.ts";
import { createResizedFiles, createResizedImages } from "./resized-images.ts";

let images: TestImages;
beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  images = await startImages();
});
afterEach(() => images.close());

async function stored(bytes: Buffer): Promise<UploadedImage> {
  const response = await images.upload(bytes);
  expect(response.status).toBe(201);
  return (await response.json()) as UploadedImage;
}

async function resized(cid: string, width: number): Promise<Buffer> {
  const response = await images.app.request(`/ipfs/${cid}?width=${width}`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/webp"]);
  const body = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get("content-length")).toBe(String(body.length));
  return body;
}

const inFolder = () => readdir(path.join(images.folder, "images", "resized")).catch(() => []);

test.each(formats)("a %s is resized in its own proportions, and never enlarged", async (format) => {
  const { cid } = await stored(await encode(picture({ width: 400, height: 200 }), format));
  const sizes = [];
  for (const width of [64, 128, 256, 512]) {
    const bytes = await resized(cid, width);
    const { format: made, width: wide, height } = await sharp(bytes).metadata();
    sizes.push([made, wide, height]);
  }
  expect(sizes).toEqual([
    ["webp", 64, 32],
    ["webp", 128, 64],
    ["webp", 256, 128],
    ["webp", 400, 200],
  ]);
  expect(await inFolder()).toHaveLength(4);
});

test.each(["gif", "webp"] as const)(
  "an animated %s stays animated while that is small enough",
  async (format) => {
    const { cid } = await stored(
      await animation(format, { frames: 4, size: 100, delay: [50, 100, 150, 200] }),
    );
    const small = await sharp(await resized(cid, 64)).metadata();
    expect(small).toMatchObject({ format: "webp", pages: 4, delay: [50, 100, 150, 200], width: 64 });
  },
);

test("a long animation in a large size becomes its first frame", async () => {
  const { cid } = await stored(await animation("webp", { frames: 17, size: 500 }));
  const still = await resized(cid, 512);
  expect((await sharp(still).metadata()).pages ?? 1).toBe(1);
  expect(still.length).toBeLessThanOrEqual(resizedLimits.bytes);
});

test("an image that resists compression still fits", async () => {
  const noise = Buffer.alloc(512 * 2_000 * 3);
  for (let at = 0; at < noise.length; at++) noise[at] = (at * at * 2_654_435_761) >>> 24;
  const raw = sharp(noise, { raw: { width: 512, height: 2_000, channels: 3 } });
  const { cid } = await stored(await raw.png().toBuffer());
  expect((await resized(cid, 512)).length).toBeLessThanOrEqual(resizedLimits.bytes);
});

test("it never changes, so a client's copy is still valid", async () => {
  const { cid } = await stored(await encode(picture(), "png"));
  const first = await images.app.request(`/ipfs/${cid}?width=64&t=1`);
  expect(first.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const etag = first.headers.get("etag") ?? "";
  expect(etag).not.toBe((await images.app.request(`/ipfs/${cid}`)).headers.get("etag"));
  const again = await images.app.request(`/ipfs/${cid}?width=64`, { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);
  const head = await images.app.request(`/ipfs/${cid}?width=64`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([
    200,
    first.headers.get("content-length"),
  ]);
});

test.each(["width=65", "width=", "width=064", "width=64&width=256", "width=64.0"])(
  "?%s is refused",
  async (query) => {
    const { cid } = await stored(await encode(picture(), "png"));
    const response = await images.app.request(`/ipfs/${cid}?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request", errors: [{ path: "width" }] });
    expect(await inFolder()).toEqual([]);
  },
);

test("only uploaded images are resized, and a removed one is gone in every size", async () => {
  const { cid } = await stored(await encode(picture(), "png"));
  await resized(cid, 64);
  const unknown = "bafkreibdjy2jjf6uklsqeqcjdzf7xfp4mavpo6yi3ocu4cjbmvoqd5oqia";
  expect((await images.app.request(`/ipfs/${unknown}?width=64`)).status).toBe(404);
  await images.parts.local.remove(cid);
  expect(await inFolder()).toEqual([]);
  expect((await images.app.request(`/ipfs/${cid}?width=64`)).status).toBe(404);
});

test("concurrent requests for the same image resize it once", async () => {
  const { cid } = await stored(await encode(picture({ width: 300, height: 300 }), "png"));
  const decode = vi.spyOn(images.parts.resizing.decoder, "decode");
  const all = await Promise.all(Array.from({ length: 20 }, () => resized(cid, 64)));
  expect(new Set(all.map((bytes) => bytes.toString("base64"))).size).toBe(1);
  expect(decode).toHaveBeenCalledTimes(1);
  await resized(cid, 64);
  expect(decode).toHaveBeenCalledTimes(1);
});

test("an image is resized in its client's turn, even if another client waits for it with many others, and once", async () => {
  const uploaded: UploadedImage[] = [];
  for (let seed = 1; seed <= 8; seed++) uploaded.push(await stored(await encode(picture({ seed }), "png")));
  const wanted = uploaded.at(-1) as UploadedImage;
  const { local, resizing } = images.parts;
  const begun: string[] = [];
  const { webp } = createResizedImages({
    decoder: resizing.decoder,
    files: createResizedFiles({ folder: local.resized, unfinished: local.unfinished, bytes: 2 ** 24 }),
    async readStored({ cid }) {
      begun.push(cid);
      return (await local.read(cid)) as Buffer;
    },
    queue: { ...resizingQueue, concurrency: 1, maxWaitMs: 200_000 },
  });
  const flood = uploaded.map((image) => webp(image, "64", "flooder"));
  await Promise.all([webp(wanted, "64", "victim"), webp(wanted, "64", "another")]);
  expect(begun.slice(0, 3)).toContain(wanted.cid);
  await Promise.all(flood);
  expect(begun.sort()).toEqual(uploaded.map(({ cid }) => cid).sort());
});

test("an image is served even if it can't be cached, and resized again if its file is missing", async () => {
  const { cid } = await stored(await encode(picture(), "png"));
  const folder = path.join(images.folder, "images", "resized");
  await writeFile(folder, "no folder");
  expect((await sharp(await resized(cid, 64)).metadata()).format).toBe("webp");
  await rm(folder);
  await resized(cid, 64);
  await rm(path.join(folder, `${cid}-64.webp`));
  await resized(cid, 64);
  expect(await inFolder()).toEqual([`${cid}-64.webp`]);
});

test("too many waiting requests are refused for a while, uploads continue, and a killed decoder fails only its own image", async () => {
  const decoder = createImageDecoder({ processes: 1 });
  try {
    const files = createResizedFiles({
      folder: images.parts.local.resized,
      unfinished: images.parts.local.unfinished,
      bytes: 2 ** 24,
    });
    const uploaded: UploadedImage[] = [];
    for (let seed = 1; seed <= 6; seed++) uploaded.push(await stored(await encode(picture({ seed }), "png")));
    const held = Promise.withResolvers<void>();
    const { webp: resize } = createResizedImages({
      decoder,
      files,
      async readStored({ cid }) {
        await held.promise;
        return (await images.parts.local.read(cid)) as Buffer;
      },
      // The upload below may take longer than requests usually wait.
      queue: { ...resizingQueue, concurrency: 1, maxWaiting: 2, maxWaitMs: 200_000 },
    });
    const outcomes = uploaded.map((image, index) =>
      resize(image, "64", `client ${index % 2}`).then(
        () => 200,
        (error) => [error.status, error.code, error.retryAfter],
      ),
    );
    await Promise.race(outcomes);
    expect((await images.upload(await encode(picture({ seed: 99 }), "png"))).status).toBe(201);
    held.resolve();
    const answers = await Promise.all(outcomes);
    expect(answers.filter((answer) => answer === 200)).toHaveLength(3);
    expect(answers.filter((answer) => answer !== 200)).toEqual(Array(3).fill([503, "busy", 5]));

    const [first] = uploaded;
    if (first === undefined) throw new Error("there is none");
    const under = resize(first, "512", "client");
    const pids = decoder.pids();
    for (const pid of pids) process.kill(pid, "SIGKILL");
    await under.catch(() => {});
    expect((await resize(first, "256", "client")).length).toBeGreaterThan(0);
  } finally {
    await decoder.close();
  }
});
