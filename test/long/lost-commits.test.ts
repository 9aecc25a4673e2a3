import type { Address } from "viem";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { type CommitProxy, startCommitProxy } from "../doubles/commit-proxy.ts";
import { differences } from "../reference-market/reconcile.ts";
import { until } from "../service/condition.ts";
import { openEventStream } from "../service/event-stream.ts";
import { type Indexer, startIndexer } from "../service/indexer.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";

/* A COMMIT whose answer is lost counts once, and so does one that never reached Postgres. */

// What is unique to each kind of transaction.
const batch = 'insert into "onchain"."_ponder_checkpoint"';
const block = 'update "onchain"."_ponder_checkpoint" set "latest_checkpoint"';
const finalization = 'update "onchain"."_ponder_checkpoint" set "finalized_checkpoint"';
const reorg = "WITH reverted1 AS";

let chain: LaunchpadChain;
let proxy: CommitProxy;
let service: Service;
let token: Address;

/** A plain transfer: no other table refuses to have it counted twice. */
const transfer = () => chain.transfer(chain.traders[0], token, chain.traders[1], 1_000n);

beforeAll(async () => {
  chain = await startLaunchpadChain();
  const url = new URL(inject("postgresUrl"));
  proxy = await startCommitProxy(url.hostname, Number(url.port));
});

afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await chain?.stop();
});

test("the first commit, and that of a batch of the history", async () => {
  const [creator, holder] = chain.traders;
  token = await chain.create(creator);
  await chain.buy(creator, token, 10n ** 16n);
  for (let count = 0; count < 3; count++) await transfer();
  expect(await chain.balanceOf(token, holder)).toBe(3_000n);
  // So that all of it is final.
  await chain.testClient.mine({ blocks: 40 });
  const lost = proxy.loseCommitOf(batch).then(() => proxy.loseCommitOf(batch));
  service = await startService([chain], { postgresPort: proxy.port });
  await service.indexer.untilReady();
  await lost;
  await service.expectIndexEqualsChain();
});

test("that of a block", async () => {
  const lost = proxy.loseCommitOf(block);
  await transfer();
  await lost;
  await service.expectIndexEqualsChain();
  await transfer();
  await service.expectIndexEqualsChain();
  expect(service.indexer.output()).toContain("its answer was lost");
});

test("that of a block with trades, which the tables refuse to have twice", async () => {
  const lost = proxy.loseCommitOf(block);
  await chain.buy(chain.traders[1], token, 10n ** 15n);
  await lost;
  await service.expectIndexEqualsChain();
});

test("that of a block which never reached Postgres", async () => {
  const cut = proxy.cutAt(block);
  await transfer();
  await cut;
  await service.expectIndexEqualsChain();
});

test("those of a reorg, and of the block that replaces one with the same number and time", async () => {
  await service.indexer.untilAtHead(56, () => chain.publicClient.getBlock());
  const { timestamp } = await chain.publicClient.getBlock();
  const snapshot = await chain.testClient.snapshot();
  await chain.testClient.setNextBlockTimestamp({ timestamp: timestamp + 2n });
  await transfer();
  await service.indexer.untilAtHead(56, () => chain.publicClient.getBlock());

  const lost = Promise.all([proxy.loseCommitOf(reorg), proxy.loseCommitOf(block)]);
  await chain.testClient.revert({ id: snapshot });
  await chain.testClient.setNextBlockTimestamp({ timestamp: timestamp + 2n });
  await chain.buy(chain.traders[2], token, 10n ** 15n);
  // A longer chain, which is what makes the indexer look.
  await transfer();
  await lost;
  await service.expectIndexEqualsChain();
});

test("that of a finalization", async () => {
  const lost = proxy.loseCommitOf(finalization);
  await chain.testClient.mine({ blocks: 70 });
  await transfer();
  await lost;
  await transfer();
  await service.expectIndexEqualsChain();
  const [row] = await service.database.query<{ wrong: string }>(
    "select count(*) as wrong from onchain._ponder_checkpoint where safe_checkpoint > finalized_checkpoint",
  );
  expect(row?.wrong).toBe("0");
});

test("that of the stream's journal: each event is sent once", async () => {
  const stream = await openEventStream(service.indexer.url);
  await stream.untilReady();
  const lost = proxy.loseCommitOf("insert into offchain.stream_event");
  const first = await chain.buy(chain.traders[1], token, 10n ** 15n);
  await lost;
  const second = await chain.buy(chain.traders[2], token, 10n ** 15n);
  const sent = () => stream.events.map(({ event, data }) => `${event} ${data.tx}`);
  await until("the second trade in the stream", async () =>
    sent().includes(`trade ${second.transactionHash}`),
  );
  expect(sent()).toEqual([`trade ${first.transactionHash}`, `trade ${second.transactionHash}`]);
  await stream.close();
});

test("that of a registration: it is stored, and sending it again is no conflict", async () => {
  const rest = await createRestClient(service.indexer.url);
  const body = registrationOf(token, chain.traders[0], { description: "kept" });
  const lost = proxy.loseCommitOf('insert into "offchain"."registration"');
  const { status, headers } = await rest.post("/api/tokens", body);
  await lost;
  expect(status).toBe(503);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  const again = await rest.post("/api/tokens", body);
  expect([again.status, again.body.description]).toEqual([200, "kept"]);
  expect((await rest.get(`/api/tokens?mint=${token}`)).body.total).toBe(1);
});

test("a second process that indexes into the same schema stops the first", async () => {
  // As if the first one's lock had been released, so that the second doesn't wait for it.
  await service.database.query(
    "update onchain._ponder_meta set value = jsonb_set(value, '{is_locked}', '0')",
  );
  const second: Indexer = await startIndexer({ ...service.options, databaseUrl: service.database.url });
  try {
    await second.untilReady();
    await transfer();
    expect(await service.indexer.exited).toBe(75);
    expect(service.indexer.output()).toContain('another process indexes into the schema "onchain"');
    await transfer();
    await second.untilAtHead(56, () => chain.publicClient.getBlock());
    expect(await differences({ ...chain, database: service.database })).toEqual([]);
  } finally {
    await second.stop();
  }
});
