import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { onConnection } from "../../offchain/connection.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { checkReplica, prepareReads } from "../../runtime/ponder/read-role.ts";
import { servesSql, sqlServerUrl } from "../../runtime/prepare-analysts.ts";
import { query } from "../../runtime/process/fixtures/query.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { type S3Server, s3Environment, startS3Server } from "../doubles/s3-server.ts";
import { until } from "../service/condition.ts";
import { openEventStream } from "../service/event-stream.ts";
import { query as graphql } from "../service/graphql.ts";
import { type Program, runProgram, survivorsOf } from "../service/program.ts";
import { encode, picture } from "../service/sample-images.ts";
import {
  type ReplicatedPostgres,
  type StreamingReplica,
  startReplicatedPostgres,
} from "../service/streaming-replicas.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/*
 * `npm start` and two `npm run serve`, each of which reads from its own streaming replica and has a DATA_DIR of its own, with images in S3:
 * they must serve and register as one.
 */

const script = (name: string) => path.join(projectDir, "runtime", name);

let chain: LaunchpadChain;
let postgres: ReplicatedPostgres;
let s3: S3Server;
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
const programs: Program[] = [];
/** The URLs of `npm start`, of the process on the first replica, and of the one on the second. */
const urls: string[] = [];
let starter: Program;
let [first, second]: StreamingReplica[] = [];
let metricsUrl: string;
let promoted: Address;

async function run(name: string, changes: Record<string, string>): Promise<Program> {
  const port = await freePort();
  const folder = { DATA_DIR: path.join(place.folder, String(programs.length)) };
  const program = runProgram(script(name), { env: { ...env, ...folder, ...changes, PORT: String(port) } });
  programs.push(program);
  const url = `http://127.0.0.1:${port}`;
  await until(`${name} to answer`, async () => {
    if (program.hasExited()) throw new Error(`${name} ended:\n${program.output()}`);
    return (await fetch(`${url}/ready`).catch(() => undefined))?.ok;
  });
  urls.push(url);
  return program;
}

beforeAll(async () => {
  [chain, postgres, s3, place] = await Promise.all([
    startLaunchpadChain(),
    startReplicatedPostgres(2),
    startS3Server(),
    temporaryFolder(),
  ]);
  [first, second] = postgres.replicas;
  env = {
    DATABASE_URL: postgres.url,
    ...s3Environment(s3),
    PONDER_RPC_URL_56: `${chain.rpcUrl},${chain.rpcUrl.replace("http:", "ws:")}`,
    POLLING_INTERVAL_56: "500",
    TOKEN_FACTORY_ADDRESS_56: chain.deployment.tokenFactory,
    LAUNCHPAD_ADDRESS_56: chain.deployment.launchpad,
    START_BLOCK_56: String(chain.deployment.startBlock),
    RATE_LIMIT_STORE: "postgres",
    RATE_LIMIT_READS: "1000000",
    RATE_LIMIT_WRITES: "60",
    // Readiness must not depend on how long a test pauses a replica.
    READY_MAX_LAG_SECONDS: "0",
  };
});

afterAll(async () => {
  const left = programs.flatMap((program) => program.descendants());
  for (const program of programs) program.kill("SIGTERM");
  await Promise.all(programs.map(({ exited }) => exited));
  expect(await survivorsOf(left, 30_000)).toEqual([]);
  await postgres?.stop();
  await chain?.stop();
  await place?.remove();
});

const get = async <Answer>(url: string) => (await (await fetch(url)).json()) as Answer;

