import { mkdir, readdir, utimes } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockMentionedImages, withSweepLock } from "../../../offchain/image-store.ts";
import { type KuboServer, startKuboServer } from "../../../test/doubles/kubo-server.ts";
import { register, startImages, type TestImages } from "../../../test/service/image-service.ts";
import { encode, picture } from "../../../test/service/sample-images.ts";
import type { UploadedImage } from "./image-service.ts";
import { startImageSweep, sweepImages } from "./sweep.ts";

let kubo: KuboServer;
let local: TestImages;
let images: TestImages;
let seed = 0;

beforeEach(async () => {
  [kubo, local] = await Promise.all([startKuboServer(), startImages()]);
  images = local.with({ provider: "kubo", kubo: { url: kubo.url } });
});
afterEach(() => Promise.all([kubo.close(), local.close()]));

async function upload(): Promise<UploadedImage> {
  const response = await images.upload(await encode(picture({ seed: ++seed }), "webp"));
  return (await response.json()) as UploadedImage;
}

async function age(cid: string, hours: number): Promise<void> {
  await images.database.query(
    "update offchain.image set uploaded_at = now() - make_interval(mins => $2) where cid = $1",
    [cid, Math.round(hours * 60)],
  );
}

const isServed = async (cid: string) => (await images.app.request(`/ipfs/${cid}`)).status === 200;

test("an image that no registration mentions is removed everywhere after 24 hours, and not before", async () => {
  const [old, young] = [await upload(), await upload()];
  await age(old.cid, 24.1);
  await age(young.cid, 23.9);
  expect(await sweepImages(images.parts)).toEqual({ dropped: [old.cid], failed: [] });
  expect([await isServed(old.cid), await isServed(young.cid)]).toEqual([false, true]);
  expect([...kubo.pins.keys()]).toEqual([young.cid]);
  expect(new Set(await images.leftovers())).toEqual(new Set([young.cid]));
});

test.each<[string, (image: UploadedImage) => string]>([
  ["its ipfs:// URL", ({ url }) => url],
  ["a path behind it", ({ url }) => `${url}/image.webp`],
  ["our gateway", ({ gatewayUrl }) => gatewayUrl],
  ["another gateway", ({ cid }) => `https://ipfs.io/ipfs/${cid}?filename=a.webp`],
  ["a gateway that has the CID as its host", ({ cid }) => `https://${cid}.ipfs.dweb.link/`],
  ["its CID in capitals", ({ cid }) => `ipfs://${cid.toUpperCase()}`],
  ["two images in one URL", ({ cid }) => `https://x.org/${"bafkrei".padEnd(59, "a")}${cid}`],
])("an image that a registration mentions by %s stays", async (_, urlOf) => {
  const image = await upload();
  await register(images.database, urlOf(image));
  await age(image.cid, 10_000);
  expect(await sweepImages(images.parts)).toEqual({ dropped: [], failed: [] });
  expect(await isServed(image.cid)).toBe(true);
  expect(kubo.pins.has(image.cid)).toBe(true);
});

test("another upload of the same bytes restarts the 24 hours", async () => {
  const image = await upload();
  await age(image.cid, 30);
  seed--;
  await upload();
  expect(await sweepImages(images.parts)).toEqual({ dropped: [], failed: [] });
});

test("while the provider is down, the image is removed locally, and from the provider by the next sweep", async () => {
  const image = await upload();
  await age(image.cid, 25);
  kubo.fault = { when: "refuse", reply: { status: 500, body: "boom" } };
  const failed = await sweepImages(images.parts);
  expect(failed?.dropped).toEqual([]);
  expect(failed?.failed.map(({ cid }) => cid)).toEqual([image.cid]);
  expect(await isServed(image.cid)).toBe(false);
  expect(kubo.pins.has(image.cid)).toBe(true);

  kubo.fault = undefined;
  expect(await sweepImages(images.parts)).toEqual({ dropped: [image.cid], failed: [] });
  expect(kubo.pins.size).toBe(0);
  expect(await images.leftovers()).toEqual([]);
});

test("a partly removed image is restored by an upload", async () => {
  const image = await upload();
  await age(image.cid, 25);
  kubo.fault = { when: "refuse", reply: { status: 500, body: "boom" } };
  await sweepImages(images.parts);
  kubo.fault = undefined;
  seed--;
  expect((await upload()).cid).toBe(image.cid);
  expect(await sweepImages(images.parts)).toEqual({ dropped: [], failed: [] });
  expect(await isServed(image.cid)).toBe(true);
});

test("a registration in progress keeps its image from being dropped", async () => {
  const image = await upload();
  await age(image.cid, 25);
  const client = new pg.Client({ connectionString: images.database.url });
  await client.connect();
  try {
    await client.query("begin");
    expect(await lockMentionedImages(client, image.gatewayUrl)).toEqual([image.cid]);
    // Neither waits for the other.
    expect(await sweepImages(images.parts)).toEqual({ dropped: [], failed: [] });
    await client.query(
      `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, image_url)
       values (56, '0xaa', 'A', 'A', '0xbb', 50, $1)`,
      [image.url],
    );
    await client.query("commit");
    expect(await sweepImages(images.parts)).toEqual({ dropped: [], failed: [] });
    expect(await isServed(image.cid)).toBe(true);
    expect(await lockMentionedImages(client, `ipfs://${"bafkrei".padEnd(59, "a")}`)).toEqual([]);
    expect(await lockMentionedImages(client, "https://example.org/a.png")).toEqual([]);
  } finally {
    await client.end();
  }
});

