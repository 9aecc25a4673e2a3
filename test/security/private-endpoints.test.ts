import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { readUsedMetrics } from "../../deploy/used-metrics.ts";
import { connect, problemIn } from "../service/raw-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

let service: SharedService["service"];
let metricsPort: number;

beforeAll(async () => {
  ({ service, metricsPort } = await sharedService());
});

const get = (path: string, init?: RequestInit) => fetch(service.indexer.url + path, init);

test.each([
  "/metrics",
  "/metrics?x",
  "/%6detrics",
  "/%6D%65trics",
  "/api/../metrics",
  "/api/%2e%2e/metrics",
  "/api\\..\\metrics",
  "http://localhost/metrics",
])("the metrics are not served at %s", async (target) => {
  for (const method of ["GET", "HEAD", "POST"]) {
    const client = await connect(service.indexer.port);
    client.send(`${method} ${target} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 127.0.0.1\r\n\r\n`);
    const text = await client.closed();
    expect(text).not.toContain("ponder_");
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    if (method === "GET") expect(problemIn(text)).toMatchObject({ status: 404, code: "not_found" });
  }
});

test("the metrics are served on a separate port, on loopback only", async () => {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("ponder_http_server_request_duration_ms");
  for (const path of ["/", "/api", "/metrics/"]) {
    expect((await fetch(`http://127.0.0.1:${metricsPort}${path}`)).status).toBe(404);
  }
  const elsewhere = await fetch(`http://127.0.0.2:${metricsPort}/metrics`).catch(() => "refused");
  expect(elsewhere).toBe("refused");
});

test("the metrics include everything that the alert rules and the dashboard in deploy/ use", async () => {
  const headers = { "content-type": "application/json" };
  expect((await get("/api/tokens", { method: "POST", headers, body: "{}" })).status).toBe(400);
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const exposed = new Set(Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name]) => name));
  expect([...readUsedMetrics()].filter((name) => !exposed.has(name))).toEqual([]);
  expect(text).toMatch(/^launchpad_ready 1$/m);
  expect(text).toMatch(/^launchpad_writer_live 1$/m);
  expect(text).toMatch(/^launchpad_index_block\{chain="56"\} [1-9]\d*$/m);
  expect(text).toMatch(/^launchpad_index_lag_seconds\{chain="56"\} \d+$/m);
  expect(text).toMatch(/^launchpad_problems_total\{code="invalid_request",status="400"\} [1-9]\d*$/m);
  expect(text).toMatch(/^launchpad_stream_idle_seconds \d+$/m);
  expect(text).toMatch(/^launchpad_disk_free_bytes [1-9]\d*$/m);
  expect(text).toMatch(/^launchpad_database_connections [1-9]\d*$/m);
  expect(text).toMatch(/^launchpad_database_connections_max [1-9]\d*$/m);
  // The labels by which the rules recognise failing registrations.
  const registrations = text
    .split("\n")
    .filter((line) => line.startsWith("ponder_http_server_request_duration_ms_count{"))
    .filter((line) => line.includes('method="POST"') && line.includes('path="/api/tokens"'));
  expect(registrations.filter((line) => line.includes('status="4XX"'))).not.toEqual([]);
});

test("hammering /ready and /status causes only a few database queries", async () => {
  const asked = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const counts = text.matchAll(
      /ponder_http_server_request_duration_ms_count\{[^}]*path="\/(?:ready|status)"[^}]*\} (\d+)/g,
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const before = await asked();
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, index) => get(index % 2 === 0 ? "/ready" : "/status")),
  );
  for (const answer of answers) expect(answer.status).toBe(200);
  expect(await answers[1]?.json()).toMatchObject({ bsc: { id: 56 } });
  expect(answers[1]?.headers.get("access-control-allow-origin")).toBe("*");
  const seconds = (performance.now() - startedAt) / 1_000;
  // Two paths, each at most four times a second.
  expect((await asked()) - before).toBeLessThanOrEqual(2 * (1 + 4 * seconds));
});