function post(url: string, body: object): Promise<Response> {
  return fetch(`${url}/api/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const bodyOf = (mint: Address, name: string, symbol: string) => ({
  mint,
  name,
  symbol,
  creator: chain.traders[0],
  burnPercent: 50,
});

const totalOf = async (url: string, mint: string) =>
  (await get<{ total: number }>(`${url}/api/tokens?mint=${mint}`)).total;

type Replica = { readsFrom: string; state: string; lagBytes: number | null; lagSeconds: number | null };

const replicaOf = async (url: string) =>
  (await get<{ index: { replica?: Replica } }>(`${url}/api/health`)).index.replica;

/** Resolves once these processes read from their replicas. */
const untilReadingReplicas = (...those: string[]) =>
  until("reads to go to the replicas", async () =>
    (await Promise.all(those.map(replicaOf))).every((replica) => replica?.readsFrom === "replica"),
  );

/** Creates a token, and resolves once it is indexed on the primary. */
async function createIndexed(name: string, symbol: string): Promise<{ mint: Address; block: number }> {
  const mint = await chain.create(chain.traders[0], name, symbol);
  const block = Number(await chain.head());
  await until("the token to be indexed", async () => (await fetch(`${urls[0]}/api/curve/${mint}`)).ok);
  return { mint, block };
}

test("a process without an index to serve says so, and serves it once there is one", async () => {
  const port = await freePort();
  const waiting = runProgram(script("serve.ts"), { env: { ...env, PORT: String(port) } });
  programs.push(waiting);
  const url = `http://127.0.0.1:${port}`;
  await until("it to say so", async () => waiting.output().includes("has no index yet"));
  const answer = await fetch(`${url}/api/tokens`);
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: "not_indexed_yet" }]);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const name = new URL(postgres.url).pathname.slice(1);
  const { href } = Object.assign(new URL(postgres.adminUrl), { pathname: "/postgres" });
  const allow = (may: boolean) => query(href, `alter database ${name} with allow_connections ${may}`);
  await allow(false);
  await until("it to wait for the database too", async () =>
    waiting.output().includes("waiting for an index: database"),
  );
  await allow(true);

  starter = await run("start.ts", { DATABASE_READ_URL: postgres.readUrl });
  await until("it to serve", async () => (await fetch(`${url}/api/tokens`)).ok);
  waiting.kill("SIGTERM");
  expect(await waiting.exited).toBe(0);
});

test("a registration with one process is listed by all as soon as they have it, and a token is registered once, whichever is asked", async () => {
  const reading = (replica = first) => replica?.urlOf(postgres.readUrl) ?? "";
  const metricsPort = String(await freePort());
  await run("serve.ts", { DATABASE_READ_URL: reading(first), METRICS_PORT: metricsPort });
  await run("serve.ts", { DATABASE_READ_URL: reading(second) });
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const [creator] = chain.traders;

  for (let round = 0; round < 3; round++) {
    const mint = await chain.create(creator, `Round ${round}`, "RND");
    const body = bodyOf(mint, `Round ${round}`, "RND");
    // All at once, before the block is indexed: one writes the registration, the others find it.
    const answers = await Promise.all(urls.map((url) => post(url, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const other = urls[(round + 1) % urls.length] as string;
    expect((await post(other, { ...body, description: "another" })).status).toBe(409);

    await until("the token to be listed", async () => (await totalOf(urls[0] as string, mint)) === 1);
    await postgres.untilReplicated();
    for (const url of urls) {
      const list = await get<{ tokens: { mint: string }[]; total: number }>(`${url}/api/tokens`);
      expect([list.total, list.tokens[0]?.mint]).toEqual([round + 1, mint.toLowerCase()]);
    }
  }
});

test("an image that one process has accepted is served by all without a shared folder, and without S3 by those that have fetched it", async () => {
  const [starting, first, second] = urls;
  const upload = async (seed: number) => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(await encode(picture({ seed }), "png"))]), "a.png");
    const response = await fetch(`${starting}/api/upload-image`, { method: "POST", body: form });
    expect(response.status).toBe(201);
    return ((await response.json()) as { cid: string }).cid;
  };
  const statuses = async (cid: string) =>
    await Promise.all(
      [starting, first, second].map(async (url) => (await fetch(`${url}/ipfs/${cid}`)).status),
    );

  const [everywhere, inTwo] = [await upload(1), await upload(2)];
  expect(await statuses(everywhere)).toEqual([200, 200, 200]);
  expect((await fetch(`${first}/ipfs/${inTwo}?width=64`)).status).toBe(200);
  await s3.close();
  expect(await statuses(everywhere)).toEqual([200, 200, 200]);
  expect(await statuses(inTwo)).toEqual([200, 200, 503]);
  const refused = await fetch(`${second}/ipfs/${inTwo}`);
  expect([Number(refused.headers.get("retry-after")), refused.headers.get("cache-control")]).toEqual([
    10,
    "no-store",
  ]);
});

test("a token hidden by command is hidden by all processes as soon as their replicas have the change", async () => {
  const mint = await chain.create(chain.traders[0], "Hidden", "HID");
  expect((await post(urls[0] as string, bodyOf(mint, "Hidden", "HID"))).status).toBe(201);
  const answers = () =>
    Promise.all(
      urls.map(async (url) => [
        await totalOf(url, mint),
        (await fetch(`${url}/api/metadata/${mint}`)).status,
      ]),
    );
  const all = (answer: number[]) => urls.map(() => answer);
  await until("the token to be listed", async () => `${await answers()}` === `${all([1, 200])}`);
  const moderate = async (...args: string[]) => {
    const code = await runProgram(path.join(projectDir, "tools/moderate/moderate.ts"), { env, args }).exited;
    await postgres.untilReplicated();
    return code;
  };
  expect(await moderate("hide", mint, "--reason", "a test")).toBe(0);
  expect(await answers()).toEqual(all([0, 451]));
  expect(await moderate("unhide", mint)).toBe(0);
  expect(await answers()).toEqual(all([1, 200]));
});

