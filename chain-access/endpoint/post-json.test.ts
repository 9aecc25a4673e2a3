import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Behaviour, hanging, respondingWith, startEndpointServer } from "../fixtures/endpoint-server.ts";
import { postJson } from "./post-json.ts";

const limits = { timeoutMs: 60_000, maxBytes: 1_000 };
const question = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';

async function post(behaviour: Behaviour, changes: Partial<Parameters<typeof postJson>[2]> = {}) {
  const { url } = await startEndpointServer(behaviour);
  return await postJson(new URL(url), question, { ...limits, ...changes });
}

test("the answer's text, status and Retry-After come back, and the question arrived", async () => {
  const { url, received } = await startEndpointServer(respondingWith(429, "später", { "retry-after": "7" }));
  expect(await postJson(new URL(url), question, limits)).toEqual({
    status: 429,
    retryAfter: "7",
    text: "später",
  });
  expect(received).toEqual([JSON.parse(question)]);
});

test("an answer may be compressed, and the limit applies to its decompressed size", async () => {
  const compressed =
    (bytes: number): Behaviour =>
    (_requests, response, request) => {
      expect(request.headers["accept-encoding"]).toBe("gzip");
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(bytes)));
    };
  expect((await post(compressed(1_000))).text).toHaveLength(1_000);
  await expect(post(compressed(1_001))).rejects.toMatchObject({
    kind: "server",
    message: expect.stringMatching(/more than 1000/),
  });
});

test("an answer that claims to be compressed and isn't is a fault", async () => {
  const answer = respondingWith(200, "{}", { "content-encoding": "gzip" });
  await expect(post(answer)).rejects.toMatchObject({
    kind: "server",
    message: expect.stringMatching(/^connection failed: Z_/),
  });
});

test("no redirect is followed", async () => {
  const elsewhere = await startEndpointServer(respondingWith(200, "{}"));
  const { status } = await post(respondingWith(307, "", { location: elsewhere.url }));
  expect([status, elsewhere.received]).toEqual([307, []]);
});

test("a late answer is a fault, and so is one that breaks off", async () => {
  await expect(post(hanging, { timeoutMs: 100 })).rejects.toMatchObject({ kind: "timeout" });
  const slow: Behaviour = (_, response) => void response.write("{");
  await expect(post(slow, { timeoutMs: 100 })).rejects.toMatchObject({ kind: "timeout" });
  const breaking: Behaviour = (_, response) => void response.write("{", () => response.destroy());
  await expect(post(breaking)).rejects.toMatchObject({
    kind: "server",
    message: expect.stringMatching(/: ECONNRESET$/),
  });
});

test("a request can be aborted before and while it is sent", async () => {
  const reason = new Error("called off");
  await expect(post(hanging, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const calling = new AbortController();
  const callOff: Behaviour = () => calling.abort(reason);
  await expect(post(callOff, { signal: calling.signal })).rejects.toBe(reason);
});

test("a kept-alive connection that the endpoint closes is replaced by a new one", async () => {
  const sockets: Socket[] = [];
  let isRude = false;
  const { url, received } = await startEndpointServer((_, response, { socket }) => {
    // The request has already arrived: the client could not have known.
    if (isRude && sockets.includes(socket)) return void socket.resetAndDestroy();
    sockets.push(socket);
    response.end("{}");
  });
  await postJson(new URL(url), question, limits);
  isRude = true;
  expect(await postJson(new URL(url), question, limits)).toMatchObject({ status: 200, text: "{}" });
  expect([received.length, sockets.length]).toEqual([3, 2]);
});
