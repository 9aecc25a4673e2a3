import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  insertSubscriptions,
  readKnownNumbers,
  readSubscriptions,
  skipNumbers,
} from "../../offchain/alert-backup.ts";
import { onPooledConnection } from "../../offchain/connection.ts";
import { sealReceiver } from "../../src/api/alerts/receiver-secrets.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { startHostileServer } from "../doubles/hostile-server.ts";
import { startHttpServer } from "../doubles/http-server.ts";
import {
  startWebhookReceiver,
  type WebhookMessage,
  type WebhookReceiver,
} from "../doubles/webhook-receiver.ts";
import { onlyInLongRun } from "../run/long-run.ts";
import { alertEnvironment, createAlert, manageAlerts, newWallet, signAlert } from "../service/alerts.ts";
import { until } from "../service/condition.ts";
import { connectMcp } from "../service/mcp-client.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { encode, picture } from "../service/sample-images.ts";
import { serveChains } from "../service/served-chains.ts";
import type { Service } from "../service/service.ts";
import { testAlertsInExplorer } from "./alerts/explorer.ts";

/* Webhooks deliver what a subscription asks for, once or more and in order, whatever happens to the service, the receiver and the chain. */

let chain: LaunchpadChain;
let service: Service;
let rest: RestClient;
let untilIndexed: () => Promise<void>;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  chain = await startLaunchpadChain();
  ({ service, rest, untilIndexed } = await serveChains([chain], {
    env: {
      ...alertEnvironment,
      ALERTS_PER_WALLET: "3",
      TRUST_PROXY: "1",
      IMAGES_FROM_URLS: "on",
      IMAGES_FROM_URLS_PRIVATE_NETWORKS: "127.0.0.0/8",
    },
  }));
});

afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});

async function receive(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  receivers.push(receiver);
  return receiver;
}

/** Makes a subscription whose receiver is verified at once. */
async function subscribe(receiver: WebhookReceiver, rule: object, { batch = 1, wallet = newWallet() } = {}) {
  const { status, body } = await createAlert(rest, wallet, { url: receiver.url, rule, batch });
  expect(status).toBe(201);
  expect(body.verification).toEqual({ verified: true, status: 200, error: null, errorCode: null });
  expect(body.alert.status).toBe("active");
  receiver.secret = body.secret;
  return { id: body.alert.id as string, secret: body.secret as string, wallet };
}

const typesOf = (messages: WebhookMessage[]) => messages.map(({ type }) => type);
const untilTypes = (receiver: WebhookReceiver, ...types: string[]) =>
  until(
    `${types.join(", ")} in ${typesOf(receiver.distinct()).join(", ")}`,
    async () => {
      return JSON.stringify(typesOf(receiver.distinct())) === JSON.stringify(types);
    },
    60_000,
  ).catch(() => expect(typesOf(receiver.distinct())).toEqual(types));

/** The ids of a token's trades that are true, by the messages: fails if one is removed that was not sent, or sent twice. */
function tradesLeft(messages: WebhookMessage[]): string[] {
  const left: string[] = [];
  for (const { type, data } of messages) {
    if (type === "removed") expect(left.pop()).toBe(data.id);
    else left.push(data.id);
  }
  return left;
}

const tradesOf = async (mint: string) =>
  (
    await service.database.query<{ id: string }>(
      "select chain_id || '-' || id as id from onchain.trade where token = $1 order by id",
      [mint.toLowerCase()],
    )
  ).map(({ id }) => id);

async function create(name?: string): Promise<`0x${string}`> {
  const mint = await chain.create(chain.traders[0] ?? "0x", name);
  await untilIndexed();
  return mint;
}

const amount = 10n ** 14n;

