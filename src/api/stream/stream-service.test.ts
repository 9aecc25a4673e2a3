import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { drizzle } from "drizzle-orm/node-postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  appendStreamEvents,
  restartStream,
  type StreamState,
  saveStreamState,
} from "../../../offchain/stream-store.ts";
import { createDatabase, type TestDatabase } from "../../../test/service/database.ts";
import { startOfBlock } from "../../domain/ids.ts";
import { createPool, openDatabase } from "../database/database.ts";
import { onchainSchema } from "../ponder/index-state.query.ts";
import { createBroadcaster, createStreamClient, type StreamClient } from "./broadcaster.ts";
import { formatCursor } from "./cursor.ts";
import { matchAll } from "./read-page.ts";
import { createCatchUp, createStreamService } from "./stream-service.ts";

const chainId = 56;
const state: StreamState = {
  schema: onchainSchema,
  chainId,
  stamp: null,
  build: "",
  trigger: "",
  latestBlock: 0,
  compared: startOfBlock(0),
  settled: startOfBlock(0),
  settledAt: 0,
};

let database: TestDatabase;
/** The first event of the journal. */
let begun: number;

beforeAll(async () => {
  database = await createDatabase();
  const pool = poolOf("journal");
  const db = drizzle(pool);
  begun = await restartStream(db, onchainSchema, chainId);
  await saveStreamState(db, state, begun);
  await pool.end();
});

afterAll(() => database?.drop());

const poolOf = (name: string) =>
  createPool({ url: database.url, name, connections: 2, statementSeconds: 10 });

test("a stream that is opened while the service stops is closed too", async () => {
  const pool = poolOf("rest");
  const service = createStreamService({
    databaseUrl: database.url,
    db: openDatabase(pool),
    pool: poolOf("stream"),
    retentionHours: 1,
    maxPerAddress: 1,
  });
  const after = { event: begun, version: 0, registration: undefined };
  const outgoing = new PassThrough();
  const opening = service.open({ filter: matchAll, after, address: "here", outgoing });
  await service.stop();
  (await opening).start();
  expect(await text(outgoing)).toBe("");
  await pool.end();
}, 60_000);

test("an unknown position doesn't wait for the journal's connections, unless a replica may be behind", async () => {
  const pool = poolOf("rest");
  const open = async (waitForReplica?: () => Promise<void>) => {
    const journal = poolOf("stream");
    const looks = vi.spyOn(journal, "query");
    const service = createStreamService({
      databaseUrl: database.url,
      db: openDatabase(pool),
      pool: journal,
      waitForReplica,
      retentionHours: 1,
      maxPerAddress: 1,
    });
    const after = { event: begun + 1_000_000, version: 0, registration: undefined };
    const outgoing = new PassThrough();
    const opening = service.open({ filter: matchAll, after, address: "here", outgoing });
    await expect(opening).rejects.toMatchObject({ problem: { code: "stream_position_unknown" } });
    await service.stop();
    return looks.mock.calls.filter((call) => JSON.stringify(call).includes("is_known")).length;
  };
  expect(await open()).toBe(0);
  expect(await open(async () => {})).toBe(1);
  await pool.end();
}, 60_000);

test("a client whose queue is full when it joins gets nothing more", async () => {
  const pool = poolOf("hub");
  const broadcaster = createBroadcaster(openDatabase(pool));
  const outgoing = new PassThrough({ highWaterMark: 1 });
  outgoing.write(new Uint8Array(100_000));
  const full = createStreamClient(0, outgoing);
  const slow = { ...full, send: vi.fn(full.send) };
  const read = new PassThrough();
  const other = createStreamClient(10_000, read);
  for (const client of [slow, other]) broadcaster.enter(client, matchAll);
  await broadcaster.advance();
  for (const client of [other, slow]) broadcaster.join(client, matchAll);
  expect([slow.closed.aborted, broadcaster.size]).toEqual([true, 1]);

  const event = { chainId, position: "", kind: "trade", mint: "", creator: null, fingerprint: "" } as const;
  await appendStreamEvents(drizzle(pool), onchainSchema, [{ ...event, data: '"news"' }]);
  await broadcaster.advance();
  other.start();
  other.close();
  expect(await text(read)).toContain('"news"');
  expect(slow.send).toHaveBeenCalledTimes(1);
  await pool.end();
});