test("whatever is served may not be framed, sniffed or named as a referrer", async () => {
  const json = { "content-type": "application/json" };
  const requests: [string, RequestInit?][] = [
    ...[
      "/",
      "/docs",
      "/docs/",
      "/graphql",
      "/card.png",
      "/server.json",
      "/llms.txt",
      "/skill.md",
      "/client.tgz",
    ].map((path): [string] => [path]),
    ...["/health", "/ready", "/status", "/metrics", "/api", "/api/tokens", "/api/nothing", "/nothing"].map(
      (path): [string] => [path],
    ),
    ["/api/tokens?page=0"],
    ["/ipfs/nothing"],
    [`/ipfs/bafkrei${"a".repeat(52)}`],
    [`/token/0x${"1".repeat(40)}/card.png`],
    ["/api/tokens", { method: "DELETE" }],
    ["/api/tokens", { method: "POST", headers: json, body: "{" }],
    ["/graphql", { method: "POST", headers: json, body: '{ "query": "{ nothing }" }' }],
    ["/mcp"],
    ["/mcp", { method: "POST", headers: json, body: "{}" }],
    ["/sql", { method: "POST", headers: json, body: '{ "sql": "select 1" }' }],
  ];
  for (const [path, init] of requests) {
    const { status, headers, body } = await get(path, { redirect: "manual", ...init });
    await body?.cancel();
    const said = ["content-security-policy", "referrer-policy", "x-content-type-options"].map((name) =>
      headers.get(name),
    );
    expect([path, status, ...said]).toEqual([
      path,
      status,
      expect.stringContaining("frame-ancestors 'none'"),
      "no-referrer",
      "nosniff",
    ]);
  }
  const client = await connect(service.indexer.port);
  client.send("nonsense\r\n\r\n");
  expect(await client.closed()).toMatch(/frame-ancestors 'none'/);
});

test.each(["/docs", "/graphql"])("%s runs no script but its own", async (page) => {
  const response = await get(page);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; /);
  expect(policy).toMatch(/; base-uri 'none'; form-action 'none'; /);
  const inline = [...(await response.text()).matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) =>
    createHash("sha256").update(String(script)).digest("base64"),
  );
  expect(inline.map((hash) => policy.includes(`'sha256-${hash}'`))).toEqual([true]);
});

test.each(["/docs", "/graphql"])("%s serves only its own files, compressed once", async (page) => {
  const html = await (await get(page)).text();
  const assets = [...html.matchAll(/(?:src|href)="(\/[^"]+\/assets\/[^"]+)"/g)].map(([, path]) =>
    String(path),
  );
  expect(assets.length).toBeGreaterThan(1);
  for (const path of assets) {
    const response = await get(path, { headers: { "accept-encoding": "br" } });
    expect([response.status, response.headers.get("content-encoding")]).toEqual([200, "br"]);
    const etag = response.headers.get("etag") ?? "";
    const again = await get(path, { headers: { "accept-encoding": "br", "if-none-match": etag } });
    expect(again.status).toBe(304);
  }
  const folder = String(assets[0]).replace(/[^/]+$/, "");
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "..%2fpackage.json"]) {
    expect((await get(folder + name)).status, name).toBe(404);
  }
  expect(service.indexer.output()).not.toContain("TypeError");
});

test.each([
  ["CONNECT", "CONNECT internal:80 HTTP/1.1\r\nhost: internal:80\r\n\r\n", [0]],
  ["TRACE", "TRACE /api HTTP/1.1\r\nhost: h\r\nx-secret: 1\r\nconnection: close\r\n\r\n", [404, 405]],
  [
    "Upgrade",
    "GET /api/health HTTP/1.1\r\nhost: h\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n",
    [200],
  ],
  ["Expect", "GET /api/health HTTP/1.1\r\nhost: h\r\nexpect: magic\r\nconnection: close\r\n\r\n", [200]],
  ["no Host", "GET /api HTTP/1.1\r\nconnection: close\r\n\r\n", [400]],
])("%s gets no special treatment", async (_, text, statuses) => {
  const client = await connect(service.indexer.port);
  client.send(text);
  const answer = await client.closed();
  expect(statuses).toContain(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0));
  expect(answer).not.toContain("x-secret");
});
