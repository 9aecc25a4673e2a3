import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../../local/market/random.ts";
import { chainEventId } from "../../src/api/market/event-id.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../doubles/webhook-receiver.ts";
import { seed } from "../run/seed.ts";
import { alertEnvironment, createAlert, manageAlerts, newWallet } from "../service/alerts.ts";
import { until } from "../service/condition.ts";
import type { Indexer } from "../service/indexer.ts";
import { createRestClient } from "../service/rest-client.ts";
import { type Service, startService } from "../service/service.ts";

/*
 * 200 receivers that fail, hang, redirect, go away and come back, while the chain reorganizes, the processes that deliver are killed,
 * their connections to Postgres are cut and Postgres crashes. In the end, each has every trade of its token that is in the tables, in order.
 */

const minutes = Number(process.env.SOAK_MINUTES ?? 20);
const receiverCount = 200;
const tokenCount = 10;
const recoveryMs = 600_000;

const random = createRandom(seed);
const wallet = newWallet();

type Subscribed = {
  id: string;
  mint: string;
  receiver: WebhookReceiver;
  port: number;
  messages: WebhookReceiver["messages"];
};

let chain: LaunchpadChain;
let service: Service;
let replica: Indexer;
const subscribed: Subscribed[] = [];

beforeAll(async () => {
  chain = await startLaunchpadChain();
  service = await startService([chain], {
    env: { ...alertEnvironment, ALERTS_PER_WALLET: String(receiverCount) },
  });
  await service.indexer.untilReady();
  replica = await service.startReplica();
});

afterAll(async () => {
  for (const { receiver } of subscribed) await receiver.close();
  await replica?.stop();
  await service?.stop();
  await chain?.stop();
});

const faults: WebhookReceiver["answer"][] = [
  () => ({ status: 500, body: "" }),
  () => ({ status: 429, body: "", headers: { "retry-after": "2" } }),
  () => ({ status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } }),
  () => undefined,
];

async function misbehave(each: Subscribed): Promise<void> {
  const isAway = each.receiver.answer === gone;
  if (isAway) {
    // It comes back where it was, and remembers what it had.
    const receiver = await startWebhookReceiver(each.port);
    receiver.secret = each.receiver.secret;
    each.receiver = receiver;
    receiver.messages.unshift(...each.messages);
    each.messages = receiver.messages;
  } else if (random.integer(1, 4) === 1) {
    each.receiver.answer = gone;
    await each.receiver.close();
  } else {
    each.receiver.answer = random.integer(1, 2) === 1 ? undefined : random.pick(faults);
  }
}

/** Marks a receiver that doesn't listen any more. */
const gone = () => undefined;

async function disturb(): Promise<void> {
  const kind = random.integer(1, 20);
  if (kind === 1) {
    await service.indexer.kill();
    await service.restart();
    await service.indexer.untilReady();
  } else if (kind === 2) {
    await replica.kill();
    replica = await service.startReplica();
  } else if (kind === 3) {
    await service.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%alerts%' and pid <> pg_backend_pid()",
    );
  } else if (kind === 4) {
    await crashPostgres();
  }
  await restartWhatEnded();
}

/** Kills a backend with SIGKILL, after which Postgres ends all others and recovers from its log. */
async function crashPostgres(): Promise<void> {
  const client = new pg.Client(service.database.adminUrl);
  // Its connection is the one that is lost.
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  process.kill(rows[0]?.pid ?? 0, "SIGKILL");
  await until(
    "Postgres to be back",
    async () => (await service.database.query("select 1").catch(() => [])).length > 0,
  );
}

/** As a service manager does. */
async function restartWhatEnded(): Promise<void> {
  const hasEnded = ({ exited }: Indexer) => Promise.race([exited.then(() => true), delay(50, false)]);
  if (await hasEnded(service.indexer)) {
    await service.restart();
    await service.indexer.untilReady();
  }
  if (await hasEnded(replica)) replica = await service.startReplica();
}

test(
  "every receiver ends with every event of the tables, in order, whatever it, the chain and the processes did",
  async () => {
    const [creator, ...traders] = chain.traders;
    const mints: `0x${string}`[] = [];
    for (let count = 0; count < tokenCount; count++) mints.push(await chain.create(creator));
    await service.indexer.untilIndexed(56, await chain.head());
    const rest = await createRestClient(service.indexer.url);
    for (let count = 0; count < receiverCount; count++) {
      const receiver = await startWebhookReceiver();
      const mint = mints[count % tokenCount] ?? "0x";
      const rule = { type: "events", kind: ["trade"], mint: [mint] };
      const { body } = await createAlert(rest, wallet, {
        url: receiver.url,
        rule,
        batch: random.integer(1, 3) === 1 ? 20 : 1,
      });
      expect(body.alert.status).toBe("active");
      receiver.secret = body.secret;
      const port = Number(new URL(receiver.url).port);
      subscribed.push({
        id: body.alert.id,
        mint: mint.toLowerCase(),
        receiver,
        port,
        messages: receiver.messages,
      });
    }

    const end = performance.now() + minutes * 60_000;
    while (performance.now() < end) {
      const snapshot = await chain.testClient.snapshot();
      const blocks = random.integer(1, 6);
      for (let count = 0; count < blocks; count++)
        await chain.buy(random.pick(traders), random.pick(mints), 10n ** 12n);
      if (random.integer(1, 4) === 1) {
        await delay(random.integer(0, 1_000));
        await chain.testClient.revert({ id: snapshot });
        for (let count = 0; count <= blocks; count++) {
          await chain.buy(
            random.pick(traders),
            random.pick(mints),
            BigInt(random.integer(1, 1_000)) * 10n ** 10n,
          );
        }
      }
      for (let count = 0; count < 10; count++) await misbehave(random.pick(subscribed));
      await disturb();
      await delay(random.integer(0, 1_000));
    }

    await service.expectIndexEqualsChain();
    for (const each of subscribed) {
      if (each.receiver.answer === gone) await misbehave(each);
      each.receiver.answer = undefined;
    }
    // Their owner makes those that wait for their next attempt try at once.
    const manager = await manageAlerts(await createRestClient(service.indexer.url), wallet);
    for (const { id } of subscribed) {
      const { body } = await manager.get(id);
      await manager.change(id, {
        batch: body.batch,
        ...(body.status === "paused" ? { status: "active" } : {}),
      });
    }
    const rows = await service.database.query<{ id: string; token: string; tx: string }>(
      "select id, token, tx from onchain.trade order by id",
    );
    const wrong = () =>
      subscribed.flatMap(({ id, mint, receiver }) => {
        const expected = rows
          .filter(({ token }) => token === mint)
          .map(({ id, tx }) => `${chainEventId(56, id)} ${tx}`);
        const left = applied(receiver);
        return JSON.stringify(left) === JSON.stringify(expected)
          ? []
          : [{ id, expected: expected.length, left: left.length }];
      });
    await until("every receiver to have everything", async () => wrong().length === 0, recoveryMs).catch(() =>
      expect(wrong()).toEqual([]),
    );
  },
  minutes * 60_000 + 2 * recoveryMs,
);

/** The trades that a receiver knows after it has applied each message once, in the order in which they arrived. */
function applied({ distinct }: WebhookReceiver): string[] {
  const trades: string[] = [];
  for (const { type, data } of distinct()) {
    const trade = `${data.id} ${data.tx}`;
    if (type === "trade") trades.push(trade);
    else expect([type, trades.pop()]).toEqual(["removed", trade]);
  }
  return trades;
}