test("if too much is queued for all clients together, those that are furthest behind are cut off", async () => {
  const pool = poolOf("hub");
  const broadcaster = createBroadcaster(openDatabase(pool), 5_000);
  const join = async (mints: string[]) => {
    const outgoing = new PassThrough();
    const client = createStreamClient(1_000_000, outgoing);
    broadcaster.enter(client, { ...matchAll, mints });
    await broadcaster.advance();
    broadcaster.join(client, { ...matchAll, mints });
    return { ...client, outgoing };
  };
  const event = { chainId, kind: "trade", mint: "0xa", creator: null, fingerprint: "" } as const;
  const publish = async (position: string) => {
    const data = JSON.stringify("x".repeat(1_000));
    await appendStreamEvents(drizzle(pool), onchainSchema, [{ ...event, position, data }]);
    await broadcaster.advance();
  };
  const slow = [await join(["0xa"]), await join(["0xa"])];
  const other = await join(["0xa", "0xb"]);
  const reader = await join(["0xa", "0xc"]);
  reader.start();
  const read = text(reader.outgoing);
  for (let count = 1; count <= 3; count++) await publish(`queue ${count}`);
  // The two share the three events that they haven't read.
  expect([...slow, other].map(({ closed }) => closed.aborted)).toEqual([false, false, false]);
  other.destroy();
  const behind = await join(["0xa", "0xb"]);
  await publish("queue 4");
  expect([...slow, behind].map(({ closed }) => closed.aborted)).toEqual([false, false, false]);
  await publish("queue 5");
  expect([...slow, behind].map(({ closed }) => closed.aborted)).toEqual([true, true, false]);
  for (const client of [behind, reader]) client.close();
  expect((await read).match(/event: trade/g)).toHaveLength(5);
  await pool.end();
});

test("heartbeats of a crowd take several turns of the event loop", async () => {
  const pool = poolOf("hub");
  const broadcaster = createBroadcaster(openDatabase(pool));
  const sent = vi.fn<(text: string) => void>();
  const clients = Array.from({ length: 200 }, () => {
    const client = createStreamClient(10_000, new PassThrough());
    return { ...client, send: (bytes: Uint8Array) => sent(Buffer.from(bytes).toString()) };
  });
  for (const client of clients) broadcaster.enter(client, matchAll);
  await broadcaster.advance();
  for (const client of clients) broadcaster.join(client, matchAll);
  sent.mockClear();
  const first = new Promise<void>((resolve) => void sent.mockImplementationOnce(() => resolve()));
  const beating = broadcaster.sendHeartbeat();
  await first;
  expect(sent.mock.calls.length).toBeLessThan(100);
  await beating;
  const end = broadcaster.position && formatCursor(broadcaster.position);
  expect(sent.mock.calls.map(([text]) => text)).toEqual(Array(200).fill(`:\nid: ${end}\n`));
  for (const client of clients) client.close();
  await pool.end();
});