test("all processes count a client's requests together", async () => {
  const remaining = async (url: string) => {
    const response = await post(url, {});
    return Number(response.headers.get("RateLimit")?.match(/r=(\d+)/)?.[1]);
  };
  const before = await remaining(urls[0] as string);
  expect(await remaining(urls[1] as string)).toBe(before - 1);
  expect(await remaining(urls[2] as string)).toBe(before - 2);
});

test("while the replicas are paused, the process that accepted a registration shows it everywhere in its next answers", async () => {
  const [, one = "", other = ""] = urls;
  const { mint } = await createIndexed("Standing Still", "STILL");
  await postgres.untilReplicated();
  await untilReadingReplicas(one, other);
  await Promise.all([first?.pause(), second?.pause()]);
  const body = { ...bodyOf(mint, "Standing Still", "STILL"), description: "Nobody replays this." };

  const sees = async (url: string) => ({
    listed: await totalOf(url, mint),
    found: (await get<{ total: number }>(`${url}/api/tokens?q=nobody%20replays`)).total,
    entry: (await get<{ registered: boolean }>(`${url}/api/token/${mint}`)).registered,
    metadata: (await get<{ description?: string }>(`${url}/api/metadata/${mint}`)).description,
    graphql: (
      await graphql<{ listings: { items: unknown[] } }>(
        url,
        `{ listings(where: { address: "${mint.toLowerCase()}" }) { items { address } } }`,
      )
    ).listings.items.length,
  });
  const isThere = { listed: 1, found: 1, entry: true, metadata: body.description, graphql: 1 };

  const accepted = await post(one, body);
  expect([accepted.status, await accepted.json()]).toMatchObject([201, { description: body.description }]);
  expect(await sees(one)).toEqual(isThere);
  expect(await totalOf(other, mint)).toBe(0);
  expect([await replicaOf(one), await replicaOf(other)]).toMatchObject([
    { readsFrom: "primary", state: "following" },
    { readsFrom: "replica", state: "following" },
  ]);

  // The other process finds it registered already, although its replica lacks it too.
  const unchanged = await post(other, body);
  expect([unchanged.status, await unchanged.json()]).toMatchObject([200, { description: body.description }]);
  expect(await sees(other)).toEqual(isThere);

  // Neither process goes back to a replica that lacks the registration.
  let isOver = false;
  const watching = [one, other].map(async (url) => {
    const totals = new Set<number>();
    while (!isOver) {
      totals.add(await totalOf(url, mint));
      await delay(10);
    }
    return [...totals];
  });
  await Promise.all([first?.resume(), second?.resume()]);
  await untilReadingReplicas(one, other).finally(() => {
    isOver = true;
  });
  expect(await Promise.all(watching)).toEqual([[1], [1]]);
  expect([await sees(one), await sees(other)]).toEqual([isThere, isThere]);
});

test("minBlock waits for the replica being read, and no answer names a block that the replica lacks", async () => {
  const [start = "", , url = ""] = urls;
  await untilReadingReplicas(url);
  await second?.pause();
  const { mint, block } = await createIndexed("Later", "LATER");
  expect((await fetch(`${start}/api/curve/${mint}?minBlock=${block}`)).status).toBe(200);
  const plain = await fetch(`${url}/api/curve/${mint}`);
  expect(plain.status).toBe(404);
  const blockIn = (answer: Response) => Number(answer.headers.get("x-index-block")?.split(":")[1]);
  expect(await until("a block", async () => blockIn(await fetch(`${url}/api/stats`)))).toBeLessThan(block);

  const waiting = fetch(`${url}/api/curve/${mint}?minBlock=${block}`);
  await second?.resume();
  let answer = await waiting;
  // Ask again if a busy machine takes longer than the five seconds that minBlock waits.
  while (answer.status === 503) answer = await fetch(`${url}/api/curve/${mint}?minBlock=${block}`);
  expect(answer.status).toBe(200);
  expect(await until("a block", async () => blockIn(await fetch(`${url}/api/stats`)))).toBe(block);
});