test("one signed message makes a subscription; its receiver gets each event signed, in order, and what a reorg takes back", async () => {
  const [, buyer, other] = chain.traders;
  const mint = await create();
  const receiver = await receive();
  const { id } = await subscribe(receiver, { type: "events", mint: [mint], minBnb: "0.0001" });
  await chain.buy(buyer, mint, amount);
  // Too small for its filter.
  await chain.buy(buyer, mint, amount / 10n);
  await chain.buy(other, mint, 2n * amount);
  await untilTypes(receiver, "trade", "trade");
  const [first] = receiver.messages;
  expect(first).toMatchObject({
    subscription: id,
    data: { mint: mint.toLowerCase(), kind: "trade", side: "buy" },
  });
  expect(first?.id).toMatch(new RegExp(`^${id}\\.\\d+$`));

  const snapshot = await chain.testClient.snapshot();
  await chain.buy(buyer, mint, 3n * amount);
  await untilTypes(receiver, "trade", "trade", "trade");
  await chain.testClient.revert({ id: snapshot });
  await chain.buy(other, mint, 4n * amount);
  await chain.buy(other, mint, 5n * amount);
  await untilTypes(receiver, "trade", "trade", "trade", "removed", "trade", "trade");
  const wanted = (await tradesOf(mint)).filter((_, index) => index !== 1);
  expect(tradesLeft(receiver.distinct())).toEqual(wanted);
});

test("a condition is met when its limit is crossed, again after its hysteresis, and retracted by a reorg", async () => {
  const [, buyer] = chain.traders;
  const mint = await create();
  const receiver = await receive();
  const { id, wallet: watcher } = await subscribe(receiver, {
    type: "crosses",
    mint,
    metric: "progress",
    above: "20",
    hysteresisPercent: 50,
  });
  await untilConditionsBegin();
  const holder = await receive();
  await subscribe(holder, { type: "crosses", mint, metric: "accountPercent", account: buyer, above: "90" });
  const volume = await receive();
  await subscribe(volume, {
    type: "crosses",
    mint,
    metric: "volumeBnb",
    windowMinutes: 60,
    above: "0.015",
    repeat: "once",
  });
  await untilConditionsBegin();

  await chain.buy(buyer, mint, graduatingAmount / 5n);
  await untilTypes(receiver, "met");
  const manager = await manageAlerts(rest, watcher);
  await manager.change(id, { from: "0" });
  await until("the replay", async () => receiver.messages.length === 2);
  const [met] = receiver.messages;
  expect(met?.data).toMatchObject({
    mint: mint.toLowerCase(),
    rule: { metric: "progress" },
    cause: { kind: "trade" },
  });
  expect(Number(met?.data.value)).toBeGreaterThanOrEqual(20);
  await untilTypes(holder, "met");
  expect(volume.messages).toEqual([]);

  const snapshot = await chain.testClient.snapshot();
  const [{ balance } = { balance: "0" }] = await service.database.query<{ balance: string }>(
    "select balance_raw as balance from onchain.holder where token = $1 and account = $2",
    [mint.toLowerCase(), buyer.toLowerCase()],
  );
  await chain.sell(buyer, mint, (BigInt(balance) * 9n) / 10n);
  await untilTypes(volume, "met");
  // Alerts of a token that the operator hides meanwhile say so, as events do.
  await service.database.query(
    "insert into offchain.hidden_token (chain_id, mint, reason) values (56, $1, '')",
    [mint.toLowerCase()],
  );
  await chain.buy(buyer, mint, graduatingAmount / 5n);
  await untilTypes(receiver, "met", "met");
  expect([met?.data.cause.hidden, receiver.messages.at(-1)?.data.cause.hidden]).toEqual([undefined, true]);
  await chain.testClient.revert({ id: snapshot });
  await chain.buy(buyer, mint, amount);
  await untilTypes(receiver, "met", "met", "retracted");
  const [, second, retracted] = receiver.distinct();
  expect(retracted?.data.retracts).toBe(second?.id);
  await untilTypes(volume, "met", "retracted");
});

/** Waits until the conditions have a value to begin from. */
async function untilConditionsBegin(): Promise<void> {
  await until("conditions to begin", async () => {
    const rows = await service.database.query(
      "select from offchain.alert_subscription where rule ->> 'type' = 'crosses' and status = 'active' and condition is null",
    );
    return rows.length === 0;
  });
}

