import type { ServerResponse } from "node:http";
import { type AddressInfo, BlockList, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HostileServer, startHostileServer } from "../../../test/doubles/hostile-server.ts";
import { loopbackCertificate } from "../../../test/doubles/loopback-certificate.ts";
import { temporaryFolder } from "../../../test/service/temporary-folder.ts";
import { createOutbound } from "../http/outbound.ts";
import { createImageFetcher, type FetchImage } from "./fetch-image.ts";
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

type Options = { isLoopbackAllowed?: boolean; ca?: string; timeoutMs?: number; signal?: AbortSignal };

async function fetchFrom(url: string, { isLoopbackAllowed = true, ca, ...options }: Options = {}) {
  const privateNetworks = new BlockList();
  if (isLoopbackAllowed) privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
  const outbound = createOutbound({ privateNetworks, proxy: undefined, ...(ca && { ca }) });
  const spool = createSpool({ folder: place.folder, memoryBytes: 1_024 });
  try {
    await createImageFetcher(outbound)(new URL(url), { spool, client: "client", ...options });
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

test("an image that comes in many chunks is read to its end", async () => {
  const piece = Buffer.alloc(500, "otter");
  const { url } = await serve((response) => {
    for (let sent = 0; sent < 4_000; sent++) response.write(piece);
    response.end();
  });
  expect(await fetchFrom(url)).toHaveLength(4_000 * piece.length);
});

test.each([
  ["interim responses", "HTTP/1.1 103 Early Hints\r\n\r\n", "", /too many interim/],
  ["chunks", "1\r\nx\r\n", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", /too small/],
])("an endless answer of small %s is given up at once", async (_, piece, head, message) => {
  const pieces = piece.repeat(1_000);
  const server = createServer((socket) => {
    const goOn = () => {
      while (!socket.destroyed && socket.write(pieces));
    };
    socket.on("error", () => {}).on("drain", goOn);
    socket.once("data", () => {
      socket.write(head);
      goOn();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  await expect(fetchFrom(`http://127.0.0.1:${port}/a.png`)).rejects.toMatchObject(failed(message));
});

test("an endless answer of small TLS records is given up at once, and one of ordinary records is read", async () => {
  const image = Buffer.alloc(2_000_000, "otter");
  const serveInPieces = async (size: number) => {
    const server = createTlsServer(loopbackCertificate, (socket) => {
      socket
        .on("error", () => {})
        .once("data", () => {
          socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${image.length}\r\n\r\n`);
          // Written one after the other, each is a record of its own.
          const goOn = (at: number) => {
            if (at >= image.length) socket.end();
            else if (!socket.destroyed) socket.write(image.subarray(at, at + size), () => goOn(at + size));
          };
          goOn(0);
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanUps.push(() => server.close());
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
  };
  const ca = loopbackCertificate.cert;
  await expect(fetchFrom(await serveInPieces(1), { ca })).rejects.toMatchObject(failed(/too small/));
  expect(await fetchFrom(await serveInPieces(1_369), { ca })).toHaveLength(image.length);
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

/** Begins to fetch an image of one server for a client with each of the signals. Their results are "fetched", or the code of the error. */
function fetchMany(
  fetchImage: FetchImage,
  url: string,
  client: string,
  signals: (AbortSignal | undefined)[],
) {
  return signals.map(async (signal) => {
    const spool = createSpool({ folder: place.folder, memoryBytes: 1_024 });
    try {
      await fetchImage(new URL(url), { spool, client, ...(signal && { signal }) });
      return "fetched";
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await spool.close();
    }
  });
}

function createLoopbackFetcher(): FetchImage {
  const privateNetworks = new BlockList();
  privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
  const outbound = createOutbound({ privateNetworks, proxy: undefined });
  cleanUps.push(() => outbound.close());
  return createImageFetcher(outbound);
}

test("four at a time are fetched from one address, and one whose slot is revoked ends", async () => {
  const waiting: ServerResponse[] = [];
  const { url } = await serve((response) => void waiting.push(response));
  const fetchImage = createLoopbackFetcher();
  const revoked = new AbortController();
  const greedy = fetchMany(fetchImage, url, "greedy", [revoked.signal, ...Array(5)]);
  await expect.poll(() => waiting.length).toBe(2);
  // One client's share leaves room for others, although its server doesn't answer.
  const others = ["one", "other"].flatMap((client) => fetchMany(fetchImage, url, client, [undefined]));
  await expect.poll(() => waiting.length).toBe(4);
  revoked.abort();
  await expect.poll(() => waiting.length).toBe(5);
  for (let answered = 0; answered < 8; answered++) {
    await expect.poll(() => waiting.length).toBeGreaterThan(answered);
    waiting[answered]?.end("image");
  }
  expect(await Promise.all(greedy)).toEqual(["busy", ...Array(5).fill("fetched")]);
  expect(await Promise.all(others)).toEqual(["fetched", "fetched"]);
});