test("an event is sent only once the replica has its data, even to a client that comes from a process that was ahead", async () => {
  const [, ahead = "", url = ""] = urls;
  await untilReadingReplicas(ahead, url);
  const streams = await Promise.all([openEventStream(ahead), openEventStream(url)]);
  const [early, late] = streams;
  await Promise.all(streams.map((stream) => stream.untilReady()));

  await second?.pause();
  const { mint } = await createIndexed("Eventful", "EVENT");
  await early.untilEvents(1);
  expect((await fetch(`${ahead}/api/curve/${mint}`)).status).toBe(200);
  expect((await fetch(`${url}/api/curve/${mint}`)).status).toBe(404);
  expect(late.events).toEqual([]);
  // This client has seen data that the process's replica does not have yet.
  const moved = await openEventStream(url, { lastEventId: early.lastId });
  const whenReady = moved.untilReady().then(() => fetch(`${url}/api/curve/${mint}`));
  const fresh = await openEventStream(url);
  await fresh.untilReady();
  expect([...late.events, ...moved.events, ...fresh.events]).toEqual([]);

  await second?.resume();
  await Promise.all([late.untilEvents(1), fresh.untilEvents(1)]);
  expect((await fetch(`${url}/api/curve/${mint}`)).status).toBe(200);
  expect([late.events, fresh.events]).toEqual([early.events, early.events]);
  expect((await whenReady).status).toBe(200);
  const next = await createIndexed("Next", "NEXT");
  await moved.untilEvents(1);
  expect(moved.events).toMatchObject([{ event: "created", data: { mint: next.mint.toLowerCase() } }]);
  await Promise.all([...streams, moved, fresh].map((stream) => stream.close()));
});

test("/status, /api/health and /metrics report how far the replica lags", async () => {
  const [start = "", url = ""] = urls;
  await untilReadingReplicas(url);
  expect(await replicaOf(start)).toBeUndefined();
  await first?.pause();
  await createIndexed("Lagging", "LAG");
  const lagging = await until("a second of lag", async () => {
    const { replica } = await get<{ replica: Replica }>(`${url}/status`);
    return (replica.lagSeconds ?? 0) >= 1 && replica;
  });
  expect(lagging).toMatchObject({ readsFrom: "replica", state: "following" });
  expect(lagging.lagBytes).toBeGreaterThan(0);
  expect((await replicaOf(url))?.lagBytes).toBeGreaterThanOrEqual(lagging.lagBytes ?? Number.NaN);
  const metrics = await (await fetch(metricsUrl)).text();
  const metric = (name: string) =>
    Number(new RegExp(`^launchpad_replica_${name} (.*)$`, "m").exec(metrics)?.[1]);
  expect([metric("following"), metric("read")]).toEqual([1, 1]);
  expect(metric("lag_bytes")).toBeGreaterThanOrEqual(lagging.lagBytes ?? Number.NaN);
  expect(metric("lag_seconds")).toBeGreaterThanOrEqual(1);

  // The check that a start makes before it reads from a replica.
  const readUrl = first?.urlOf(postgres.readUrl) ?? "";
  const hasCaughtUp = (patienceMs: number) =>
    onConnection(postgres.url, (owner) =>
      onConnection(readUrl, (reader) =>
        checkReplica({ url: postgres.url, readUrl, owner, reader, patienceMs }),
      ),
    );
  expect(await hasCaughtUp(0)).toBe(false);
  await first?.resume();
  expect(await hasCaughtUp(100_000)).toBe(true);
  await until("the replica to have caught up", async () => (await replicaOf(url))?.lagSeconds === 0);
});

test("clients' SQL runs on a replica, or where the setting asks for it", async () => {
  const [primary, replica, other] = [postgres.readUrl, first, second].map((server) =>
    typeof server === "string" ? server : (server?.urlOf(postgres.readUrl) ?? ""),
  );
  const served = (isSqlOn: boolean | undefined, readUrl: string | undefined) =>
    servesSql({ isSqlOn, readUrl });
  expect([
    await served(undefined, undefined),
    await served(undefined, primary),
    await served(undefined, replica),
    await served(true, undefined),
    await served(false, replica),
  ]).toEqual([false, false, true, true, false]);

  const login = Object.assign(new URL(primary as string), { search: "" }).href;
  expect(await sqlServerUrl(undefined, replica)).toBeUndefined();
  expect(await sqlServerUrl(login, primary)).toBe(login);
  expect(await sqlServerUrl(other, replica)).toBe(other);
  const moved = new URL((await sqlServerUrl(login, replica)) as string);
  expect([moved.host, moved.username]).toEqual([new URL(replica as string).host, new URL(login).username]);
});

