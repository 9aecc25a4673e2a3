import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { projectDir } from "../../../runtime/ponder/ponder.ts";
import {
  failure,
  type S3Server,
  s3Environment,
  s3Settings,
  startS3Server,
  truncated,
} from "../../../test/doubles/s3-server.ts";
import { startImages, type TestImages } from "../../../test/service/image-service.ts";
import { runProgram } from "../../../test/service/program.ts";
import { encode, picture } from "../../../test/service/sample-images.ts";
import { createImageCopies } from "./image-copies.ts";
import type { UploadedImage } from "./image-service.ts";
import { createLocalStore } from "./providers/local.ts";
import { createS3Provider } from "./providers/s3.ts";
import { pushImages } from "./push-images.ts";
import { sweepImages } from "./sweep.ts";

/* Two processes on one database and one bucket, each with a folder of its own. */

let s3: S3Server;
let first: TestImages;
let second: TestImages;
let secondFolder: string;
let seed = 0;

beforeEach(async () => {
  s3 = await startS3Server();
  first = await startImages({ provider: "s3", s3: s3Settings(s3) });
  secondFolder = path.join(first.folder, "second");
  second = first.with({ provider: "s3", s3: s3Settings(s3) }, { local: createLocalStore(secondFolder) });
});
afterEach(() => Promise.all([s3.close(), first.close()]));

async function upload(bytes?: Buffer): Promise<UploadedImage> {
  const response = await first.upload(bytes ?? (await encode(picture({ seed: ++seed }), "png")));
  expect(response.status).toBe(201);
  return (await response.json()) as UploadedImage;
}

const objectOf = (cid: string) => `launchpad/${cid}`;
const status = async (images: TestImages, cid: string, query = "") =>
  (await images.app.request(`/ipfs/${cid}${query}`)).status;
const code = async (cid: string) => {
  const response = await second.app.request(`/ipfs/${cid}`);
  const { code } = (await response.json()) as { code: string };
  return [response.status, code, response.headers.get("retry-after")];
};
const gets = () => s3.calls.filter((call) => call.startsWith("GET")).length;
const blocksOf = (folder: string) => readdir(path.join(folder, "blocks")).catch(() => []);

test("an upload is in S3 once it is acknowledged, and another process fetches it once for all who ask", async () => {
  const image = await upload(await encode(picture({ width: 700, height: 700, seed: 99 }), "png"));
  expect(s3.objects.get(objectOf(image.cid))?.bytes.length).toBe(image.size);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      second.app.request(`/ipfs/${image.cid}`, {
        method: n === 0 ? "HEAD" : "GET",
        headers: { "x-forwarded-for": `192.0.2.${n % 4}` },
      }),
    ),
  );
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
  const bytes = Buffer.from(await (responses[1] as Response).arrayBuffer());
  expect(bytes.equals(s3.objects.get(objectOf(image.cid))?.bytes as Buffer)).toBe(true);
  await Promise.all(responses.slice(2).map((response) => response.arrayBuffer()));
  expect(await status(second, image.cid, "?width=64")).toBe(200);
  expect(gets()).toBe(1);
});

test("without S3, what is here is served, and the rest answers 503 and is not asked for again at once", async () => {
  const [cached, other] = [await upload(), await upload()];
  expect(await status(second, cached.cid)).toBe(200);
  await s3.close();
  expect([await status(second, cached.cid), await status(first, other.cid)]).toEqual([200, 200]);
  expect(await code(other.cid)).toEqual([503, "image_provider_unavailable", "10"]);
  expect(await status(second, other.cid, "?width=64")).toBe(503);

  s3 = await startS3Server();
  const refused = first.with({ provider: "s3", s3: { ...s3Settings(s3), secretAccessKey: "wrong" } });
  const answer = await refused.upload(await encode(picture({ seed: ++seed }), "png"));
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
    502,
    "image_provider_error",
  ]);
  expect((await blocksOf(path.join(first.folder, "images"))).sort()).toEqual([cached.cid, other.cid].sort());
});

test("a truncated object answers 503, a lost or damaged one 404, and none is asked for again at once", async () => {
  const [cut, lost, damaged] = [await upload(), await upload(), await upload()];
  s3.faults = [truncated(s3.objects.get(objectOf(cut.cid))?.bytes as Buffer)];
  expect(await code(cut.cid)).toEqual([503, "image_provider_unavailable", "10"]);
  s3.objects.delete(objectOf(lost.cid));
  s3.objects.set(objectOf(damaged.cid), { bytes: Buffer.from("else"), type: undefined });
  for (const { cid } of [lost, damaged]) expect(await code(cid)).toEqual([404, "image_not_here", null]);
  const asked = gets();
  for (let n = 0; n < 20; n++)
    for (const { cid } of [cut, lost, damaged]) expect(await status(second, cid)).not.toBe(200);
  expect(gets()).toBe(asked);
  expect(await blocksOf(secondFolder)).toEqual([]);
});

