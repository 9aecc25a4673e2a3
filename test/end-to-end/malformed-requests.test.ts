import http from "node:http";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { malformedBytes } from "../fuzz/malformed/bytes.ts";
import { malformedRequests } from "../fuzz/malformed/requests.ts";
import { send, sendBytes } from "../fuzz/malformed/send.ts";
import { sized } from "../run/long-run.ts";
import { seed } from "../run/seed.ts";
import { until } from "../service/condition.ts";
import { createOpenApiCheck } from "../service/openapi-check.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

const requestCount = sized({ usual: 1_000, long: 20_000 });
/** 413 is expected only of the long run: few requests are too large and otherwise valid. */
const statusesReached = [200, 400, 404, 405, 409, 415, 422, ...sized({ usual: [], long: [413] })];
/** Requests sent over plain sockets, because Node's client would refuse to send them. */
const byteCount = sized({ usual: 200, long: 1_000 });

let service: SharedService["service"];
let rest: RestClient;
let registration: Record<string, unknown>;
let addresses: string[];

beforeAll(async () => {
  const shared = await sharedService();
  const { chain } = shared;
  service = shared.service;
  const [creator, buyer] = chain.traders;
  const mints = [await chain.create(creator), await chain.create(buyer, "Nobody's", "NOBODY")];
  await chain.buy(buyer, mints[0] as `0x${string}`, 10n ** 16n);
  await service.indexer.untilIndexed(56, await chain.head());
  // The stream journal and the activity table are written a moment after the index.
  const head = Number(await chain.head());
  await until("activity to be measured", async () => {
    const [state] = await service.database.query(
      "select measured_block::int from offchain.token_activity_state where chain_id = 56",
    );
    return state?.measured_block >= head;
  });
  await until("the stream to have it all", async () => {
    const [state] = await service.database.query("select latest_block::int from offchain.stream_state");
    return state?.latest_block >= head;
  });
  rest = await createRestClient(service.indexer.url);
  registration = registrationOf(mints[0] as `0x${string}`, creator, { description: "It stays as it is." });
  expect((await rest.post("/api/tokens", registration)).status).toBe(201);
  addresses = [...mints, creator, buyer];
});

/** What the service writes of its own accord while nobody asks for anything: its heartbeat, and how far it has followed the chain. */
const ownProgress = ["_ponder_meta", "chain_coverage", "final_block"];

/** Hashes every row of every table that requests or the chain's events can change. */
async function hashTables(): Promise<Record<string, unknown>> {
  const names = await service.database.query(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema in ('onchain', 'offchain') and table_type = 'BASE TABLE' and table_name <> all($1)`,
    [ownProgress],
  );
  expect(names.length).toBeGreaterThan(8);
  const entries = names.map(async ({ name }) => {
    const [row] = await service.database.query(
      `select count(*)::int as rows, md5(string_agg(t::text, '\n' order by t::text)) as hash from ${name} t`,
    );
    return [name, row];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Runs `work` on every item with limited concurrency. */
async function inParallel<Item>(
  items: Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

test(`${requestCount} malformed requests cause no 5xx, no hang and no change`, async () => {
  const before = await hashTables();
  const check = createOpenApiCheck(rest.document);
  const requests = fc.sample(malformedRequests(rest.document, { addresses, registration }), {
    numRuns: requestCount,
    seed,
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  const wrong: unknown[] = [];
  const statuses = new Map<number, number>();

  await inParallel(requests, 32, async (request) => {
    const { method, target } = request;
    const { status, headers, text } = await send(service.indexer.port, agent, request).catch((error) => ({
      status: 599,
      headers: {} as http.IncomingHttpHeaders,
      text: String(error),
    }));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const type = headers["content-type"] ?? "";
    const isProblem = type === "application/problem+json" && JSON.parse(text || "{}").status === status;
    if (status >= 500) wrong.push({ request, status, text });
    else if (status >= 400 && text !== "" && !isProblem) wrong.push({ request, status, type, text });
    else if (/node_modules|\.ts:\d/.test(text)) wrong.push({ request, status, text });
    // Those of zod, which are not written for clients.
    else if (isProblem && /Invalid (input|option|string)|Too (big|small): /.test(text))
      wrong.push({ request, status, text });
    // Node itself answers 431, before the service sees the request.
    else if (status > 0 && status !== 431) {
      const problem = check.problemOf(method, target, status, type, text);
      if (problem !== undefined) wrong.push({ request, problem });
    }
  });
  agent.destroy();

  expect({ seed, count: wrong.length, first: wrong.slice(0, 5) }).toEqual({ seed, count: 0, first: [] });
  // The requests reach every part of the service instead of all failing at the first check.
  for (const status of statusesReached) {
    expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
  }
  expect(statuses.get(0) ?? 0).toBeLessThan(requestCount / 100);
  expect((await rest.get("/api/health")).status).toBe(200);
  expect(await hashTables()).toEqual(before);
});

test(`${byteCount} requests that are not valid HTTP cause no 5xx, no hang and no change`, async () => {
  const before = await hashTables();
  const wrong: unknown[] = [];
  await inParallel(fc.sample(malformedBytes, { numRuns: byteCount, seed }), 32, async (bytes) => {
    const status = await sendBytes(service.indexer.port, bytes).catch(String);
    if (typeof status === "string" || status >= 500) {
      wrong.push({ bytes: Buffer.from(bytes).toString("latin1").slice(0, 500), status });
    }
  });
  expect({ seed, count: wrong.length, first: wrong.slice(0, 5) }).toEqual({ seed, count: 0, first: [] });
  expect((await rest.get("/api/health")).status).toBe(200);
  expect(await hashTables()).toEqual(before);
});