test("a receiver that fails, answers with a redirect or nothing gets everything later, in order, and delays no other", async () => {
  const [, buyer] = chain.traders;
  const mint = await create();
  const failing = await receive();
  const hanging = await receive();
  const batched = await receive();
  const quick = await receive();
  const rule = { type: "events", kind: ["trade"], mint: [mint] };
  const { id, wallet } = await subscribe(failing, rule);
  await subscribe(hanging, rule);
  await subscribe(batched, rule, { batch: 100 });
  await subscribe(quick, rule);
  const [failed, redirected] = [failing.requests, batched.requests];
  failing.answer = () => ({ status: 500, body: "" });
  hanging.answer = () => undefined;
  batched.answer = () => ({ status: 302, body: "", headers: { location: quick.url } });
  for (let count = 1n; count <= 5n; count++) await chain.buy(buyer, mint, count * amount);
  await untilTypes(quick, "trade", "trade", "trade", "trade", "trade");
  expect(quick.messages).toHaveLength(5);
  await until("an attempt of each", async () => failing.requests > failed && batched.requests > redirected);
  const manager = await manageAlerts(rest, wallet);
  await until("the failure in the subscription", async () => (await manager.get(id)).body.failures > 0);
  const { body: seen } = await manager.get(id);
  expect(seen.deliveries[0]).toMatchObject({ status: 500, error: "it answered 500", errorCode: "status" });
  expect(seen.nextAttemptAt).not.toBeNull();

  for (const receiver of [failing, hanging, batched]) receiver.answer = undefined;
  const trades = await tradesOf(mint);
  for (const receiver of [failing, hanging, batched]) {
    await untilTypes(receiver, "trade", "trade", "trade", "trade", "trade");
    expect(tradesLeft(receiver.distinct())).toEqual(trades);
  }
});

test("a wallet manages its own subscriptions with a token: pause, resume, replay, rotate, test, end", async () => {
  const [, buyer] = chain.traders;
  const mint = await create();
  const receiver = await receive();
  const { id, secret, wallet } = await subscribe(receiver, { type: "events", kind: ["trade"], mint: [mint] });
  const manager = await manageAlerts(rest, wallet);
  expect((await manager.list()).body.alerts).toMatchObject([{ id, owner: wallet.address.toLowerCase() }]);
  expect((await manager.test(id)).body.attempt).toMatchObject({ status: 204, error: null });
  expect(typesOf(receiver.messages.splice(0))).toEqual(["test"]);

  expect((await manager.change(id, { status: "paused" })).body.alert).toMatchObject({
    pausedBecause: "owner",
  });
  await chain.buy(buyer, mint, amount);
  await untilIndexed();
  expect((await manager.change(id, { status: "active" })).body.alert.status).toBe("active");
  await untilTypes(receiver, "trade");
  await chain.buy(buyer, mint, amount);
  await untilTypes(receiver, "trade", "trade");

  const { body: rotated } = await manager.change(id, { rotateSecret: true });
  expect(rotated.secret).not.toBe(secret);
  await chain.buy(buyer, mint, amount);
  // Signed with both.
  await untilTypes(receiver, "trade", "trade", "trade");
  // Also after another rotation, as by someone to whom the answer was lost.
  const { body: again } = await manager.change(id, { rotateSecret: true });
  await chain.buy(buyer, mint, amount);
  await untilTypes(receiver, "trade", "trade", "trade", "trade");
  receiver.secret = again.secret;
  const before = receiver.messages.length;
  for (const from of ["", "0", "999999999999999-0"]) {
    const body = JSON.stringify({ from });
    const headers = { authorization: `Bearer ${manager.token}`, "content-type": "application/json" };
    const refused = await rest.request(`/api/alerts/${id}`, { method: "PATCH", headers, body });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: "from" }]]);
  }
  await manager.change(id, { from: "0-0" });
  await until("a replay", async () => receiver.messages.length >= before + 4);

  const stranger = await manageAlerts(rest, newWallet());
  expect((await stranger.get(id)).status).toBe(404);
  expect((await stranger.end(id)).status).toBe(404);
  expect((await stranger.list()).body.alerts).toEqual([]);
  expect((await rest.get("/api/alerts", { authorization: "Bearer alerts_x" })).status).toBe(401);
  expect((await rest.get("/api/alerts")).status).toBe(400);
  expect((await manager.get("alert_%00")).status).toBe(400);
  // On another chain, a contract wallet of this address may be somebody else's.
  await service.database.query("update offchain.alert_token set chain_id = 97 where owner = $1", [
    wallet.address.toLowerCase(),
  ]);
  expect((await manager.get(id)).status).toBe(404);
  expect((await manager.list()).body.alerts).toEqual([]);
  await service.database.query("update offchain.alert_token set chain_id = 56");

  // Its owner can see and end what can't be opened any more, and is told to.
  await service.database.query("update offchain.alert_subscription set sealed = $2 where id = $1", [
    id,
    sealReceiver(randomBytes(32), id, { url: receiver.url, secret: "" }),
  ]);
  expect((await manager.list()).body.alerts).toMatchObject([{ id, url: null }]);
  const headers = { authorization: `Bearer ${manager.token}`, "content-type": "application/json" };
  for (const { status, body } of [
    await rest.request(`/api/alerts/${id}`, { method: "PATCH", headers, body: '{"status":"paused"}' }),
    await manager.test(id),
    await manager.verify(id),
  ]) {
    expect([status, body]).toMatchObject([
      409,
      { code: "alert_unreadable", detail: expect.stringContaining("DELETE /api/alerts/{id}") },
    ]);
  }
  expect((await manager.end(id)).body).toEqual({ id, ended: true });
  expect((await manager.get(id)).status).toBe(404);
});

