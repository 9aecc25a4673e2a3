import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/service/temporary-folder.ts";
import { countTicks } from "../../../test/service/tick-count.ts";
import { acquireBuffer, streamBytes } from "./shared-json.ts";

const length = 1_000_000;
/** The memory that the server's responses used. */
const used = new Set<ArrayBuffer>();
let server: http.Server;
/** A Unix socket: the system buffers little of it before the client reads. */
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let socketPath: string;

beforeAll(async () => {
  server = http.createServer((request, response) => {
    const bytes = acquireBuffer(response, length);
    used.add(bytes.buffer);
    bytes.fill(Number(new URL(request.url ?? "", "http://host").searchParams.get("byte")));
    response.end(bytes);
  });
  place = await temporaryFolder();
  socketPath = path.join(place.folder, "server.sock");
  await once(server.listen(socketPath), "listening");
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await place.remove();
});

async function ask(byte: number, agent: http.Agent | false): Promise<http.IncomingMessage> {
  const request = http.get({ socketPath, path: `/?byte=${byte}`, agent });
  const [response] = await once(request, "response");
  return response;
}

async function expectAll(byte: number, response: http.IncomingMessage): Promise<void> {
  const chunks = await response.toArray();
  const found = Buffer.concat(chunks);
  expect(found.length).toBe(length);
  expect(found.equals(Buffer.alloc(length, byte))).toBe(true);
}

test("consecutive responses are sent from the same memory", async () => {
  used.clear();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (let byte = 1; byte <= 20; byte++) await expectAll(byte, await ask(byte, agent));
  agent.destroy();
  expect(used.size).toBeLessThan(5);
});

test("a slow reader gets its response intact while other clients are answered and some hang up", async () => {
  const late = await Promise.all(Array.from({ length: 8 }, (_, index) => ask(index + 1, false)));
  const leaving = await Promise.all(Array.from({ length: 8 }, (_, index) => ask(index + 101, false)));
  for (const response of leaving) response.destroy();
  for (let byte = 201; byte <= 240; byte++) await expectAll(byte, await ask(byte, false));
  for (const [index, response] of late.entries()) await expectAll(index + 1, response);
});

test("without a Node server each buffer is new", () => {
  expect(acquireBuffer(undefined, 10)).toHaveLength(10);
});

const megabyte = Uint8Array.from({ length: 2 ** 20 }, (_, index) => index % 251);

test("however many downloads there are, the event loop ticks after each chunk", async () => {
  const ticks = countTicks();
  const bodies = await Promise.all(
    Array.from({ length: 20 }, () => new Response(streamBytes(megabyte)).bytes()),
  );
  ticks.stop();
  for (const body of bodies) expect(Buffer.compare(body, megabyte)).toBe(0);
  expect(ticks.now()).toBeGreaterThanOrEqual((20 * megabyte.length) / (64 * 1_024));
});

test("a download that ends early takes no more turns", async () => {
  const reader = streamBytes(megabyte).getReader();
  const { value } = await reader.read();
  expect(value).toHaveLength(64 * 1_024);
  const next = reader.read();
  await reader.cancel();
  expect((await next).done).toBe(true);
});
