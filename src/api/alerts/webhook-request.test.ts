import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, BlockList, createServer as createTcpServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type HostileServer, startHostileServer } from "../../../test/doubles/hostile-server.ts";
import { firstReachable, isPublicAddress, OutboundError, urlProblem } from "../http/outbound.ts";
import { createWebhookSender, type WebhookSender } from "./webhook-request.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function sender(options: Partial<Parameters<typeof createWebhookSender>[0]> = {}): WebhookSender {
  const made = createWebhookSender({ privateNetworks: new BlockList(), proxy: undefined, ...options });
  cleanUps.push(made.close);
  return made;
}

const loopback = () => {
  const list = new BlockList();
  list.addSubnet("127.0.0.0", 8, "ipv4");
  return list;
};

async function post(made: WebhookSender, url: string, timeoutMs = 2_000) {
  const targets = await made.resolve(new URL(url), timeoutMs);
  return await firstReachable(targets, (target) => made.post({ target, headers: {}, body: "{}", timeoutMs }));
}

async function start(answer: Parameters<typeof startHostileServer>[0]): Promise<HostileServer> {
  const server = await startHostileServer(answer);
  cleanUps.push(() => server.stop());
  return server;
}

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.31.255.255",
  "192.168.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "2002:7f00:1::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "ff02::1",
])("%s is not a public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::1"])(
  "%s is a public address",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  "https://127.0.0.1/",
  "https://127.1/",
  "https://0x7f000001/",
  "https://2130706433/",
  "https://[::1]/",
  "https://[::ffff:169.254.169.254]/latest/meta-data",
  "https://[::ffff:a9fe:a9fe]/",
  "https://localhost/",
  "http://1.1.1.1/",
])("nothing is sent to %s", async (url) => {
  await expect(sender().resolve(new URL(url), 2_000)).rejects.toThrow(OutboundError);
});

test("a URL is https without a user", () => {
  expect(urlProblem("https://bot.example/hook?key=1")).toBeUndefined();
  for (const url of [
    "ftp://bot.example",
    "https://user:pass@bot.example",
    "nonsense",
    "https://a.example/#x",
  ]) {
    expect(urlProblem(url), url).toBeDefined();
  }
});

/** A DNS server that answers each question with the next address in turn, or with several, separated by blanks. */
async function startDns(...answers: string[]): Promise<Resolver> {
  const socket: Socket = createSocket("udp4");
  let asked = 0;
  socket.on("message", (question, from) => {
    const isA = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1;
    const reply = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5));
    reply.writeUInt16BE(0x8180, 2);
    reply.writeUInt16BE(0, 6);
    reply.writeUInt32BE(0, 8);
    const addresses = answers[Math.min(asked, answers.length - 1)]?.split(" ") ?? [];
    if (isA) asked++;
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
    );
    if (isA) reply.writeUInt16BE(records.length, 6);
    socket.send(isA ? Buffer.concat([reply, ...records]) : reply, from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  cleanUps.push(() => socket.close());
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  return resolver;
}

test("a name that leads elsewhere after it was checked is not asked again: the connection goes to the address that was checked", async () => {
  let requests = 0;
  const server = await start((response) => {
    requests++;
    response.end("reached");
  });
  const { port } = new URL(server.url);
  const resolver = await startDns("127.0.0.2", "127.0.0.1");
  const made = sender({ privateNetworks: loopback(), resolver });
  // Only 127.0.0.1 listens, which the name has from the second question on.
  await expect(post(made, `http://rebind.example:${port}/`)).rejects.toThrow("can't be reached");
  expect(requests).toBe(0);
  expect((await post(made, `http://rebind.example:${port}/`)).body).toBe("reached");
});

test("if the first address of a name takes no connection, the next one gets the request, once", async () => {
  let requests = 0;
  const server = await start((response) => {
    requests++;
    response.end("reached");
  });
  const { port } = new URL(server.url);
  const resolver = await startDns("127.0.0.2 127.0.0.1", "127.0.0.1 127.0.0.2");
  const made = sender({ privateNetworks: loopback(), resolver });
  for (let sent = 1; sent <= 2; sent++) {
    expect((await post(made, `http://two.example:${port}/`)).body).toBe("reached");
    expect(requests).toBe(sent);
  }
});

test("a request that an address has accepted goes to no other", async () => {
  let requests = 0;
  const server = await start((response) => {
    requests++;
    response.destroy();
  });
  const { port } = new URL(server.url);
  const made = sender({ privateNetworks: loopback(), resolver: await startDns("127.0.0.1 127.0.0.1") });
  await expect(post(made, `http://two.example:${port}/`)).rejects.toThrow("broke off");
  expect(requests).toBe(1);
});

test("one private address among those of a name is enough to refuse them all", async () => {
  const made = sender({ resolver: await startDns("93.184.216.34 169.254.169.254") });
  await expect(post(made, "https://two.example/")).rejects.toThrow("public address");
});