test("registrations, uploads and sweeps that meet never leave a registration without its image", async () => {
  const pool = new pg.Pool({ connectionString: images.database.url, max: 8 });
  const registerHeld = async ({ cid, url }: UploadedImage) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      const isHeld = (await lockMentionedImages(client, url)).includes(cid);
      if (isHeld)
        await client.query(
          `insert into offchain.registration (chain_id, mint, name, symbol, creator, burn_percent, image_url)
           values (56, $1, 'A', 'A', '0xbb', 50, $2)`,
          [`0x${cid}`, url],
        );
      await client.query("commit");
      return isHeld;
    } finally {
      client.release();
    }
  };
  try {
    let held = 0;
    let dropped = 0;
    for (let round = 0; round < 6; round++) {
      const uploaded = await Promise.all(Array.from({ length: 5 }, upload));
      for (const { cid } of uploaded) await age(cid, 25);
      const [isHeld] = await Promise.all([
        Promise.all(uploaded.map((image) => registerHeld(image))),
        sweepImages(images.parts),
        sweepImages(images.parts),
      ]);
      for (const [index, { cid }] of uploaded.entries()) {
        expect([cid, await isServed(cid)]).toEqual([cid, isHeld[index]]);
        expect(kubo.pins.has(cid)).toBe(isHeld[index]);
        if (isHeld[index]) held++;
        else dropped++;
      }
    }
    expect(held + dropped).toBe(30);
  } finally {
    await pool.end();
  }
});

test("one replica sweeps at a time", async () => {
  const client = new pg.Client({ connectionString: images.database.url });
  await client.connect();
  try {
    const during = await withSweepLock(client, () => sweepImages(images.parts).then((result) => [result]));
    expect(during).toEqual([undefined]);
    expect(await sweepImages(images.parts)).toEqual({ dropped: [], failed: [] });
  } finally {
    await client.end();
  }
});

test("a provider that is no longer configured is skipped", async () => {
  const image = await upload();
  await age(image.cid, 25);
  expect(await sweepImages(local.parts)).toEqual({ dropped: [image.cid], failed: [] });
  expect(kubo.pins.has(image.cid)).toBe(true);
});

test("unfinished files left by a crash are removed after an hour", async () => {
  const unfinished = path.join(images.folder, "images", "unfinished");
  for (const name of ["old", "young"]) await mkdir(path.join(unfinished, name), { recursive: true });
  const before = new Date(Date.now() - 2 * 3_600_000);
  await utimes(path.join(unfinished, "old"), before, before);
  await sweepImages(images.parts);
  expect(await readdir(unfinished)).toEqual(["young"]);
});

test("an evicted image is removed locally at once, and from the provider soon after", async () => {
  const first = await upload();
  await age(first.cid, 1);
  const lines: string[] = [];
  const sweeping = startImageSweep(images.parts, { soonMs: 10, log: (line) => lines.push(line) });
  // Room for one.
  const budget = { bytes: 15_000, bytesPerUploader: 15_000 };
  const full = images.with(
    { provider: "kubo", kubo: { url: kubo.url } },
    { budget, onEvicted: sweeping.scheduleSoon },
  );
  const second = await full.upload(await encode(picture({ seed: ++seed }), "webp"));
  expect(second.status).toBe(201);
  expect(await isServed(first.cid)).toBe(false);
  expect(await readdir(path.join(images.folder, "images", "blocks"))).not.toContain(first.cid);
  await expect.poll(() => kubo.pins.has(first.cid)).toBe(false);
  await expect.poll(() => lines).toEqual(["images: dropped 1 that no registration mentions"]);
  await sweeping.stop();
});

test("the sweep enforces a reduced budget", async () => {
  const [old, young] = [await upload(), await upload()];
  await age(old.cid, 1);
  const budget = { bytes: 15_000, bytesPerUploader: 15_000 };
  expect(await sweepImages({ ...images.parts, budget })).toEqual({ dropped: [old.cid], failed: [] });
  expect([await isServed(old.cid), await isServed(young.cid)]).toEqual([false, true]);
});

test("it sweeps at once and again, logs what it did, and stops", async () => {
  const lines: string[] = [];
  const first = await upload();
  await age(first.cid, 25);
  const sweeping = startImageSweep(images.parts, { everyMs: 50, log: (line) => lines.push(line) });
  await expect.poll(() => isServed(first.cid)).toBe(false);
  const second = await upload();
  await age(second.cid, 25);
  await expect.poll(() => isServed(second.cid)).toBe(false);
  await sweeping.stop();
  expect(lines.at(0)).toBe("images: dropped 1 that no registration mentions");
});

test("a sweep that is asked for during another one follows it", async () => {
  const image = await upload();
  await age(image.cid, 25);
  const client = new pg.Client({ connectionString: images.database.url });
  await client.connect();
  // Holds the first sweep until the second was asked for.
  await client.query("begin; lock table offchain.image in access exclusive mode");
  const lines: string[] = [];
  const sweeping = startImageSweep(images.parts, { soonMs: 1, log: (line) => lines.push(line) });
  const sweeps = () =>
    client.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
  await expect.poll(async () => (await sweeps()).rowCount).toBe(1);
  kubo.fault = { when: "refuse", reply: { status: 500, body: "boom" } };
  sweeping.scheduleSoon();
  // Fires after the one that asks.
  await new Promise((resolve) => setTimeout(resolve, 2));
  await client.query("commit");
  await client.end();
  // The provider fails in both.
  await expect.poll(() => lines.filter((line) => line.includes("can't be removed yet")).length).toBe(2);
  await sweeping.stop();
});
