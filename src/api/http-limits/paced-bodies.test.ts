import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { until } from "../../../test/service/condition.ts";
import { connect, type RawClient } from "../../../test/service/raw-client.ts";
import { createPacedRequests } from "./request-bodies.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The most that Node reads from a connection at a time. */
const piece = 65_536;

async function serve(onBody: (body: AsyncIterable<Buffer>) => Promise<string>) {
  const server = createServer({ IncomingMessage: createPacedRequests() }, async (request, response) => {
    response.end(await onBody(request));
  });
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return async (): Promise<RawClient> => {
    const client = await connect(port);
    closing.push(client.close);
    return client;
  };
}

const head = (length: number) => `POST / HTTP/1.1\r\nhost: h\r\ncontent-length: ${length}\r\n\r\n`;

test("one piece of all large bodies is read per turn of the event loop", async () => {
  const [count, size] = [8, 2_000_000];
  let turns = 0;
  let received = 0;
  let maxAhead = 0;
  const open = await serve(async (body) => {
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      received += chunk.length;
      maxAhead = Math.max(maxAhead, received - turns * piece);
    }
    return String(length);
  });
  const clients = await Promise.all(Array.from({ length: count }, open));
  for (const client of clients) {
    client.send(head(size));
    client.send(Buffer.alloc(size));
  }
  let areAnswered = false;
  const answers = Promise.all(clients.map((client) => client.answers())).finally(() => {
    areAnswered = true;
  });
  for (; !areAnswered; turns++) await nextTurn();
  expect(await answers).toEqual(clients.map(() => [200]));
  expect(clients.map((client) => client.text().split("\r\n\r\n")[1])).toEqual(
    clients.map(() => String(size)),
  );
  // The first piece of each comes with its headers.
  expect(maxAhead).toBeLessThanOrEqual((count + 1) * piece);
});

test.each([
  ["in pieces of ten", ["0123456789"]],
  ["byte by byte", [..."0123456789"]],
])("a chunked body, %s, arrives as sent, and so does the connection's next one", async (_, chunks) => {
  const whole = "0123456789".repeat(10_000);
  const open = await serve(async (body) => {
    const text = (await buffer(body)).toString();
    return text === whole ? "as it was sent;" : "otherwise;";
  });
  const client = await open();
  const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");
  const request = `POST / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n${body.repeat(10_000)}0\r\n\r\n`;
  client.read();
  for (const count of [1, 2]) {
    client.send(request);
    await until("an answer", async () => client.text().split(";").length > count);
  }
  expect(client.text().match(/as it was sent;/g)).toHaveLength(2);
});

test("a body that is read slowly arrives in full", async () => {
  const open = await serve(async (body) => {
    let length = 0;
    for await (const chunk of body) {
      await nextTurn();
      length += chunk.length;
    }
    return `${length} bytes`;
  });
  const client = await open();
  client.read();
  client.send(head(3_000_000));
  client.send(Buffer.alloc(3_000_000));
  await until("an answer", async () => client.text().includes("bytes"));
  expect(client.text()).toContain("3000000 bytes");
});