test("a value in USD is refused where there is no rate: it would never be met", async () => {
  const receiver = await receive();
  const mint = await create();
  const rule = { type: "crosses", mint, metric: "priceUsd", above: "1" };
  const request = { owner: newWallet().address, url: receiver.url, rule };
  const { status, body } = await rest.post("/api/alerts/message", request);
  expect([status, body.errors]).toMatchObject([400, [{ path: "rule.metric" }]]);
  const inBnb = { ...request, rule: { ...rule, metric: "priceBnb" } };
  expect((await rest.post("/api/alerts/message", inBnb)).status).toBe(200);
});

test("a signature makes one subscription and one token, for its wallet and a while, and limits hold", async () => {
  const receiver = await receive();
  const wallet = newWallet();
  const rule = { type: "events", kind: ["graduated"] };
  const signed = await signAlert(rest, wallet, { url: receiver.url, rule });
  const first = await rest.post("/api/alerts", signed);
  expect(first.status).toBe(201);
  const again = await rest.post("/api/alerts", signed);
  expect(again.status).toBe(200);
  expect(again.body).toMatchObject({ secret: null, alert: { id: first.body.alert.id } });
  const forged = await rest.post("/api/alerts", { ...signed, url: "https://elsewhere.example/" });
  expect([forged.status, forged.body.code]).toEqual([422, "invalid_signature"]);
  const old = await rest.post("/api/alerts", { ...signed, issuedAt: signed.issuedAt - 700 });
  expect([old.status, old.body.code]).toEqual([422, "signature_expired"]);

  const shortLived = newWallet();
  const toEnd = await signAlert(rest, shortLived, { url: receiver.url, rule });
  const made = await rest.post("/api/alerts", toEnd);
  await (await manageAlerts(rest, shortLived)).end(made.body.alert.id);
  expect((await rest.post("/api/alerts", toEnd)).body.code).toBe("signature_used");

  // As wallets take it, which add no type of the domain.
  const { typedData } = (await rest.post("/api/alerts/message", { owner: wallet.address })).body;
  expect(typedData.types.EIP712Domain.map(({ name }: { name: string }) => name)).toEqual(
    Object.keys(typedData.domain),
  );
  const access = await signAlert(rest, wallet, {});
  expect((await rest.post("/api/alerts/tokens", access)).status).toBe(201);
  expect((await rest.post("/api/alerts/tokens", access)).body.code).toBe("signature_used");

  for (let count = 2; count <= 3; count++) {
    const more = { url: `${receiver.url}/${count}`, rule };
    expect((await createAlert(rest, wallet, more)).status).toBe(201);
  }
  const tooMany = await createAlert(rest, wallet, { url: `${receiver.url}/4`, rule });
  expect([tooMany.status, tooMany.body.code]).toEqual([409, "too_many_alerts"]);

  // Nobody who never asked for them gets challenges without end.
  const stranger = newWallet();
  const { body: unasked } = await createAlert(rest, stranger, { url: "https://192.0.2.1/", rule });
  const manager = await manageAlerts(rest, stranger);
  const errors: string[] = [unasked.verification.error];
  while (errors.length < 21) errors.push((await manager.verify(unasked.alert.id)).body.verification.error);
  expect(errors[19]).toMatch(/public address/);
  expect(errors[20]).toBe("too many challenges to its host were not answered: try again in an hour");

  const stored = await service.database.query("select * from offchain.alert_subscription where owner = $1", [
    wallet.address.toLowerCase(),
  ]);
  expect(stored).toHaveLength(3);
  const text = JSON.stringify(stored);
  expect(text).not.toContain(first.body.secret.slice("whsec_".length));
  expect(text).not.toContain(receiver.url);
});

