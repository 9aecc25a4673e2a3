import http from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ForwardingProxy, startForwardingProxy } from "../doubles/forwarding-proxy.ts";
import type { Indexer } from "../service/indexer.ts";
import { connect, problemIn, type RawClient } from "../service/raw-client.ts";
import { sharedService } from "../service/shared-service.ts";

const writes = 3;
const mostConnections = 5;

let trusting: Indexer;
let direct: Indexer;
let proxy: ForwardingProxy;
let passing: ForwardingProxy;

beforeAll(async () => {
  const { service } = await sharedService();
  const env = {
    RATE_LIMIT: "on",
    RATE_LIMIT_WRITES: String(writes),
    MAX_CONNECTIONS_PER_ADDRESS: String(mostConnections),
  };
  [trusting, direct] = await Promise.all([
    service.startReplica({ env: { ...env, TRUST_PROXY: "1" } }),
    service.startReplica({ env }),
  ]);
  [proxy, passing] = await Promise.all([
    startForwardingProxy(trusting.port),
    startForwardingProxy(direct.port),
  ]);
});

afterAll(async () => {
  await Promise.all([proxy?.stop(), passing?.stop()]);
  await Promise.all([trusting?.stop(), direct?.stop()]);
});

/** The status of a registration that is refused, sent from one of this machine's addresses. */
function post(port: number, localAddress: string, forwarded?: string): Promise<number> {
  const headers: http.OutgoingHttpHeaders = { "content-type": "application/json" };
  if (forwarded !== undefined) headers["x-forwarded-for"] = forwarded;
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: "127.0.0.1",
        port,
        localAddress,
        method: "POST",
        path: "/api/tokens",
        headers,
        agent: new http.Agent(),
      },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
      },
    );
    request.on("error", reject);
    request.end("{}");
  });
}

test("behind a proxy each client has its own limit, whatever it forges", async () => {
  const found = [];
  for (let count = 0; count <= writes; count++) {
    found.push(await post(proxy.port, "127.0.0.2", `198.51.100.${count}, 10.0.0.${count}`));
  }
  expect(found).toEqual([400, 400, 400, 429]);
  expect(await post(proxy.port, "127.0.0.3")).toBe(400);
  // Nor can one use up another's.
  for (let count = 0; count <= writes; count++) await post(proxy.port, "127.0.0.4", "127.0.0.5");
  expect(await post(proxy.port, "127.0.0.5")).toBe(400);
});

test("without TRUST_PROXY all that comes through a proxy is one client, whatever it says", async () => {
  const found = [];
  for (let count = 0; count <= writes; count++) {
    found.push(await post(passing.port, `127.0.0.${10 + count}`, `198.51.100.${count}`));
  }
  expect(found).toEqual([400, 400, 400, 429]);
});

test("connections are limited for each address, but not those of a trusted proxy", async () => {
  const open = (port: number, count: number): Promise<RawClient[]> =>
    Promise.all(Array.from({ length: count }, () => connect(port, { localAddress: "127.0.0.6" })));
  const ask = "GET /api/health HTTP/1.1\r\nhost: h\r\n\r\n";

  const many = await open(trusting.port, 3 * mostConnections);
  for (const client of many) client.send(ask);
  for (const client of many) expect(await client.answers()).toEqual([200]);

  const few = await open(direct.port, mostConnections);
  for (const client of few) client.send(ask);
  for (const client of few) expect(await client.answers()).toEqual([200]);
  const [refused] = await open(direct.port, 1);
  expect(problemIn((await refused?.closed()) ?? "")).toMatchObject({
    status: 429,
    code: "too_many_connections",
  });
  for (const client of [...many, ...few]) client.close();
});
