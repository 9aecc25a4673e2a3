import { readdir } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostileFiles, payloadMark } from "../../../test/fuzz/hostile-images.ts";
import { sized } from "../../../test/run/long-run.ts";
import { startImages, type TestImages } from "../../../test/service/image-service.ts";
import type { UploadedImage } from "./image-service.ts";
import { detectType } from "./image-type.ts";

const FILES = sized({ usual: 108, long: 1_080 });
const WARM_UP = FILES / 3;
// As much as a few pictures of the largest size that is allowed; a leak of each file or its pixels is far more.
const MAX_GROWTH_BYTES = 150 * 2 ** 20;

let images: TestImages;
beforeAll(async () => {
  images = await startImages();
});
afterAll(() => images.close());

test(`${FILES} hostile files are refused or cleaned, and memory stays flat`, async () => {
  const kept = new Set<string>();
  const outcomes = new Map<string, { refused: number; cleaned: number }>();
  let index = 0;
  let warm = 0;
  let highest = 0;
  for await (const { kind, name, bytes, refuse } of hostileFiles(FILES)) {
    const response = await images.upload(bytes, name, "image/png");
    const outcome = outcomes.get(kind) ?? { refused: 0, cleaned: 0 };
    outcomes.set(kind, outcome);
    if (response.status === 201) {
      expect(`${kind} ${index}: ${refuse}`).toBe(`${kind} ${index}: false`);
      const { cid } = (await response.json()) as UploadedImage;
      await expectClean(cid);
      kept.add(cid);
      outcome.cleaned++;
    } else {
      expect([415, 422], `${kind} ${index}`).toContain(response.status);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await response.text()).not.toMatch(/\/(work|home|tmp)\/|node_modules|vips|sharp/i);
      outcome.refused++;
    }
    index++;
    const { rss } = process.memoryUsage();
    if (index <= WARM_UP) warm = Math.max(warm, rss);
    else highest = Math.max(highest, rss);
  }

  expect(index).toBe(FILES);
  // Every kind was sent, and had its intended effect.
  expect(outcomes.get("polyglot")).toMatchObject({ refused: 0 });
  expect(outcomes.get("inMetadata")).toMatchObject({ refused: 0 });
  for (const kind of ["truncated", "wrongMagic", "bomb", "prefixed", "flipped", "patched", "spliced"])
    expect(outcomes.get(kind)?.refused, kind).toBeGreaterThan(FILES / 54);
  expect(highest - warm).toBeLessThan(MAX_GROWTH_BYTES);

  // Whatever the names of the files, there is a folder for each stored image, and nothing else.
  const stored = await readdir(path.join(images.folder, "images", "blocks"));
  expect(stored.toSorted()).toEqual([...kept].toSorted());
  expect(await readdir(images.folder)).toEqual(["images"]);
  expect(await readdir(path.join(images.folder, "images", "unfinished"))).toEqual([]);
});

async function expectClean(cid: string): Promise<void> {
  const served = await images.app.request(`/ipfs/${cid}`);
  const content = Buffer.from(await served.arrayBuffer());
  expect(content.includes(payloadMark)).toBe(false);
  expect(content.includes("SECRET")).toBe(false);
  expect(served.headers.get("content-type")).toBe(`image/${detectType(content)}`);
  await sharp(content, { pages: -1, failOn: "warning" }).raw().toBuffer();
}

const boundary = "b";
const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n`;
test.each([
  ["a boundary within the boundary", `--${boundary}\r\n--${boundary}\r\n--${boundary}--\r\n`],
  [
    "a nested multipart",
    `${head}Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n--${boundary}--\r\n`,
  ],
  [
    "a part without a name",
    `--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${boundary}--\r\n`,
  ],
  ["a part without headers", `--${boundary}\r\n\r\nx\r\n--${boundary}--\r\n`],
  ["headers without an end", `--${boundary}\r\nX: ${"y".repeat(100_000)}`],
  ["many headers", `--${boundary}\r\n${"X: y\r\n".repeat(10_000)}\r\nx\r\n--${boundary}--\r\n`],
  [
    "an encoded name",
    `--${boundary}\r\nContent-Disposition: form-data; name*=utf-8''%66ile; filename*=utf-8''..%2f\r\n\r\nx\r\n--${boundary}--\r\n`,
  ],
  [
    "another transfer encoding",
    `${head}Content-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--${boundary}--\r\n`,
  ],
  [
    "line feeds alone",
    `--${boundary}\nContent-Disposition: form-data; name="file"; filename="a"\n\nx\n--${boundary}--\n`,
  ],
  ["no bytes", `${head}\r\n\r\n--${boundary}--\r\n`],
  ["NUL bytes", `${"\0".repeat(1_000)}${head}\r\n\0\0\r\n--${boundary}--\r\n`],
  [
    "prototype names",
    `--${boundary}\r\nContent-Disposition: form-data; name="__proto__"; filename="a"\r\n\r\nx\r\n--${boundary}--\r\n`,
  ],
])("a body with %s is refused", async (_, body) => {
  const response = await images.app.request("/api/upload-image", {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body,
  });
  expect([400, 415, 422]).toContain(response.status);
});
