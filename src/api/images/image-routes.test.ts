import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { Hono } from "hono";
import pg from "pg";
import sharp, { type Sharp } from "sharp";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startCommitProxy } from "../../../test/doubles/commit-proxy.ts";
import { type KuboServer, startKuboServer } from "../../../test/doubles/kubo-server.ts";
import { type PinataServer, startPinataServer } from "../../../test/doubles/pinata-server.ts";
import { startImages, type TestImages } from "../../../test/service/image-service.ts";
import { animation, encode, formats, picture, withSecrets } from "../../../test/service/sample-images.ts";
import { countTicks } from "../../../test/service/tick-count.ts";
import { handleError } from "../http/error-handler.ts";
import { buildDag } from "./dag.ts";
import { createImageGateway, createUploadImage } from "./image-routes.ts";
import { createImageService, type UploadedImage } from "./image-service.ts";
import type { ProviderSettings } from "./providers/choose.ts";
import { createLocalStore } from "./providers/local.ts";

const jwt = "header.payload.signature";
let kubo: KuboServer;
let pinata: PinataServer;
let images: TestImages;
let settings: Record<"local" | "kubo" | "pinata", ProviderSettings>;

beforeEach(async () => {
  // These tests fail on purpose, and failures are logged.
  vi.spyOn(console, "error").mockImplementation(() => {});
  [kubo, pinata, images] = await Promise.all([
    startKuboServer({ token: "kubo-token" }),
    startPinataServer({ jwt }),
    startImages(),
  ]);
  const both = {
    kubo: { url: kubo.url, token: "kubo-token" },
    pinata: { jwt, uploadUrl: `${pinata.url}/v3`, apiUrl: `${pinata.url}/v3` },
  };
  settings = {
    local: { provider: "local" },
    kubo: { provider: "kubo", kubo: both.kubo },
    pinata: { provider: "pinata", ...both },
  };
});
afterEach(() => Promise.all([kubo.close(), pinata.close(), images.close()]));

type Body = UploadedImage & { code?: string };

async function read(response: Response | Promise<Response>): Promise<Body> {
  const answered = await response;
  return (await answered.json()) as Body;
}

/** A picture that can't be compressed: three bytes for each pixel. */
function noise(side: number): Sharp {
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } });
}

let encoded: Promise<Buffer[]> | undefined;
/** One image of every type, one with metadata, and one of more than one block. */
const samples = () => (encoded ??= encodeSamples());

async function encodeSamples(): Promise<Buffer[]> {
  const plain = await Promise.all(formats.map((format) => encode(picture(), format)));
  const large = await encode(picture({ width: 500, height: 400 }), "png");
  expect(large.length).toBeGreaterThan(262_144);
  return [
    ...plain,
    await animation("gif"),
    await animation("webp"),
    await encode(withSecrets(picture()), "jpeg"),
    large,
  ];
}

/** The CIDs of the samples, which are the same with every provider. */
const cids = new Map<Buffer, string>();

test.each(["local", "kubo", "pinata"] as const)(
  "images of every type go up and down through %s, with the same CID as through the others",
  async (name) => {
    const service = images.with(settings[name]);
    for (const bytes of await samples()) {
      const response = await service.upload(bytes, "../../photo.exe", "text/html");
      expect(response.status).toBe(201);
      const body = await read(response);
      expect(body).toEqual({
        cid: expect.stringMatching(/^baf(krei|ybei)[a-z2-7]{52}$/),
        url: `ipfs://${body.cid}`,
        gatewayUrl: `http://localhost:42069/ipfs/${body.cid}`,
        mimeType: expect.stringMatching(/^image\/(png|jpeg|gif|webp|avif)$/),
        size: expect.any(Number),
        width: expect.any(Number),
        height: expect.any(Number),
      });

      expect(body.cid).toBe(cids.get(bytes) ?? body.cid);
      cids.set(bytes, body.cid);

      const served = await service.app.request(`/ipfs/${body.cid}`);
      expect(served.status).toBe(200);
      const content = Buffer.from(await served.arrayBuffer());
      expect((await buildDag(content)).root.toString()).toBe(body.cid);
      expect(content.length).toBe(body.size);
      expect(served.headers.get("content-type")).toBe(body.mimeType);
      if (name === "kubo") expect(kubo.pins.get(body.cid)?.equals(content)).toBe(true);
      if (name === "pinata") expect([...pinata.files.values()].map((file) => file.cid)).toContain(body.cid);
    }
  },
);

