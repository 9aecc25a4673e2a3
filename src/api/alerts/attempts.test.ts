import { Resolver } from "node:dns/promises";
import { BlockList } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "../../../test/doubles/http-server.ts";
import { createAttempt, PostponedError } from "./attempts.ts";
import { newSecret } from "./receiver-secrets.ts";
import { createWebhookSender } from "./webhook-request.ts";

const servers: HttpServer[] = [];
const senders: { close(): void }[] = [];
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close();
  for (const server of servers.splice(0)) await server.close();
});

type Options = {
  /** Resolves to the addresses of a name. */
  resolve?: (name: string) => Promise<string[]>;
  proxy?: string;
  maxWaitMs?: number;
};

/** Returns what sends to a URL. */
function createSend({ resolve = async () => [], proxy, maxWaitMs }: Options) {
  const privateNetworks = new BlockList();
  privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
  privateNetworks.addSubnet("fd00::", 8, "ipv6");
  const resolver = Object.assign(new Resolver(), { resolve4: resolve, resolve6: async () => [] });
  const settings = { privateNetworks, proxy, requestsPerHost: 10_000 };
  const sender = createWebhookSender({ ...settings, resolver });
  senders.push(sender);
  const attempt = createAttempt(settings, sender, maxWaitMs);
  return (url: string) => attempt({ url, secret: newSecret() }, "1", "{}");
}

/** Starts a server that answers nothing until its `release` is called. */
async function startHanging(host: string, port?: number) {
  const released = Promise.withResolvers<void>();
  const hanging = { requests: 0, release: released.resolve };
  const server = await startHttpServer(
    async () => {
      hanging.requests++;
      await released.promise;
      return { status: 204, body: "" };
    },
    port,
    host,
  );
  servers.push(server);
  return Object.assign(hanging, { port: Number(new URL(server.url).port) });
}

async function startAnswering(): Promise<string> {
  const server = await startHttpServer(async () => ({ status: 204, body: "" }), 0, "127.0.0.2");
  servers.push(server);
  return server.url;
}

test("however many names lead to an address that hangs, others get theirs at once", async () => {
  const send = createSend({ resolve: async () => ["127.0.0.1"] });
  const hanging = await startHanging("127.0.0.1");
  const answering = await startAnswering();
  // More than may be sent at a time, ten to a name.
  const stuck = Array.from({ length: 260 }, (_, count) =>
    send(`http://${count % 26}.otter.example:${hanging.port}/`),
  );
  await expect.poll(() => hanging.requests).toBe(32);
  expect(await send(answering)).toMatchObject({ status: 204 });
  expect(hanging.requests).toBe(32);
  hanging.release();
  expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(new Set([204]));
});

test("addresses of one IPv6 /48 count as one", async () => {
  let requests = 0;
  const ended = Promise.withResolvers<void>();
  const proxy = await startHttpServer(async ({ headers }) => {
    if (headers.host === "[fd00:1:3::1]") return { status: 204, body: "" };
    requests++;
    await ended.promise;
    return { status: 204, body: "" };
  });
  servers.push(proxy);
  const send = createSend({ proxy: proxy.url });
  const stuck = Array.from({ length: 40 }, (_, count) => send(`http://[fd00:1:2:${1 + (count % 4)}::1]/`));
  await expect.poll(() => requests).toBe(32);
  expect(await send("http://[fd00:1:3::1]/")).toMatchObject({ status: 204 });
  expect(requests).toBe(32);
  ended.resolve();
  await Promise.all(stuck);
});

test("names whose look-up hangs delay no other", async () => {
  const ended = Promise.withResolvers<string[]>();
  let lookups = 0;
  const send = createSend({
    resolve: async (name) => {
      if (name === "quick.example") return ["127.0.0.2"];
      lookups++;
      return await ended.promise;
    },
  });
  const answering = await startAnswering();
  const stuck = Array.from({ length: 312 }, (_, count) => send(`http://${count % 26}.otter.example/`));
  await expect.poll(() => lookups).toBe(260);
  const { port } = new URL(answering);
  expect(await send(`http://quick.example:${port}/`)).toMatchObject({ status: 204 });
  expect(lookups).toBe(260);
  ended.resolve([]);
  expect(new Set((await Promise.all(stuck)).map(({ errorCode }) => errorCode))).toEqual(
    new Set(["unresolved"]),
  );
});

test("an attempt waits for its host and its address no longer than another for its address alone", async () => {
  const addresses = new Map<string, string>([["busy.example", "127.0.0.2"]]);
  const send = createSend({
    resolve: async (name) => [addresses.get(name) ?? "127.0.0.1"],
    maxWaitMs: 2_000,
  });
  const hanging = await startHanging("127.0.0.1");
  const busy = await startHanging("127.0.0.2", hanging.port);
  const stuck = Array.from({ length: 32 }, (_, count) =>
    send(`http://${count % 4}.otter.example:${hanging.port}/`),
  );
  stuck.push(...Array.from({ length: 10 }, () => send(`http://busy.example:${busy.port}/`)));
  await expect.poll(() => [hanging.requests, busy.requests]).toEqual([32, 10]);

  const postponed: string[] = [];
  const wait = (host: string) =>
    send(`http://${host}:${hanging.port}/`).catch((error: unknown) => {
      expect(error).toBeInstanceOf(PostponedError);
      postponed.push(host);
    });
  const waiting = [wait("busy.example"), wait("9.otter.example")];
  // Now the first one's host is free, and leads to the address at which the other one waits already.
  addresses.set("busy.example", "127.0.0.1");
  busy.release();
  await Promise.all(waiting);
  expect(postponed).toEqual(["busy.example", "9.otter.example"]);
  hanging.release();
  expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(new Set([204]));
});
