import { once } from "node:events";
import http, { type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { until } from "../../../test/service/condition.ts";
import { connect, problemIn, type RawClient } from "../../../test/service/raw-client.ts";
import { createAccessLog } from "./access-log.ts";
import { createHttpLimits, type HttpLimitsOptions } from "./http-limits.ts";

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server with limits. Its timeouts are longer than any test takes, except those that the test sets. */
async function serve(listener: RequestListener, options: Partial<HttpLimitsOptions> = {}) {
  const httpLimits = createHttpLimits({
    connectionsPerAddress: undefined,
    hidden: new Set(["/metrics"]),
    shared: new Set(["/ready"]),
    ...options,
    limits: {
      headersMs: 100_000,
      bodyGraceMs: 100_000,
      bodyMs: 200_000,
      unreadMs: 100_000,
      sweepMs: 50,
      ...options.limits,
    },
  });
  const server = httpLimits.createServer(http.createServer, {}, listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  let pending = 0;
  server.on("request", (_, response) => {
    pending++;
    response.once("close", () => pending--);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (
    localAddress?: string,
    options: { allowHalfOpen?: boolean } = {},
  ): Promise<RawClient> => {
    const client = await connect(port, { ...options, ...(localAddress && { localAddress }) });
    closing.push(client.close);
    return client;
  };
  return {
    port,
    open,
    /** Connections so far. */
    accepted: () => sockets.size,
    openNow: () => [...sockets].filter((socket) => !socket.destroyed).length,
    /** Requests that have not been answered. */
    pending: () => pending,
    /** Bytes that the server has read from all connections so far. */
    bytesRead: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0),
    get: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
    /** Bytes of answers that are buffered for clients. */
    held: () => [...sockets].reduce((sum, socket) => sum + (socket.destroyed ? 0 : socket.writableLength), 0),
  };
}

const echo: RequestListener = async (request, response) => {
  let length = 0;
  try {
    for await (const chunk of request) length += chunk.length;
  } catch {
    // A route would carry on, too.
  }
  response.writeHead(200).end(String(length));
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: h\r\n\r\n`;
const post = (length: number) => `POST /body HTTP/1.1\r\nhost: h\r\ncontent-length: ${length}\r\n\r\n`;

test("headers that don't arrive, or trickle in, get 408", async () => {
  const { open } = await serve(echo, { limits: { headersMs: 300 } });
  const [silent, slow] = [await open(), await open()];
  slow.send("GET / HTTP/1.1\r\nhost: h\r\n");
  for (const client of [silent, slow]) {
    expect(problemIn(await client.closed())).toMatchObject({ status: 408, code: "request_timeout" });
  }
});

test.each([
  ["announced", `${post(1_000)}x`],
  ["in chunks", "POST /body HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"],
])("a body, %s, that does not arrive gets 408, and its route's answer is discarded", async (_, head) => {
  const { open } = await serve(echo, { limits: { bodyGraceMs: 300 } });
  const client = await open();
  client.send(head);
  const text = await client.closed();
  expect(problemIn(text)).toMatchObject({ status: 408, code: "request_timeout" });
  expect(text).toContain("Connection: close");
});

test("a body that keeps arriving gets through, and one that trickles in does not", async () => {
  const { open } = await serve(echo, { limits: { bodyGraceMs: 2_000 } });
  const feed = async (client: RawClient, bytes: number, count: number) => {
    client.send(post(bytes * count));
    for (let sent = 0; sent < count && !client.isClosed(); sent++) {
      client.send(Buffer.alloc(bytes));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const [honest, trickling] = [await open(), await open()];
  trickling.read();
  await Promise.all([feed(honest, 20_000, 40), feed(trickling, 1, 10_000)]);
  expect(await honest.answers()).toEqual([200]);
  expect(problemIn(await trickling.closed())).toMatchObject({ status: 408 });
});

test("a client is not blamed for a body that nobody reads yet", async () => {
  let goOn = () => {};
  const listener: RequestListener = async (request, response) => {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    echo(request, response);
  };
  const { open } = await serve(listener, { limits: { bodyGraceMs: 300 } });
  const client = await open();
  client.send(post(5_000_000));
  client.send(Buffer.alloc(5_000_000));
  await new Promise((resolve) => setTimeout(resolve, 600));
  goOn();
  expect(await client.answers()).toEqual([200]);
});

const large = Buffer.alloc(8_000_000);
const sendLarge: RequestListener = (_, response) => void response.writeHead(200).end(large);

test("a client that reads none of an answer is disconnected, and one that reads slowly gets all of it", async () => {
  const { open, held } = await serve(sendLarge, { limits: { unreadMs: 3_000 } });
  const [stalled, slow] = [await open(), await open()];
  for (const client of [stalled, slow]) client.send(get("/"));
  let received = 0;
  slow.socket.on("data", (chunk) => {
    received += chunk.length;
    slow.socket.pause();
    setTimeout(() => slow.socket.resume(), 2);
  });
  stalled.socket.resume().pause();
  await until("all of it", async () => received > large.length || slow.isClosed());
  expect(received).toBeGreaterThan(large.length);
  await until("nothing to be held", async () => held() === 0);
});

test("an open answer with nothing to read, such as a quiet stream, is left alone", async () => {
  let write = (_: string) => {};
  const listener: RequestListener = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    write = (text) => response.write(text);
  };
  const { open } = await serve(listener, { limits: { unreadMs: 400 } });
  const client = await open();
  client.send(get("/"));
  await client.answers();
  await new Promise((resolve) => setTimeout(resolve, 800));
  write("still here");
  await until("the event", async () => client.text().includes("still here"));
});

test("buffered answers stay within the budgets per address and in total", async () => {
  const {
    open,
    held,
    get: fetched,
  } = await serve(sendLarge, {
    connectionsPerAddress: 100,
    limits: { unreadMs: 60_000, unreadBytesPerAddress: 20_000_000, unreadBytes: 50_000_000 },
  });
  const clients = await Promise.all(Array.from({ length: 12 }, () => open("127.0.0.2")));
  for (const client of clients) client.send(get("/"));
  await until("most of them to be cut off", async () => {
    for (const client of clients) if (!client.isClosed()) client.socket.read(0);
    return held() > 0 && held() <= 20_000_000;
  });

  const addresses = Array.from({ length: 10 }, (_, index) => `127.0.1.${index + 1}`);
  for (const address of addresses) (await open(address)).send(get("/"));
  expect((await (await fetched("/")).arrayBuffer()).byteLength).toBe(large.length);
  await until("the others to be cut off too", async () => held() <= 50_000_000);
});

test("behind a proxy, where all clients share an address, only the total budget applies", async () => {
  const limits = { unreadMs: 60_000, unreadBytesPerAddress: 1_000, unreadBytes: 100_000_000 };
  const { open, held } = await serve(sendLarge, { connectionsPerAddress: undefined, limits });
  const clients = await Promise.all(Array.from({ length: 5 }, () => open()));
  for (const client of clients) client.send(get("/"));
  await until("all answers to wait", async () => held() > 4 * large.length);
  expect(clients.some((client) => client.isClosed())).toBe(false);
});

test("a single answer larger than the budget is not abuse", async () => {
  const { get: fetched } = await serve(sendLarge, {
    limits: { unreadBytes: 1_000, unreadBytesPerAddress: 10 },
  });
  expect((await (await fetched("/")).arrayBuffer()).byteLength).toBe(large.length);
});

/** Answers all requests but those to /pending. */
const echoUnlessPending: RequestListener = (request, response) => {
  if (request.url !== "/pending") void echo(request, response);
};

test("connections are limited per address, and idle ones give way to new ones", async () => {
  const { open, pending } = await serve(echoUnlessPending, { connectionsPerAddress: 3 });
  const ask = async (localAddress?: string) => {
    const client = await open(localAddress);
    client.send(get("/"));
    expect(await client.answers()).toEqual([200]);
    return client;
  };
  const [first, second] = [await ask(), await ask(), await ask()];
  await ask();
  await first.closed();
  expect(second.isClosed()).toBe(false);

  for (let count = 1; count <= 3; count++) {
    (await open()).send(get("/pending"));
    await until("the request to be pending", async () => pending() === count);
  }
  const refused = await open();
  refused.send(get("/"));
  expect(problemIn(await refused.closed())).toMatchObject({ status: 429, code: "too_many_connections" });
  await ask("127.0.0.3");
});

test("a connection stays open between requests for longer than headers may take", async () => {
  const { open } = await serve(echo, { limits: { idleMs: 100_000, headersMs: 1_000 } });
  const reused = await open();
  reused.send(get("/"));
  expect(await reused.answers()).toEqual([200]);
  const silent = await open();
  expect(problemIn(await silent.closed())).toMatchObject({ status: 408 });
  reused.send(get("/"));
  expect(await reused.answers(2)).toEqual([200, 200]);
  expect(reused.text()).toMatch(/keep-alive: timeout=100\r\n/i);
  // The next one must arrive as fast as the first.
  reused.send("GET / HTTP/1.1\r\n");
  expect(await reused.closed()).toContain("HTTP/1.1 408 ");

  const { open: openBriefly } = await serve(echo, { limits: { idleMs: 1 } });
  const idle = await openBriefly();
  idle.send(get("/"));
  expect(await idle.answers()).toEqual([200]);
  await idle.closed();
});

test("a thousand idle connections, of one address or of many, keep nobody out and close nobody else's", async () => {
  const { open, openNow } = await serve(echo, { connectionsPerAddress: 256, limits: { idle: 400 } });
  const request = async (client: RawClient, answers: number) => {
    client.send(get("/"));
    expect((await client.answers(answers)).length).toBe(answers);
  };
  const honest = await open("127.0.0.9");
  await request(honest, 1);
  const addresses = (index: number) => `127.0.${10 + (index % 200)}.1`;
  const greedy: RawClient[] = [];
  for (const addressOf of [() => "127.0.0.2", addresses]) {
    for (let count = 0; count < 1_000; count += 200) {
      const some = await Promise.all(
        Array.from({ length: 200 }, (_, index) => open(addressOf(count + index))),
      );
      await Promise.all(some.map((client) => request(client, 1)));
      greedy.push(...some);
    }
    // Those of the same address, too, are served.
    const another = await open(addressOf(0));
    await request(another, 1);
    await until("the oldest to be closed", async () => openNow() <= 402);
  }
  await request(honest, 2);
  await request(await open("127.0.0.9"), 1);
  expect(greedy.filter((client) => client.isClosed()).length).toBeGreaterThanOrEqual(1_598);
});

test("four connections per address may linger after an early answer", async () => {
  const { open } = await serve((_, response) => void response.writeHead(413).end("too large"), {
    connectionsPerAddress: 100,
    limits: { drainMs: 240_000 },
  });
  const clients: RawClient[] = [];
  for (const address of [...Array.from({ length: 7 }, () => "127.0.0.1"), "127.0.0.3"]) {
    const client = await open(address, { allowHalfOpen: true });
    client.send(post(5_000_000));
    expect(await client.answers()).toEqual([413]);
    clients.push(client);
  }
  await until("three to be reset by what they send", async () => {
    for (const client of clients) client.send("x");
    return clients.filter((client) => client.isClosed()).length >= 3;
  });
  expect(clients.map((client) => client.isClosed())).toEqual([
    ...[false, false, false, false],
    ...[true, true, true],
    false,
  ]);
});

test("an unread body is not read forever after an early answer", async () => {
  const { open } = await serve((_, response) => void response.writeHead(413).end("too large"), {
    limits: { drainMs: 240_000, drainBytes: 1_000_000, drainBytesPerMs: 1_000_000 },
  });
  const client = await open("127.0.0.1", { allowHalfOpen: true });
  client.send(post(50_000_000));
  client.send(Buffer.alloc(50_000_000));
  expect(await client.answers()).toEqual([413]);
  await client.closed();
});

test("a connection that may not linger gets the answer too, but no more of its body is read", async () => {
  const { open, bytesRead } = await serve((_, response) => void response.writeHead(413).end("too large"), {
    limits: { draining: 0, undrainedMs: 1_000 },
  });
  const clients = await Promise.all(Array.from({ length: 5 }, () => open()));
  for (const client of clients) {
    client.read();
    client.send(post(5_000_000));
    client.send(Buffer.alloc(5_000_000));
  }
  await until("all to be answered", async () =>
    clients.every((client) => client.text().includes("too large") || client.isClosed()),
  );
  for (const client of clients) expect(client.text()).toContain("too large");
  // Only what arrived together with the headers.
  expect(bytesRead()).toBeLessThanOrEqual(5 * 2 * 65_536);
});

test("a client that is refused keeps its connection, unless it would have to send a body first", async () => {
  const asked: (string | undefined)[] = [];
  const refusal = {
    ...({ status: 429, code: "too_many_requests", title: "Too many", detail: "Wait." } as const),
    headers: { RateLimit: '"reads";r=0;t=9' },
  };
  const { open, accepted } = await serve(
    (request, response) => {
      asked.push(request.url);
      echo(request, response);
    },
    { refuse: (_, path) => (path === "/free" ? undefined : refusal) },
  );
  const reader = await open();
  reader.send(get("/any"));
  expect(await reader.answers()).toEqual([429]);
  reader.send(get("/free"));
  expect(await reader.answers(2)).toEqual([429, 200]);
  expect(accepted()).toBe(1);
  const writer = await open();
  writer.send(post(5_000_000));
  const answer = await writer.closed();
  expect(problemIn(answer)).toMatchObject({ status: 429, code: "too_many_requests", detail: "Wait." });
  expect(answer).toMatch(/ratelimit: "reads";r=0;t=9\r\n/i);
  expect(asked).toEqual(["/free"]);
});

test("a gate refuses a request before it reaches the routes and its body arrives", async () => {
  let isClosed = true;
  const asked: (string | undefined)[] = [];
  const problem = { status: 429, code: "too_many_uploads", title: "Too many", detail: "Wait." } as const;
  const { open } = await serve(
    (request, response) => {
      asked.push(request.url);
      echo(request, response);
    },
    { gates: new Map([["/body", () => (isClosed ? { ...problem, retryAfter: 5 } : undefined)]]) },
  );
  const refused = await open();
  refused.send(post(5_000_000));
  const answer = await refused.closed();
  expect(problemIn(answer)).toMatchObject({ status: 429, code: "too_many_uploads" });
  expect(answer).toMatch(/retry-after: 5\r\n/i);
  expect(answer).toMatch(/access-control-expose-headers: .*Retry-After/i);
  expect(answer).toMatch(/connection: close/i);

  const elsewhere = await open();
  elsewhere.send(get("/else"));
  expect(await elsewhere.answers()).toEqual([200]);
  isClosed = false;
  const admitted = await open();
  admitted.send(post(5_000_000));
  admitted.send(Buffer.alloc(5_000_000));
  expect(await admitted.answers()).toEqual([200]);
  expect(asked).toEqual(["/else", "/body"]);
});

test("whoever floods the service with bodies that it refuses waits for the answers, and nobody else does", async () => {
  const problem = { status: 429, code: "too_many_uploads", title: "Too many", detail: "Wait." } as const;
  const undrainedMs = 1_000;
  const { open } = await serve(echo, {
    connectionsPerAddress: 100,
    gates: new Map([["/body", () => ({ ...problem, retryAfter: 5 })]]),
    limits: { drainingPerAddress: 1, drainMs: 240_000, undrainedMs },
  });
  const answerTo = async (request: string, from: string) => {
    // It goes on to send the body after the answer.
    const client = await open(from, { allowHalfOpen: true });
    const sentAt = performance.now();
    client.send(request);
    const [status] = await client.answers();
    return { status, isDelayed: performance.now() - sentAt >= undrainedMs };
  };
  expect((await answerTo(post(5_000_000), "127.0.0.1")).status).toBe(429);
  const delayed = answerTo(post(5_000_000), "127.0.0.1");
  const others = [answerTo(get("/else"), "127.0.0.1"), answerTo(post(5_000_000), "127.0.0.2")];
  const first = await Promise.race([delayed, Promise.all(others)]);
  expect(first).toMatchObject([{ status: 200 }, { status: 429 }]);
  expect(await delayed).toEqual({ status: 429, isDelayed: true });
});

test("pending requests per connection are limited, and the rest are refused in order", async () => {
  let asked = 0;
  let received = 0;
  const { open } = await serve(
    (_, response) => {
      asked++;
      setTimeout(() => response.writeHead(200).end(), 50);
    },
    { limits: { pipelined: 5 }, onRequest: () => received++ },
  );
  const client = await open();
  client.send(get("/").repeat(500));
  const text = await client.closed();
  expect(asked).toBe(5);
  // Those after the refused one cost nothing.
  expect(received).toBe(6);
  expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(5);
  expect(text.match(/HTTP\/1\.1 429/g)).toHaveLength(1);
});

test.each([
  ["without a Host", "", 400],
  ["with an unknown expectation", "Host: here\r\nExpect: all\r\n", 200],
])("requests %s are limited like all others", async (_, headers, status) => {
  let received = 0;
  const { open } = await serve((_, response) => response.writeHead(200).end(), {
    limits: { pipelined: 5 },
    onRequest: () => received++,
  });
  const client = await open();
  client.send(`GET / HTTP/1.1\r\n${headers}\r\n`.repeat(500));
  const text = await client.closed();
  expect(text).toMatch(`HTTP/1.1 ${status}`);
  expect(received).toBe(6);
});

test.each([
  ["/metrics"],
  ["/metrics?x=1"],
  ["/%6Detrics"],
  ["/x/../metrics"],
  ["/x/%2e%2e/metrics"],
  ["/./metrics"],
  ["/x\\..\\metrics"],
  ["http://elsewhere/metrics"],
])("%s is hidden", async (target) => {
  const { open } = await serve(echo);
  const client = await open();
  client.send(get(target));
  expect(problemIn(await client.closed())).toMatchObject({ status: 404, code: "not_found" });
});

test("concurrent requests for a shared path get one answer", async () => {
  let asked = 0;
  const { get: fetched } = await serve((request, response) => {
    asked++;
    setTimeout(() => response.writeHead(503, { "x-one": "two" }).end(`not ready: ${request.url}`), 20);
  });
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => fetched(`/ready?${index}`)));
  for (const answer of answers) {
    expect([answer.status, answer.headers.get("x-one"), await answer.text()]).toEqual([
      503,
      "two",
      "not ready: /ready",
    ]);
  }
  // An answer is reused for a quarter of a second.
  expect(asked).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 250);
  const head = await fetched("/ready", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([503, ""]);
  const before = asked;
  await until("a new answer", async () => !(await fetched("/ready")).ok && asked > before);
});

test.each([
  ["nonsense", "NONSENSE\r\n\r\n", 400, "malformed_request"],
  [
    "large headers",
    `GET / HTTP/1.1\r\nhost: h\r\nx: ${"x".repeat(20_000)}\r\n\r\n`,
    431,
    "headers_too_large",
  ],
  ["an overlong URL", get(`/${"x".repeat(20_000)}`), 431, "headers_too_large"],
  [
    "two lengths",
    "POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
    "malformed_request",
  ],
])("%s gets a problem", async (_, text, status, code) => {
  const { open } = await serve(echo);
  const client = await open();
  client.send(text);
  expect(problemIn(await client.closed())).toMatchObject({ status, code });
});

test("of many new connections, most are accepted before the first is answered, except on a prompt path", async () => {
  const acceptedWhenAsked = new Map<string, number>();
  let before = 0;
  const server = await serve(
    ({ url = "" }, response) => {
      if (!acceptedWhenAsked.has(url)) acceptedWhenAsked.set(url, server.accepted() - before);
      response.end();
    },
    { prompt: new Set(["/prompt"]) },
  );
  // On a busy machine a crowd may arrive one by one, so there are several.
  await until("a crowd whose first request waits for the others", async () => {
    before = server.accepted();
    acceptedWhenAsked.clear();
    const crowd = Array.from({ length: 40 }, (_, count) =>
      server.get(count === 0 ? "/prompt" : "/", { headers: { connection: "close" } }),
    );
    for (const answer of await Promise.all(crowd)) expect(answer.status).toBe(200);
    return (acceptedWhenAsked.get("/") ?? 0) > 10 && (acceptedWhenAsked.get("/prompt") ?? 40) < 10;
  });
});

test("with an access log each request has an id, which its line, its answer and its problem carry", async () => {
  const lines: Record<string, unknown>[] = [];
  const server = await serve((_, response) => void response.writeHead(200).end("answer"), {
    onRequest: createAccessLog(0, (line) => lines.push(JSON.parse(line)) > 0),
  });
  const get = async (path: string, id?: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: id === undefined ? {} : { "x-request-id": id },
    });
    return { id: answer.headers.get("x-request-id"), body: await answer.text() };
  };

  expect(await get("/a?b=c", "trace-1/2")).toEqual({ id: "trace-1/2", body: "answer" });
  const refused = await get("/metrics", "trace-3");
  expect(JSON.parse(refused.body)).toMatchObject({ code: "not_found", requestId: "trace-3" });
  for (const bad of [undefined, "a b", '"', "a".repeat(129)]) {
    const { id } = await get("/a", bad);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  }

  await until("a line for each request", async () => lines.length === 6);
  const [first, second] = lines;
  expect(first).toMatchObject({
    msg: "Request",
    method: "GET",
    url: "/a?b=c",
    status: 200,
    request_id: "trace-1/2",
  });
  expect(first).toMatchObject({
    client: "127.0.0.1",
    bytes: expect.any(Number),
    duration: expect.any(Number),
  });
  expect(Number(first?.bytes)).toBeGreaterThan("answer".length);
  expect(second).toMatchObject({ url: "/metrics", status: 404, request_id: "trace-3" });
});