test("the same bytes twice are stored once, even concurrently", async () => {
  const service = images.with(settings.kubo);
  const bytes = await encode(picture(), "png");
  const responses = await Promise.all(Array.from({ length: 8 }, () => service.upload(bytes)));
  const bodies = await Promise.all(responses.map(read));
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(new Set(bodies.map(({ cid }) => cid)).size).toBe(1);
  expect(kubo.calls).toEqual(["POST /api/v0/add"]);
  expect(await readdir(path.join(images.folder, "images", "blocks"))).toEqual([bodies[0]?.cid]);
  expect(await readdir(path.join(images.folder, "images", "unfinished"))).toEqual([]);
});

test("images that are asked for at once are opened one after the other, in a tick of the event loop each", async () => {
  const { local } = images.parts;
  const ticks = countTicks();
  const openedIn: number[] = [];
  const open = (cid: string) => {
    openedIn.push(ticks.now());
    return local.open(cid);
  };
  const { app } = images.with(settings.local, { local: { ...local, open } });
  const { cid } = await read(images.upload((await samples()).at(-1) as Buffer));
  // As many as the pool has connections.
  const getAll = () => Array.from({ length: 6 }, async () => await app.request(`/ipfs/${cid}`));
  await Promise.all(getAll());
  openedIn.length = 0;

  const responses = getAll();
  const asked = ticks.now();
  await vi.waitUntil(() => ticks.now() > asked + 2, { interval: 0 });
  // Meanwhile the database finds the image for all of them.
  for (const since = performance.now(); performance.now() - since < 100; );
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  ticks.stop();
  expect(new Set(openedIn).size).toBe(6);
});

test("images stay readable when the provider is switched", async () => {
  const before = await read(images.with(settings.pinata).upload(await encode(picture(), "webp")));
  const after = images.with(settings.local);
  expect((await after.app.request(`/ipfs/${before.cid}`)).status).toBe(200);
});

describe("a provider that fails", () => {
  const down = { status: 500, body: "boom" };
  const silent = undefined;
  const cases = [
    ["kubo", "refuse", down, 503],
    ["kubo", "lose", down, 503],
    ["kubo", "lose", { status: 200, body: "{}" }, 502],
    ["kubo", "lose", { status: 200, body: `{"Hash":"${"x".repeat(300_000)}"}` }, 502],
    ["kubo", "lose", { status: 200, body: '{"Name":"a","Hash":"bafkreidifferent","Size":"1"}\n' }, 502],
    ["kubo", "refuse", { status: 403, body: "403 - Forbidden" }, 502],
    ["kubo", "refuse", { status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } }, 502],
    ["pinata", "refuse", { status: 429, body: "", headers: { "retry-after": "77" } }, 503],
    ["pinata", "refuse", { status: 401, body: '{"error":{"message":"no"}}' }, 502],
    ["pinata", "lose", down, 503],
    ["pinata", "lose", { status: 200, body: '{"data":{"id":"7","cid":"bafkreidifferent"}}' }, 502],
    ["pinata", "lose", { status: 200, body: "<html>" }, 502],
  ] as const;

  test.each(cases)("%s, when it is to %s #%$, leaves nothing", async (name, when, reply, status) => {
    const service = images.with(settings[name]);
    const server = name === "kubo" ? kubo : pinata;
    const bytes = await encode(picture(), "png");
    server.fault = { when, reply };
    const response = await service.upload(bytes);
    expect(response.status).toBe(status);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    if (reply?.status === 429) expect(response.headers.get("retry-after")).toBe("77");
    expect(await read(response)).toMatchObject({
      code: status === 503 ? "image_provider_unavailable" : "image_provider_error",
    });
    // What could not be removed while the provider was down is removed by the next upload or sweep.
    const files = (await readdir(images.folder, { recursive: true })).filter((file) => file.includes("bafk"));
    expect(files).toEqual([]);
    const { cid } = await buildDag(bytes).then(({ root }) => ({ cid: root.toString() }));
    expect((await service.app.request(`/ipfs/${cid}`)).status).toBe(404);

    server.fault = undefined;
    expect((await service.upload(bytes)).status).toBe(201);
    expect((await service.app.request(`/ipfs/${cid}`)).status).toBe(200);
  });

  test("a response that never comes is waited for a while", async () => {
    const provider = images.with(settings.kubo).parts.provider;
    expect(provider?.name).toBe("kubo");
    const { createKuboProvider } = await import("./providers/kubo.ts");
    kubo.fault = { when: "refuse", reply: silent };
    const impatient = createKuboProvider({ url: kubo.url, token: "kubo-token", timeoutMs: 100 });
    const bytes = Buffer.from("bytes");
    const dag = await buildDag(bytes);
    await expect(
      impatient.add({ cid: dag.root.toString(), bytes, mimeType: "image/png", dag }),
    ).rejects.toMatchObject({ status: 503, maybeStored: true });
  });

  test("one that can't be reached gives 503 and leaves nothing at all", async () => {
    await kubo.close();
    const response = await images.with(settings.kubo).upload(await encode(picture(), "png"));
    expect([response.status, (await read(response)).code]).toEqual([503, "image_provider_unavailable"]);
    expect(await images.leftovers()).toEqual([]);
    kubo = await startKuboServer();
  });
});

