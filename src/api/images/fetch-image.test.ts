import type { ServerResponse } from "node:http";
import { BlockList } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HostileServer, startHostileServer } from "../../../test/doubles/hostile-server.ts";
import { temporaryFolder } from "../../../test/service/temporary-folder.ts";
import { createOutbound } from "../http/outbound.ts";
import { createImageFetcher } from "./fetch-image.ts";
import { imageLimits } from "./limits.ts";
import { createSpool } from "./receive-image.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
const cleanUps: (() => unknown)[] = [];
beforeEach(async () => {
  place = await temporaryFolder();
  cleanUps.push(place.remove);
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function serve(answer: (response: ServerResponse) => void): Promise<HostileServer> {
  const server = await startHostileServer(answer);
  cleanUps.push(() => server.stop());
  return server;
}

type Options = { isLoopbackAllowed?: boolean; timeoutMs?: number; signal?: AbortSignal };

async function fetchFrom(url: string, { isLoopbackAllowed = true, ...options }: Options = {}) {
  const privateNetworks = new BlockList();
  if (isLoopbackAllowed) privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
  const outbound = createOutbound({ privateNetworks, proxy: undefined });
  const spool = createSpool({ folder: place.folder, memoryBytes: 1_024 });
  try {
    await createImageFetcher(outbound)(new URL(url), { spool, ...options });
    return await spool.read();
  } finally {
    await spool.close();
    outbound.close();
  }
}

const failed = (message: RegExp) => ({
  status: 422,
  code: "image_url_failed",
  message: expect.stringMatching(message),
});

test("the bytes at the URL come back, whatever the answer says that they are", async () => {
  const bytes = Buffer.alloc(imageLimits.bytes, "otter");
  const { url } = await serve((response) => {
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(bytes);
  });
  expect((await fetchFrom(url)).equals(bytes)).toBe(true);
});

test.each([
  "https://127.0.0.1/a.png",
  "https://[::ffff:169.254.169.254]/latest/meta-data",
  "https://2130706433/",
  "https://localhost/a.png",
  "http://1.1.1.1/a.png",
])("nothing is fetched from %s", async (url) => {
  const { code } = await fetchFrom(url, { isLoopbackAllowed: false }).catch((error) => error);
  expect(code).toBe("image_url_failed");
});

test("a redirect is not followed, and no other answer than 200 is an image", async () => {
  const elsewhere = await serve((response) => response.end("secret"));
  const { url } = await serve((response) => response.writeHead(302, { location: elsewhere.url }).end());
  await expect(fetchFrom(url)).rejects.toMatchObject(failed(/answered 302, and redirects are not followed/));
  const missing = await serve((response) => response.writeHead(404).end("secret"));
  await expect(fetchFrom(missing.url)).rejects.toMatchObject(failed(/answered 404\.$/));
  expect(elsewhere.seen.requests).toBe(0);
});

test("reading stops at the first byte beyond the limit", async () => {
  const { url, seen } = await serve((response) => {
    response.writeHead(200);
    const more = Buffer.alloc(64 * 1_024);
    const goOn = () => {
      while (!response.destroyed && response.write(more));
    };
    response.on("drain", goOn);
    goOn();
  });
  await expect(fetchFrom(url)).rejects.toMatchObject({ status: 413, code: "image_too_large" });
  await expect.poll(() => seen.cut).toBe(1);
});

test("a server that doesn't answer, or not to the end, is given up in time", async () => {
  for (const begin of [
    () => {},
    (response: ServerResponse) => void response.writeHead(200).write("begins"),
  ]) {
    const { url, seen } = await serve(begin);
    await expect(fetchFrom(url, { timeoutMs: 200 })).rejects.toMatchObject(failed(/within 0.2 s/));
    await expect.poll(() => seen.cut).toBe(1);
  }
  const { url } = await serve((response) => response.writeHead(200, { "content-length": 9 }).destroy());
  await expect(fetchFrom(url)).rejects.toMatchObject(failed(/broke off/));
});

test("four at a time are fetched from one address, and one whose slot is revoked ends", async () => {
  const waiting: ServerResponse[] = [];
  const { url } = await serve((response) => void waiting.push(response));
  const privateNetworks = new BlockList();
  privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
  const outbound = createOutbound({ privateNetworks, proxy: undefined });
  const fetchImage = createImageFetcher(outbound);
  const revoked = new AbortController();
  const fetches = Array.from({ length: 6 }, async (_, at) => {
    const spool = createSpool({ folder: place.folder, memoryBytes: 1_024 });
    const signal = at === 0 ? revoked.signal : undefined;
    try {
      await fetchImage(new URL(url), { spool, ...(signal && { signal }) });
      return "fetched";
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await spool.close();
    }
  });
  await expect.poll(() => waiting.length).toBe(4);
  revoked.abort();
  await expect.poll(() => waiting.length).toBe(5);
  for (let answered = 0; answered < 6; answered++) {
    await expect.poll(() => waiting.length).toBeGreaterThan(answered);
    waiting[answered]?.end("image");
  }
  expect(await Promise.all(fetches)).toEqual(["busy", ...Array(5).fill("fetched")]);
  outbound.close();
});
