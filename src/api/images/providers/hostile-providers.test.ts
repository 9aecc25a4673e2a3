import type { ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { endless, type HostileServer, startHostileServer } from "../../../../test/doubles/hostile-server.ts";
import { buildDag } from "../dag.ts";
import { createKuboProvider } from "./kubo.ts";
import { createPinataProvider } from "./pinata.ts";
import type { ProviderError } from "./provider.ts";
import { createS3Provider } from "./s3.ts";

const servers: HostileServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function start(answer: (response: ServerResponse) => void) {
  const server = await startHostileServer(answer);
  servers.push(server);
  return server;
}

const timeoutMs = 20_000;
const providers = {
  kubo: (url: string) => createKuboProvider({ url, token: "secret", timeoutMs }),
  pinata: (url: string) => createPinataProvider({ jwt: "secret", uploadUrl: url, apiUrl: url, timeoutMs }),
  s3: (url: string) =>
    createS3Provider({
      endpoint: url.replace(/\/$/, ""),
      bucket: "images",
      region: "auto",
      accessKeyId: "id",
      secretAccessKey: "secret",
      prefix: "",
      timeoutMs,
    }),
};
const names = ["kubo", "pinata", "s3"] as const;

async function add(name: (typeof names)[number], url: string) {
  const dag = await buildDag(Buffer.from("bytes"));
  const image = { cid: dag.root.toString(), bytes: Buffer.from("bytes"), mimeType: "image/png", dag };
  return await providers[name](url).add(image);
}

test.each(names)("an endless answer of %s is cut off", async (name) => {
  const hostile = await start(endless);
  await expect(add(name, hostile.url)).rejects.toMatchObject({ status: 502 });
  await expect.poll(() => hostile.seen.cut).toBe(1);
});

test.each(names)("a redirect of %s is not followed, with the token or without", async (name) => {
  const inside = await start((response) => response.end("{}"));
  const hostile = await start((response) => response.writeHead(307, { location: inside.url }).end());
  // Neither is it tried again later: the address is wrong.
  const refused = { status: 502, reason: "refused with status 307", maybeStored: false };
  await expect(add(name, hostile.url)).rejects.toMatchObject(refused);
  expect([hostile.seen.requests, inside.seen.requests]).toEqual([1, 0]);
});

test.each(names)("%s may name a number of seconds or a date to wait for, within an hour", async (name) => {
  const inTenMinutes = new Date(Date.now() + 600_000).toUTCString();
  for (const [retryAfter, least, most] of [
    ["7", 7, 7],
    [inTenMinutes, 300, 600],
    ["86400", 3_600, 3_600],
    ["soon", 30, 30],
  ] as const) {
    const busy = await start((response) => response.writeHead(503, { "retry-after": retryAfter }).end());
    const failed = await add(name, busy.url).catch((error: unknown) => error);
    const { retryAfter: seconds = 0 } = failed as ProviderError;
    expect(seconds).toBeGreaterThanOrEqual(least);
    expect(seconds).toBeLessThanOrEqual(most);
  }
});

test.each(names)("no response contains what %s says, least of all a token", async (name) => {
  // S3 has nothing to say about success.
  for (const status of name === "s3" ? [400, 500] : [200, 400, 500]) {
    const hostile = await start((response) =>
      response.writeHead(status).end('{"Hash":7,"Message":"Bearer secret","data":{"id":-1,"cid":[]}}'),
    );
    await expect(add(name, hostile.url)).rejects.toMatchObject({
      message: expect.not.stringContaining("secret"),
    });
  }
});