test("with too little free disk an upload is refused before it is read, and what is here is served", async () => {
  const { cid } = await read(images.upload(await encode(picture(), "webp")));
  const service = images.with(settings.local, { minFreeDiskBytes: 2 ** 60 });
  const response = await service.upload(await encode(picture({ seed: 2 }), "webp"));
  expect([response.status, (await read(response)).code]).toEqual([503, "storage_full"]);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await service.app.request(`/ipfs/${cid}`)).status).toBe(200);
  expect(new Set(await images.leftovers())).toEqual(new Set([cid]));
});

test("an uploader without room left gets 429, and others can still upload", async () => {
  const bytes = await encode(picture({ width: 500, height: 400 }), "png");
  const budget = { bytes: 2 ** 30, bytesPerUploader: bytes.length + 20_000 };
  const service = images.with(settings.local, { budget });
  expect((await service.upload(bytes)).status).toBe(201);
  const other = await encode(picture({ width: 500, height: 400, seed: 2 }), "png");
  const refused = await service.upload(other);
  expect([refused.status, (await read(refused)).code]).toEqual([429, "too_many_uploads"]);
  expect((await service.upload(other, "a", "", "192.0.2.2")).status).toBe(201);
});

test("a client with ten uploads in progress is refused one more, and others are not", async () => {
  const endless = new AbortController();
  const slow = Array.from({ length: 10 }, () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n'));
        endless.signal.addEventListener("abort", () => controller.close());
      },
    });
    const headers = { "content-type": "multipart/form-data; boundary=b", "x-forwarded-for": "192.0.2.1" };
    const request = { method: "POST", body, headers, duplex: "half" } as RequestInit;
    return Promise.resolve(images.app.request("/api/upload-image", request));
  });
  const refused = await images.upload(await encode(picture(), "png"));
  expect([refused.status, (await read(refused)).code]).toEqual([429, "too_many_uploads"]);
  expect((await images.upload(await encode(picture(), "png"), "a", "", "192.0.2.2")).status).toBe(201);
  endless.abort();
  expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([400]));
  expect((await images.upload(await encode(picture(), "png"))).status).toBe(201);
});

test("a client with ten uploads to store makes nobody else wait for all of them", async () => {
  const done: string[] = [];
  const uploadAs = async (address: string, bytes: Buffer) => {
    expect((await images.upload(bytes, "a", "", address)).status).toBe(201);
    done.push(address);
  };
  const crowd = await Promise.all(
    Array.from({ length: 10 }, (_, seed) => encode(picture({ width: 700, height: 700, seed }), "png")),
  );
  const uploads = crowd.map((bytes) => uploadAs("192.0.2.1", bytes));
  // By then, all of them have been received.
  await Promise.race(uploads);
  await uploadAs("192.0.2.2", await encode(picture(), "png"));
  // One in each of the two decoders, and one that was about to be stored.
  expect(done.indexOf("192.0.2.2")).toBeLessThan(6);
  await Promise.all(uploads);
});