test("while a replica is down its process reads from the primary, and no request fails", async () => {
  const [, url = ""] = urls;
  const { mint } = await createIndexed("Surviving", "ALIVE");
  await postgres.untilReplicated();
  await untilReadingReplicas(url);
  const answers: Record<string, number> = {};
  let isOver = false;
  const asking = ["/api/tokens", `/api/token/${mint}`, `/api/token/${mint}/holders`, "graphql"].map(
    async (what) => {
      while (!isOver) {
        const outcome =
          what === "graphql"
            ? await graphql(url, "{ tokens(limit: 1) { items { address } } }").then(
                () => "fine",
                (error: Error) => error.message,
              )
            : await fetch(url + what).then(async (answer) =>
                answer.ok ? "fine" : `${answer.status} ${await answer.text()}`,
              );
        answers[outcome] = (answers[outcome] ?? 0) + 1;
        await delay(20);
      }
    },
  );

  await first?.stop();
  await until("reads to go to the primary", async () => (await replicaOf(url))?.readsFrom === "primary");
  expect(await replicaOf(url)).toEqual({
    readsFrom: "primary",
    state: "away",
    lagBytes: null,
    lagSeconds: null,
  });
  expect((await post(url, bodyOf(mint, "Surviving", "ALIVE"))).status).toBe(201);
  expect(await totalOf(url, mint)).toBe(1);
  await first?.start();
  await untilReadingReplicas(url);
  expect(await totalOf(url, mint)).toBe(1);
  isOver = true;
  await Promise.all(asking);
  expect(Object.keys(answers)).toEqual(["fine"]);
});

test("a DATABASE_READ_URL that is not a replica, or whose role the primary refuses, stops the start with a line that says so", async () => {
  const prepare = (readUrl = "") => prepareReads({ url: postgres.url, readUrl, schema: "onchain", log() {} });
  // A copy of the same database that no longer follows the primary.
  await expect(prepare(inject("postgresReadUrl"))).rejects.toThrow(
    /^DATABASE_READ_URL leads to a server of its own, which is no replica of the one of DATABASE_URL: set it/,
  );
  const file = path.join(postgres.home, "cluster/pg_hba.conf");
  const rules = await readFile(file, "utf8");
  const applyAccessRules = async (text: string) => {
    await writeFile(file, text);
    await query(postgres.adminUrl, "select pg_reload_conf()");
  };
  await applyAccessRules(`host all launchpad_api all reject\n${rules}`);
  // The rules apply to new connections once every Postgres process has reloaded them.
  const refusal = await until("the primary to refuse the reader", async () =>
    prepare(first?.urlOf(postgres.readUrl)).then(
      () => undefined,
      ({ message }: Error) => message,
    ),
  ).finally(() => applyAccessRules(rules));
  await until("the primary to let the reader in", () =>
    query(postgres.readUrl, "select").then(
      () => true,
      () => false,
    ),
  );
  expect(refusal).toMatch(
    /^the server of DATABASE_URL doesn't let in the role of DATABASE_READ_URL \(.*launchpad_api.*\), .*: allow it in the primary's pg_hba\.conf$/,
  );
});

test("the others keep serving when the indexer stops, and list later registrations", async () => {
  const [, one = "", other = ""] = urls;
  const { mint } = await createIndexed("Left behind", "LEFT");
  promoted = (await createIndexed("Promoted", "PROMO")).mint;
  await postgres.untilReplicated();
  starter.kill("SIGTERM");
  await starter.exited;

  expect((await post(one, bodyOf(mint, "Left behind", "LEFT"))).status).toBe(201);
  await postgres.untilReplicated();
  expect(await totalOf(other, mint)).toBe(1);
});

test("with a replica that no longer follows the primary, new registrations are read from the primary", async () => {
  const [, , url = ""] = urls;
  await second?.promote();
  await until("it to be noticed", async () => (await replicaOf(url))?.state === "no_replica");
  expect((await post(url, bodyOf(promoted, "Promoted", "PROMO"))).status).toBe(201);
  expect(await totalOf(url, promoted)).toBe(1);
  expect(await replicaOf(url)).toMatchObject({ readsFrom: "primary", state: "no_replica" });
});

test("while the primary is down reads continue, and registrations are told to retry", async () => {
  const [, url = ""] = urls;
  await until("the token to be listed", async () => (await totalOf(url, promoted)) === 1);
  await untilReadingReplicas(url);
  await postgres.stopPrimary();
  expect(await totalOf(url, promoted)).toBe(1);
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  expect((await get<{ status: string }>(`${url}/api/health`)).status).toBe("up");
  expect(await replicaOf(url)).toMatchObject({ readsFrom: "replica", state: "following", lagBytes: null });
  const refused = await post(url, bodyOf(promoted, "Promoted", "PROMO"));
  expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true]);
});