test("a local copy that is damaged is replaced", async () => {
  const { cid } = await upload();
  expect(await status(second, cid)).toBe(200);
  const block = path.join(secondFolder, "blocks", cid, cid);
  await writeFile(block, Buffer.alloc((await stat(block)).size));
  expect(await status(second, cid)).toBe(200);
  expect(gets()).toBe(2);
});

test("an image that is dropped disappears from S3, and from every process with its next clean-up", async () => {
  const [dropped, kept] = [await upload(), await upload()];
  for (const { cid } of [dropped, kept]) expect(await status(second, cid, "?width=64")).toBe(200);
  await first.database.query(
    "update offchain.image set uploaded_at = now() - interval '25 hours' where cid = $1",
    [dropped.cid],
  );
  expect(await sweepImages(first.parts)).toEqual({ dropped: [dropped.cid], failed: [] });
  expect([...s3.objects.keys()]).toEqual([objectOf(kept.cid)]);
  expect(await code(dropped.cid)).toEqual([404, "image_not_found", null]);
  expect(await blocksOf(secondFolder)).toContain(dropped.cid);
  await sweepImages(second.parts);
  expect(await blocksOf(secondFolder)).toEqual([kept.cid]);
  expect(await readdir(path.join(secondFolder, "resized"))).toEqual([`${kept.cid}-64.webp`]);
});

test("a database that has none of the images deletes none of them: it is another one than theirs", async () => {
  const local = await first
    .with({ provider: "local" })
    .upload(await encode(picture({ seed: ++seed }), "png"));
  const { cid: onlyHere } = (await local.json()) as UploadedImage;
  const { cid } = await upload();
  await first.database.query("delete from offchain.image");
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  await sweepImages(first.parts);
  expect(warned).toHaveBeenCalledWith(expect.stringContaining("none of the 2 images"));
  warned.mockRestore();
  expect((await blocksOf(path.join(first.folder, "images"))).sort()).toEqual([cid, onlyHere].sort());
});

test("beyond the limit the oldest copies are deleted, but none that S3 doesn't have", async () => {
  const local = await first
    .with({ provider: "local" })
    .upload(await encode(picture({ seed: ++seed }), "png"));
  const { cid: onlyHere } = (await local.json()) as UploadedImage;
  const uploads = [await upload(), await upload(), await upload()];
  for (const [index, { cid }] of [{ cid: onlyHere }, ...uploads].entries()) {
    const time = new Date(Date.now() - (10 - index) * 60_000);
    await utimes(path.join(first.folder, "images", "blocks", cid), time, time);
  }
  const { pool, local: store } = first.parts;
  const remote = createS3Provider(s3Settings(s3));
  const newest = uploads[2] as UploadedImage;
  await createImageCopies({ pool, local: store, remote, bytes: newest.size }).cleanUp();
  expect((await blocksOf(path.join(first.folder, "images"))).sort()).toEqual([onlyHere, newest.cid].sort());
  for (const { cid } of uploads) expect(await status(first, cid)).toBe(200);
});

test("images:push uploads what S3 lacks, whatever was recorded, and images:verify reads from S3", async () => {
  const local = await first
    .with({ provider: "local" })
    .upload(await encode(picture({ seed: ++seed }), "png"));
  const { cid: old } = (await local.json()) as UploadedImage;
  const [lost, whole] = [await upload(), await upload()];
  s3.objects.delete(objectOf(lost.cid));
  const { pool, provider } = first.parts;
  if (provider === undefined) throw new Error("no provider");

  const env = {
    DATABASE_URL: first.database.url,
    DATA_DIR: first.folder,
    ...s3Environment(s3),
  };
  const verifying = runProgram(path.join(projectDir, "tools/images/verify.ts"), { env });
  expect(await verifying.exited).toBe(1);
  for (const { cid } of [lost, { cid: old }])
    expect(verifying.output()).toContain(`${cid} is missing or damaged, and whole in this DATA_DIR`);
  expect(verifying.output()).toContain("3 images in S3, 2 of them missing or damaged.");

  s3.faults = [failure(503, "SlowDown")];
  const { pushed, failed } = await pushImages({ pool, local: first.parts.local, provider });
  expect([pushed.sort(), failed]).toEqual([[old, lost.cid].sort(), []]);
  expect([...s3.objects.keys()].sort()).toEqual([old, lost.cid, whole.cid].map(objectOf).sort());
  await rm(path.join(first.folder, "images"), { recursive: true });
  expect((await pushImages({ pool, local: first.parts.local, provider })).failed).toEqual([]);
  expect(await status(first, old)).toBe(200);
});