test("an event goes to a crowd in several turns of the event loop, once to each, also if a heartbeat and a new client come meanwhile", async () => {
  const pool = poolOf("hub");
  const broadcaster = createBroadcaster(openDatabase(pool));
  /** The messages that each client was sent, without their values. */
  const sent: string[][] = [];
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const enter = (filter = matchAll) => {
    const messages: string[] = [];
    sent.push(messages);
    const send = (bytes: Uint8Array) => {
      const message = Buffer.from(bytes).toString();
      messages.push(/^event: (\w+)/m.exec(message)?.[1] ?? message.trim());
      if (message.includes("event: trade")) begin();
    };
    const client = { ...createStreamClient(10_000, new PassThrough()), send };
    broadcaster.enter(client, filter);
    return client;
  };
  const clients = Array.from({ length: 200 }, () => enter());
  const newcomer = enter();
  await broadcaster.advance();
  const before = broadcaster.position && formatCursor(broadcaster.position);
  for (const client of clients) broadcaster.join(client, matchAll);

  const event = { chainId, position: "3", kind: "trade", mint: "", creator: null, fingerprint: "" } as const;
  await appendStreamEvents(drizzle(pool), onchainSchema, [{ ...event, data: "{}" }]);
  const advancing = broadcaster.advance();
  await begun;
  const reached = sent.filter((messages) => messages.includes("trade")).length;
  broadcaster.join(newcomer, matchAll);
  const beating = broadcaster.sendHeartbeat();
  await Promise.all([advancing, beating]);
  const end = broadcaster.position && formatCursor(broadcaster.position);
  expect(reached).toBeLessThan(100);
  expect(end).not.toBe(before);
  expect(sent).toEqual([...Array(200).fill(["ready", "trade", `:\nid: ${end}`]), ["ready", `:\nid: ${end}`]]);
  for (const client of [...clients, newcomer]) client.close();
  await pool.end();
});

test("a client without events for five minutes gets its position as an event, unless it knows it", async () => {
  const pool = poolOf("hub");
  const broadcaster = createBroadcaster(openDatabase(pool));
  const filter = { ...matchAll, kinds: ["graduated"] };
  const outgoing = new PassThrough();
  const client = createStreamClient(10_000, outgoing);
  broadcaster.enter(client, filter);
  await broadcaster.advance();
  broadcaster.join(client, filter);
  const beat = async (times: number) => {
    for (let beats = 0; beats < times; beats++) await broadcaster.sendHeartbeat();
  };
  await beat(30);

  const event = { chainId, position: "2", kind: "trade", mint: "", creator: null, fingerprint: "" } as const;
  await appendStreamEvents(drizzle(pool), onchainSchema, [{ ...event, data: '"not for it"' }]);
  await broadcaster.advance();
  await beat(30);
  const cursor = broadcaster.position && formatCursor(broadcaster.position);
  client.start();
  client.close();
  expect((await text(outgoing)).match(/^event: .*\ndata: .*/gm)).toEqual([
    expect.stringMatching(/^event: ready/),
    `event: position\ndata: {"cursor":"${cursor}"}`,
  ]);
  await pool.end();
});

test("an address that catches up with many streams delays another's by a few pages", async () => {
  const pool = poolOf("hub");
  const db = openDatabase(pool);
  const event = {
    chainId,
    kind: "trade",
    mint: "",
    creator: null,
    fingerprint: "",
    data: '"missed"',
  } as const;
  const missed = Array.from({ length: 3_000 }, (_, index) => ({ ...event, position: `missed ${index}` }));
  await appendStreamEvents(drizzle(pool), onchainSchema, missed);
  const broadcaster = createBroadcaster(db);
  const catchUp = createCatchUp(db, broadcaster);
  const after = { event: begun, version: 0, registration: undefined };
  let floodPages = 0;
  const flood: StreamClient[] = [];

  async function begin(address: string, onSend: () => void): Promise<void> {
    const opened = createStreamClient(1_000_000, new PassThrough().resume());
    opened.start();
    const client = {
      ...opened,
      send(bytes: Uint8Array) {
        onSend();
        opened.send(bytes);
      },
    };
    if (address === "flooder") flood.push(client);
    broadcaster.enter(client, matchAll);
    await catchUp(client, { filter: matchAll, after, address });
    client.close();
  }

  const flooding = Array.from({ length: 40 }, () => begin("flooder", () => floodPages++));
  let ownPages = 0;
  await begin("victim", () => ownPages++);
  expect(ownPages).toBeGreaterThanOrEqual(6);
  expect(floodPages).toBeLessThan(10 * ownPages);
  for (const client of flood) client.close();
  await Promise.all(flooding);
  await pool.end();
});