test("a name server that doesn't answer is given up within the request's time", async () => {
  const silent = createSocket("udp4").bind(0, "127.0.0.1");
  await once(silent, "listening");
  cleanUps.push(() => silent.close());
  const resolver = new Resolver({ timeout: 20_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${silent.address().port}`]);
  const startedAt = performance.now();
  await expect(post(sender({ resolver }), "https://silent.example/", 200)).rejects.toThrow(
    "can't be resolved",
  );
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

test("a name that leads to a private address is refused each time that it does", async () => {
  const made = sender({ resolver: await startDns("93.184.216.34", "169.254.169.254", "93.184.216.34") });
  const url = new URL("https://rebind.example/");
  expect(await made.resolve(url, 2_000)).toMatchObject([{ address: "93.184.216.34" }]);
  await expect(made.resolve(url, 2_000)).rejects.toThrow("public address");
});

test("with a proxy, it is asked for the address that was checked", async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on("connect", ({ url }, socket) => {
    asked.push(url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  cleanUps.push(() => proxy.close());
  const made = sender({
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    resolver: await startDns("93.184.216.34"),
  });
  await expect(post(made, "https://bot.example/hook")).rejects.toThrow(OutboundError);
  expect(asked).toEqual(["93.184.216.34:443"]);
  await expect(post(made, "https://127.0.0.1/")).rejects.toThrow("public address");
});

test("without TLS, a proxy is asked for the address that was checked too", async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer(({ url, headers }, response) => {
    asked.push(url, headers.host);
    response.end("reached");
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  cleanUps.push(() => proxy.close());
  const made = sender({
    privateNetworks: loopback(),
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    resolver: await startDns("127.0.0.7"),
  });
  expect((await post(made, "http://bot.example:8080/hook")).body).toBe("reached");
  expect(asked).toEqual(["http://127.0.0.7:8080/hook", "127.0.0.7:8080"]);
});

test("a redirect is an answer like any other, and not followed", async () => {
  let requests = 0;
  const server = await start((response) => {
    requests++;
    response.writeHead(307, { location: server.url }).end();
  });
  expect((await post(sender({ privateNetworks: loopback() }), server.url)).status).toBe(307);
  expect(requests).toBe(1);
});

test("of an endless answer, one kilobyte is read", async () => {
  let isClosed = false;
  const server = await start((response) => {
    response.once("close", () => {
      isClosed = true;
    });
    const write = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      if (!response.destroyed) response.once("drain", write);
    };
    write();
  });
  const answer = await post(sender({ privateNetworks: loopback() }), server.url);
  expect(answer.body).toBe("x".repeat(1_024));
  await expect.poll(() => isClosed).toBe(true);
});

test.each([
  ["120", 120],
  ["7200", 3_600],
  ["soon", 0],
  ["-5", 0],
  ["Fri, 31 Dec 2100 23:59:59 GMT", 3_600],
  ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
])("Retry-After: %s asks for %i seconds", async (value, seconds) => {
  const server = await start((response) => void response.writeHead(429, { "retry-after": value }).end());
  const { retryAfter } = await post(sender({ privateNetworks: loopback() }), server.url);
  expect(retryAfter).toBe(seconds);
});

test("the seconds until a date in Retry-After are rounded up", async () => {
  const until = new Date(Date.now() + 600_000).toUTCString();
  const server = await start((response) => void response.writeHead(503, { "retry-after": until }).end());
  const { retryAfter } = await post(sender({ privateNetworks: loopback() }), server.url);
  expect(Number.isInteger(retryAfter)).toBe(true);
  expect(Date.now() + retryAfter * 1_000).toBeGreaterThanOrEqual(Date.parse(until));
});

test("a receiver that doesn't answer, or not to the end, is given up in time", async () => {
  const silent = await start(() => {});
  const slow = await start((response) => void response.writeHead(200).write("x"));
  const made = sender({ privateNetworks: loopback() });
  await expect(post(made, silent.url, 200)).rejects.toThrow("within 0.2 s");
  await expect(post(made, slow.url, 200)).rejects.toThrow(OutboundError);
});

test.each([
  ["headers", "HTTP/1.1 200 OK\r\nx-slow: "],
  ["body", "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n"],
])(
  "a receiver that sends its %s byte by byte is given up in time, however far it is",
  async (_, beginning) => {
    let sent = 0;
    let isClosed = false;
    const slow = createTcpServer((socket) => {
      socket.write(beginning);
      const timer = setInterval(() => {
        sent++;
        socket.write("x");
      }, 10);
      socket.on("error", () => {});
      socket.once("close", () => {
        clearInterval(timer);
        isClosed = true;
      });
    });
    await once(slow.listen(0, "127.0.0.1"), "listening");
    cleanUps.push(() => slow.close());
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`;
    await expect(post(sender({ privateNetworks: loopback() }), url, 500)).rejects.toThrow("within 0.5 s");
    expect(sent).toBeGreaterThan(5);
    await expect.poll(() => isClosed).toBe(true);
  },
);

test("a connection that the receiver has closed meanwhile is no failure", async () => {
  let sockets = 0;
  const server = await start((response) => {
    sockets++;
    response.end("ok");
    // Without a word, as a receiver that restarts.
    response.once("finish", () => setTimeout(() => response.socket?.destroy(), 20));
  });
  const made = sender({ privateNetworks: loopback() });
  for (let count = 0; count < 3; count++) {
    expect((await post(made, server.url)).status).toBe(200);
    await expect.poll(() => sockets).toBe(count + 1);
  }
});