const isSmallDiskPossible = process.platform === "linux" && process.getuid?.() === 0;
test.skipIf(!isSmallDiskPossible)("a disk that becomes full leads to 503 and leaves nothing", async () => {
  const disk = path.join(images.folder, "disk");
  await mkdir(disk);
  const mount = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
  // Not every machine lets its root mount.
  if (mount.status !== 0) return;
  try {
    const service = images.with(settings.local, { local: createLocalStore(path.join(disk, "images")) });
    // One fails while it is received, the other while it is stored.
    for (const side of [900, 500]) {
      const response = await service.upload(await encode(noise(side), "png"));
      expect([side, response.status, (await read(response)).code]).toEqual([side, 503, "storage_full"]);
      expect(await readdir(path.join(disk, "images", "unfinished"))).toEqual([]);
      expect(await images.leftovers()).toEqual([]);
    }
    expect((await service.upload(await encode(picture(), "png"))).status).toBe(201);
  } finally {
    spawnSync("umount", [disk]);
  }
});

test("an unwritable disk leads to 503 and leaves nothing", async () => {
  await writeFile(path.join(images.folder, "images"), "a file where the folder should be");
  const response = await images.upload(await encode(picture(), "png"));
  expect(response.status).toBe(503);
  expect(await read(response)).toMatchObject({ code: "storage_unavailable" });
  expect(response.headers.get("retry-after")).toBe("10");
  expect(await images.leftovers()).toEqual(["images"]);
});

test("without a database, uploads and images get 503, and nothing is kept", async () => {
  const pool = new pg.Pool({ connectionString: "postgres://nobody@127.0.0.1:1/none", max: 2 });
  const parts = { images: createImageService({ ...images.parts, pool }), trustedHops: 0 };
  const app = new Hono()
    .route("/", createUploadImage(parts))
    .route("/ipfs", createImageGateway(parts))
    .onError(handleError);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(await encode(picture(), "png"))]), "a.png");
  const { root } = await buildDag(Buffer.from("any"));
  const requests = [
    app.request("/api/upload-image", { method: "POST", body: form }),
    app.request(`/ipfs/${root}`),
  ];
  for (const response of await Promise.all(requests)) {
    expect([response.status, (await read(response)).code]).toEqual([503, "storage_unavailable"]);
    expect(response.headers.get("retry-after")).toBe("10");
  }
  expect(await images.leftovers()).toEqual([]);
  await pool.end();
});

