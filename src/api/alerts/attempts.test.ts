import { spawn, spawnSync } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { BlockList } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../runtime/checks/host.ts";
import { type HttpServer, startHttpServer } from "../../../test/doubles/http-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../test/doubles/webhook-receiver.ts";
import { createAttempt, createAttemptsThread, PostponedError, sendOnce } from "./attempts.ts";
import { toBody } from "./messages.ts";
import { newSecret, rotate } from "./receiver-secrets.ts";
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
  requestsPerHost?: number;
};

/** Returns what sends to a URL. */
function createSend({ resolve = async () => [], proxy, maxWaitMs, requestsPerHost = 10_000 }: Options) {
  const privateNetworks = new BlockList();
  privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
  privateNetworks.addSubnet("fd00::", 8, "ipv6");
  const resolver = Object.assign(new Resolver(), { resolve4: resolve, resolve6: async () => [] });
  const settings = { privateNetworks, proxy, requestsPerHost };
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

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function startThread(requestsPerHost = 1_000) {
  const privateNetworks = new BlockList();
  privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
  const thread = createAttemptsThread({ privateNetworks, proxy: undefined, requestsPerHost });
  cleanUps.push(thread.stop);
  return thread;
}

async function receive(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  cleanUps.push(receiver.close);
  receiver.secret = newSecret();
  return receiver;
}

const message = { id: "alert_1.1", type: "test", timestamp: "", subscription: "alert_1", data: {} };
const bodyOf = (id: string) => JSON.stringify({ ...message, id });

test("messages are signed, with earlier secrets too for a while, and sent from another thread", async () => {
  const { attempt } = startThread();
  const receiver = await receive();
  const { url, secret = "" } = receiver;
  expect(await sendOnce(attempt, { url, secret }, message)).toMatchObject({ status: 204, error: null });
  // Whoever has lost the answer to a rotation rotates again.
  const rotated = rotate(rotate({ url, secret }));
  expect(await sendOnce(attempt, rotated, message)).toMatchObject({ status: 204, error: null });
  const past = { ...rotated, previous: [{ secret, until: new Date(0).toISOString() }] };
  expect(await sendOnce(attempt, past, message)).toMatchObject({ status: 599, error: "it answered 599" });
  expect(receiver.messages).toHaveLength(2);
});

test("beyond an address's budget, and after the lease has ended, nothing is sent", async () => {
  const { attempt } = startThread(1);
  const { url, secret = "", messages } = await receive();
  await expect(attempt({ url, secret }, "1", bodyOf("1"), Date.now() - 1)).rejects.toThrow(PostponedError);
  expect((await attempt({ url, secret }, "2", bodyOf("2"))).status).toBe(204);
  await expect(attempt({ url, secret }, "3", bodyOf("3"))).rejects.toThrow(PostponedError);
  expect(messages.map(({ id }) => id)).toEqual(["2"]);
});

test("an address's budget keeps a receiver waiting for a minute at most, also after the clock was set back", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const send = createSend({ requestsPerHost: 1 });
  const url = await startAnswering();
  expect(await send(url)).toMatchObject({ status: 204 });
  vi.setSystemTime(Date.now() - 86_400_000);
  const error = await send(url).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PostponedError);
  expect((error as PostponedError).milliseconds).toBeLessThanOrEqual(60_000);
});

test("a thread that ends postpones what it was sending, and the next attempt starts another", async () => {
  const { attempt, stop } = startThread();
  const receiver = await receive();
  const { url, secret = "" } = receiver;
  receiver.answer = () => undefined;
  const hanging = attempt({ url, secret }, "1", bodyOf("1"));
  await expect.poll(() => receiver.requests).toBe(1);
  await Promise.all([expect(hanging).rejects.toThrow(PostponedError), stop()]);
  receiver.answer = undefined;
  expect((await attempt({ url, secret }, "1", bodyOf("1"))).status).toBe(204);
});

test("while ten receivers on one host hang, others get theirs at once", async () => {
  const { attempt } = startThread();
  const hanging = await receive();
  hanging.answer = () => undefined;
  const others = await receive();
  const stuck = Array.from({ length: 30 }, (_, n) =>
    attempt({ url: hanging.url, secret: hanging.secret ?? "" }, `${n}`, bodyOf(`${n}`)).catch(() => {}),
  );
  await expect.poll(() => hanging.requests).toBe(10);
  expect((await attempt({ url: others.url, secret: others.secret ?? "" }, "1", bodyOf("1"))).status).toBe(
    204,
  );
  expect(hanging.requests).toBe(10);
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await Promise.all(stuck);
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.each([
  { language: "js", command: process.execPath, args: ["--input-type=module", "-e"] },
  ...(hasPython ? [{ language: "python", command: "python3", args: ["-c"] }] : []),
])(
  "the receiver in the documentation works as it is printed: $language",
  async ({ language, command, args }) => {
    const text = readFileSync("docs/alerts.md", "utf8");
    const [, code = ""] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(text) ?? [];
    const port = await freePort();
    const secret = newSecret();
    const receiver = spawn(command, [...args, code], {
      env: { PATH: process.env.PATH, PORT: String(port), ALERT_SECRET: secret },
    });
    cleanUps.push(async () => {
      receiver.kill();
      if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, "exit");
    });
    let output = "";
    receiver.stdout.on("data", (chunk) => {
      output += chunk;
    });
    const url = `http://127.0.0.1:${port}/`;
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);

    const { attempt } = startThread();
    const challenge = { ...message, id: "alert_1.0", type: "challenge", data: { challenge: "echo this" } };
    expect(await sendOnce(attempt, { url, secret: newSecret() }, challenge)).toMatchObject({
      answer: "echo this",
    });
    // What isn't a message, as strangers and scanners send it.
    for (const body of ["", "null", "[]", "{}", '{"type":"challenge"}']) {
      expect((await fetch(url, { method: "POST", body })).status).toBe(401);
    }
    expect(await sendOnce(attempt, { url, secret: newSecret() }, message)).toMatchObject({ status: 401 });
    const trades = ["alert_1.1", "alert_1.2"].map((id) => ({
      ...message,
      id,
      type: "trade",
      data: { mint: id },
    }));
    const { id, body } = toBody(trades, true);
    for (let count = 0; count < 2; count++)
      expect(await attempt({ url, secret }, id, body)).toMatchObject({ status: 204 });
    expect(await sendOnce(attempt, { url, secret }, { ...message, id: "alert_1.3" })).toMatchObject({
      status: 204,
    });
    await expect.poll(() => output).toMatch(/trade.*alert_1\.1.*trade.*alert_1\.2.*test/s);
    expect(output.match(/trade/g)).toHaveLength(2);
  },
);