test("subscriptions from one IPv6 /48 network count together, as one customer has all of it", async () => {
  const receiver = await receive();
  const rule = { type: "events", kind: ["graduated"] };
  const clientOf = async (address: string) => {
    const signed = await signAlert(rest, newWallet(), { url: receiver.url, rule });
    const { status, body } = await rest.request("/api/alerts", {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify(signed),
    });
    expect(status).toBe(201);
    const [row] = await service.database.query<{ client: string }>(
      "select client from offchain.alert_subscription where id = $1",
      [body.alert.id],
    );
    return row?.client;
  };
  const first = await clientOf("2001:db8:1:1::1");
  expect(await clientOf("2001:db8:1:ffff::9")).toBe(first);
  expect(await clientOf("2001:db8:2:1::1")).not.toBe(first);
});

test("nothing but a challenge goes to a receiver that hasn't echoed one, and nothing at all to a private address", async () => {
  const [, buyer] = chain.traders;
  const mint = await create();
  const receiver = await receive();
  const rule = { type: "events", mint: [mint] };
  for (const url of [
    "https://10.0.0.1/",
    "https://[::ffff:169.254.169.254]/",
    "http://1.1.1.1/",
    "https://nothing.invalid/",
  ]) {
    const { status, body } = await createAlert(rest, newWallet(), { url, rule });
    expect(status).toBe(201);
    expect(body.verification).toMatchObject({ verified: false, status: null });
    expect(body.verification.error).toMatch(url.includes("invalid") ? /resolved/ : /public address/);
    expect(body.alert.status).toBe("unverified");
  }

  receiver.secret = `whsec_${Buffer.alloc(24).toString("base64")}`;
  const wallet = newWallet();
  const { body } = await createAlert(rest, wallet, { url: receiver.url, rule });
  expect(body.verification).toMatchObject({ verified: false, status: 599 });
  await chain.buy(buyer, mint, amount);
  await untilIndexed();
  const manager = await manageAlerts(rest, wallet);
  expect((await manager.test(body.alert.id)).body.code).toBe("alert_unverified");
  expect(receiver.requests).toBe(1);

  const headers = { authorization: `bearer ${manager.token}`, "content-type": "application/json" };
  const paused = await rest.request(`/api/alerts/${body.alert.id}`, {
    ...{ method: "PATCH", headers, body: '{"status":"paused"}' },
  });
  expect([paused.status, paused.body.code]).toEqual([409, "alert_unverified"]);

  const other = await startHttpServer(async () => ({ status: 200, body: "ü".repeat(32) }));
  const elsewhere = await createAlert(rest, newWallet(), { url: other.url, rule });
  await other.close();
  expect(elsewhere.body.verification).toMatchObject({ verified: false, status: 200 });

  receiver.secret = body.secret;
  expect((await manager.verify(body.alert.id)).body.verification.verified).toBe(true);
  // From when it was made.
  await untilTypes(receiver, "trade");
});

test("a receiver that comes back after the journal was pruned is told of the gap first, and then gets the rest", async () => {
  const [, buyer] = chain.traders;
  const mint = await create();
  const [receiver, other] = [await receive(), await receive()];
  const rule = { type: "events", kind: ["trade"], mint: [mint] } as const;
  const { id, wallet } = await subscribe(receiver, rule);
  await subscribe(other, rule);
  const manager = await manageAlerts(rest, wallet);
  await manager.change(id, { status: "paused" });
  await chain.buy(buyer, mint, amount);
  await untilTypes(other, "trade");
  await service.database.query("delete from offchain.stream_event");
  await manager.change(id, { status: "active" });
  await untilTypes(receiver, "gap");
  await chain.buy(buyer, mint, 2n * amount);
  await untilIndexed();
  await untilTypes(receiver, "gap", "trade");
  await untilTypes(other, "trade", "trade");
  expect(receiver.messages.at(-1)?.data.id).toBe((await tradesOf(mint)).at(-1));
});