test("an upload whose row was committed without an answer succeeds when it is sent again", async () => {
  const url = new URL(images.database.url);
  const proxy = await startCommitProxy(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  const pool = new pg.Pool({ connectionString: url.href });
  // The queries report it.
  const ignore = () => {};
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  const service = images.with(settings.local, { pool });
  const bytes = await encode(picture(), "png");
  const lost = proxy.loseCommitOf("insert into offchain.image");
  expect((await service.upload(bytes)).status).toBe(503);
  await lost;
  const again = await service.upload(bytes);
  expect(again.status).toBe(201);
  const { cid } = await read(again);
  expect((await service.app.request(`/ipfs/${cid}`)).status).toBe(200);
  expect(await images.database.query("select cid from offchain.image where dropped_at is null")).toEqual([
    { cid },
  ]);
  await pool.end();
  await proxy.stop();
});

test("a refused upload leaves nothing", async () => {
  for (const bytes of [Buffer.from("<svg/>"), (await encode(picture(), "png")).subarray(0, 500)])
    expect((await images.upload(bytes)).status).toBeGreaterThanOrEqual(415);
  expect(await images.leftovers()).toEqual([]);
});

describe("the gateway", () => {
  test("serves images that can be cached forever, and nothing that could be executed", async () => {
    const { cid } = await read(images.upload(await encode(picture(), "jpeg")));
    const response = await images.app.request(`/ipfs/${cid}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/jpeg",
      "cache-control": "public, max-age=31536000, immutable",
      etag: `"${cid}"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "content-disposition": `inline; filename="${cid}.jpeg"`,
      "cross-origin-resource-policy": "cross-origin",
    });
    const head = await images.app.request(`/ipfs/${cid}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(response.headers.get("content-length"));

    for (const tag of [`"${cid}"`, `W/"${cid}"`, `"a", "${cid}"`, "*"]) {
      const unchanged = await images.app.request(`/ipfs/${cid}`, { headers: { "If-None-Match": tag } });
      expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
      expect(unchanged.headers.get("etag")).toBe(`"${cid}"`);
    }
    const other = await images.app.request(`/ipfs/${cid}`, { headers: { "If-None-Match": '"other"' } });
    expect(other.status).toBe(200);
  });

  test("serves nothing else, wherever a path leads", async () => {
    const { cid } = await read(images.upload(await encode(picture(), "png")));
    await writeFile(path.join(images.folder, "images", "blocks", "secret"), "SECRET");
    const unknown = (await buildDag(Buffer.from("never uploaded"))).root.toString();
    const paths: [string, number][] = [
      [unknown, 404],
      ["secret", 400],
      ["..", 404],
      ["%2e%2e%2fblocks%2fsecret", 400],
      ["..%2f..%2f..%2fetc%2fpasswd", 400],
      [`${cid}%00`, 400],
      [`${cid}/..`, 404],
      [`${cid}/${cid}`, 404],
      [cid.toUpperCase(), 400],
      ["QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG", 400],
      ["a".repeat(5_000), 400],
      ["%ff%fe", 400],
    ];
    for (const [name, status] of paths) {
      const response = await images.app.request(`/ipfs/${name}`);
      expect([name, response.status]).toEqual([name, status]);
      expect(await response.text()).not.toContain("SECRET");
    }
    // A block of another image, or a leaf, is not an image.
    const large = await read(images.upload(await encode(picture({ width: 500, height: 400 }), "png")));
    const leaves = await readdir(path.join(images.folder, "images", "blocks", large.cid));
    for (const leaf of leaves.filter((name) => name !== large.cid))
      expect((await images.app.request(`/ipfs/${leaf}`)).status).toBe(404);
  });

  test("never serves bytes that have changed on the disk, and another upload repairs them", async () => {
    const bytes = await encode(picture(), "png");
    const { cid } = await read(images.upload(bytes));
    const block = path.join(images.folder, "images", "blocks", cid, cid);
    await writeFile(block, "<script>alert(1)</script>");
    const broken = await images.app.request(`/ipfs/${cid}`);
    expect([broken.status, (await read(broken)).code]).toEqual([404, "image_not_here"]);
    expect(broken.headers.get("cache-control")).toBe("no-store");
    await rm(block);
    expect((await images.app.request(`/ipfs/${cid}`)).status).toBe(404);
    expect((await images.upload(bytes)).status).toBe(201);
    expect((await images.app.request(`/ipfs/${cid}`)).status).toBe(200);
    // Nor the target of a symbolic link, even if it has the same bytes.
    await rename(block, path.join(images.folder, "elsewhere"));
    await symlink(path.join(images.folder, "elsewhere"), block);
    expect((await images.app.request(`/ipfs/${cid}`)).status).toBe(404);
  });

  test("breaks off if a later block has changed on the disk, and returns 404 if one is missing", async () => {
    const { cid } = await read(images.upload(await encode(noise(500), "png")));
    const place = path.join(images.folder, "images", "blocks", cid);
    const content = Buffer.from(await (await images.app.request(`/ipfs/${cid}`)).arrayBuffer());
    const { blocks } = await buildDag(content);
    const [, second] = blocks.filter((block) => block.bytes.length === 262_144);
    const file = path.join(place, String(second?.cid));
    await writeFile(file, Buffer.alloc(262_144, 65));
    const response = await images.app.request(`/ipfs/${cid}`);
    expect(response.status).toBe(200);
    const received: Buffer[] = [];
    await expect(
      (async () => {
        for await (const piece of response.body ?? []) received.push(Buffer.from(piece));
      })(),
    ).rejects.toThrow("could not be sent");
    expect(Buffer.concat(received).equals(content.subarray(0, 262_144))).toBe(true);

    await rm(file);
    expect((await images.app.request(`/ipfs/${cid}`)).status).toBe(404);
    expect((await images.app.request(`/ipfs/${cid}`, { method: "HEAD" })).status).toBe(404);
    const unchanged = { headers: { "If-None-Match": `"${cid}"` } };
    expect((await images.app.request(`/ipfs/${cid}`, unchanged)).status).toBe(304);
  });
});