onlyInLongRun(() => {
  test("subscriptions that are restored from a backup get what happens from then on, and conditions a notice of the gap", async () => {
    const [, buyer] = chain.traders;
    const mint = await create();
    const [events, condition, other] = [await receive(), await receive(), await receive()];
    const rule = { type: "events", kind: ["trade"], mint: [mint] } as const;
    const subscribed = [
      await subscribe(events, rule),
      await subscribe(condition, { type: "crosses", mint, metric: "progress", above: "20" }),
    ];
    await subscribe(other, rule);
    await chain.buy(buyer, mint, amount);
    await untilTypes(events, "trade");

    const pool = new pg.Pool({ connectionString: service.database.url, max: 1 });
    onTestFinished(() => pool.end());
    const ids = subscribed.map(({ id }) => id);
    const backup = await onPooledConnection(pool, async (client) => {
      const lines = [];
      for await (const line of readSubscriptions(client)) if (ids.includes(line.id)) lines.push(line);
      return { lines, numbers: await readKnownNumbers(client) };
    });
    for (const { id, wallet } of subscribed) await (await manageAlerts(rest, wallet)).end(id);
    await chain.buy(buyer, mint, amount);
    await untilTypes(other, "trade", "trade");
    await service.database.query("delete from offchain.alert_subscription where id = any ($1)", [ids]);
    await onPooledConnection(pool, async (client) => {
      await skipNumbers(client, backup.numbers);
      await insertSubscriptions(client, backup.lines);
    });
    await untilTypes(condition, "gap");
    await untilConditionsBegin();
    await chain.buy(buyer, mint, graduatingAmount / 4n);
    await untilTypes(condition, "gap", "met");
    await untilTypes(events, "trade", "trade");
    const [first, , third] = await tradesOf(mint);
    expect(events.distinct().map(({ data }) => data.id)).toEqual([first, third]);
  });
});

test("an image by URL becomes the same as its upload, and nothing else does", async () => {
  const png = await encode(picture(), "png");
  let body: Buffer | string = png;
  const server = await startHostileServer((response) => response.end(body));
  const mcp = await connectMcp(service.indexer.url);
  try {
    const uploaded = await mcp.use("upload_image", {
      image: `data:image/png;base64,${png.toString("base64")}`,
    });
    expect(await mcp.use("upload_image", { image: server.url })).toEqual(uploaded);
    const fromUrl = (url: string) => rest.post("/api/upload-image/from-url", { url });
    expect(await fromUrl(server.url)).toMatchObject({ status: 201, body: uploaded });
    expect((await rest.get(`/ipfs/${uploaded.cid}`)).status).toBe(200);

    body = "<svg xmlns='http://www.w3.org/2000/svg'/>";
    expect((await fromUrl(server.url)).body.code).toBe("unsupported_image_type");
    body = png.subarray(0, png.length / 2);
    expect((await fromUrl(server.url)).body.code).toBe("broken_image");
    const isPrivate = await mcp.call("upload_image", { image: "https://10.0.0.1/otter.png" });
    expect([isPrivate.isError, isPrivate.text]).toEqual([true, expect.stringContaining("public address")]);
    for (const url of ["ftp://otter.example/a.png", "https://user:secret@otter.example/", "otter.png"]) {
      expect((await fromUrl(url)).body).toMatchObject({ code: "invalid_request", errors: [{ path: "url" }] });
    }
  } finally {
    await mcp.close();
    await server.stop();
  }
});

test("what an alert doesn't know is refused over REST and MCP, whose list of tools stays short with it", async () => {
  const wallet = newWallet();
  const alert = { owner: wallet.address, url: "https://bot.example/", rule: { type: "events", minBNB: "1" } };
  const { status, body } = await rest.post("/api/alerts/message", alert);
  const message = "rule.minBNB is not a field of this request: did you mean minBnb?";
  expect([status, body.detail]).toEqual([400, message]);
  const crossing = { type: "crosses", mint: wallet.address, metric: "holders", over: "1" };
  const crossed = await rest.post("/api/alerts/message", { ...alert, rule: crossing });
  expect([crossed.status, crossed.body.detail]).toEqual([
    400,
    expect.stringContaining("rule.over is not a field"),
  ]);
  const { token } = await manageAlerts(rest, wallet);
  const authorization = `Bearer ${token}`;
  expect((await rest.get("/api/alerts", { authorization })).body.alerts).toEqual([]);
  const filtered = await rest.get("/api/alerts?status=paused", { authorization });
  expect([filtered.status, filtered.body.code]).toEqual([400, "invalid_request"]);

  const mcp = await connectMcp(service.indexer.url, undefined, { isStructured: false });
  try {
    expect(mcp.tools.map(({ name }) => name)).toContain("create_alert");
    expect(JSON.stringify(mcp.tools).length).toBeLessThan(30_000);
    const { isError, text } = await mcp.call("create_alert", alert);
    expect([isError, text]).toEqual([true, `invalid_request: ${message}`]);
    const mistyped = await mcp.call("create_alert", { ...alert, rule: { type: "event" } });
    expect(mistyped.text).toBe("invalid_request: rule.type must be events or crosses");
    const events = { ...alert, rule: { type: "events" } };
    const unsigned = await mcp.call("create_alert", { ...events, issuedAt: 1 });
    expect([unsigned.isError, unsigned.text]).toEqual([
      true,
      expect.stringContaining("signature is missing"),
    ]);
    const undated = await mcp.call("create_alert", { ...events, signature: "0x12" });
    expect(undated.text).toBe(
      "invalid_request: issuedAt must be the whole number of seconds since 1970 that the signed message has",
    );
  } finally {
    await mcp.close();
  }
});

describe("explorer", () => testAlertsInExplorer(() => ({ chain, url: service.indexer.url, untilIndexed })));

/** The lease to deliver: its number, which grows with each process that takes it, and when it ends, by the database's clock. */
async function readLease(): Promise<{ number: number; endsAt: number }> {
  const [row] = await service.database.query<{ lease: string; ends: string }>(
    "select lease, extract(epoch from lease_until) as ends from offchain.alert_work",
  );
  return { number: Number(row?.lease), endsAt: Number(row?.ends) };
}

onlyInLongRun(() => {
  test("kill -9 of the process that delivers loses nothing: another one goes on, and what it repeats has the same id", async () => {
    const [, buyer] = chain.traders;
    const mint = await create();
    const receiver = await receive();
    const idle = await receive();
    const later = await receive();
    await subscribe(receiver, { type: "events", kind: ["trade"], mint: [mint] });
    const paused = await subscribe(later, { type: "events", kind: ["trade"], mint: [mint] });
    await subscribe(idle, { type: "events", kind: ["trade"], mint: [mint], side: "sell" });
    const replica = await service.startReplica();
    try {
      await chain.buy(buyer, mint, amount);
      await untilTypes(receiver, "trade");
      await untilTypes(later, "trade");
      await (await manageAlerts(rest, paused.wallet)).change(paused.id, { status: "paused" });
      receiver.answer = () => undefined;
      const asked = receiver.requests;
      for (let count = 1n; count <= 4n; count++) await chain.buy(buyer, mint, count * amount);
      await until("the next message to be on its way", async () => receiver.requests > asked);
      await untilIndexed();
      await service.indexer.kill();
      const left = await readLease();
      let taken = left;
      await until("another process to take over", async () => {
        taken = await readLease();
        return taken.number !== left.number;
      });
      // It lasts 20 seconds from when it is taken, which is not before the other one's end, and looked for every five.
      const pause = taken.endsAt - 20 - left.endsAt;
      expect(pause).toBeGreaterThanOrEqual(0);
      expect(pause).toBeLessThan(10);
      // As if it had been killed before it saved that the subscription lacks what came since the pause.
      await service.database.query("update offchain.alert_subscription set is_behind = false where id = $1", [
        paused.id,
      ]);
      receiver.answer = undefined;
      await untilTypes(receiver, "trade", "trade", "trade", "trade", "trade");
      await service.restart();
      await service.indexer.untilReady();
      await chain.buy(buyer, mint, amount);
      await untilTypes(receiver, "trade", "trade", "trade", "trade", "trade", "trade");
      expect(tradesLeft(receiver.distinct())).toEqual(await tradesOf(mint));
      const order = receiver.messages.map(({ data }) => data.id);
      expect(order).toEqual([...order].sort());
      expect(idle.messages).toEqual([]);
      const restarted = await createRestClient(service.indexer.url);
      await (await manageAlerts(restarted, paused.wallet)).change(paused.id, { status: "active" });
      await untilTypes(later, "trade", "trade", "trade", "trade", "trade", "trade");
    } catch (error) {
      throw new Error(`the other process said:\n${replica.output().slice(-2_000)}`, { cause: error });
    } finally {
      await replica.stop();
    }
  });
});
