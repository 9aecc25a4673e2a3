import { BlockList } from "node:net";
import { afterEach, expect, test } from "vitest";
import { startWebhookReceiver, type WebhookReceiver } from "../../../test/doubles/webhook-receiver.ts";
import { PostponedError, sendOnce } from "./attempts.ts";
import { createAttemptsThread } from "./attempts-thread.ts";
import { newSecret } from "./receiver-secrets.ts";

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function startThread(requestsPerHost = 1_000) {
  const privateNetworks = new BlockList();
  privateNetworks.addSubnet("127.0.0.0", 8, "ipv4");
  const thread = createAttemptsThread({ privateNetworks, proxy: undefined, requestsPerHost });
  cleanUps.push(thread.stop);
  return thread;
}

async function receive(): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  cleanUps.push(receiver.close);
  receiver.secret = newSecret();
  return receiver;
}

const message = { id: "alert_1.1", type: "test", timestamp: "", subscription: "alert_1", data: {} };
const bodyOf = (id: string) => JSON.stringify({ ...message, id });

test("messages are signed, with the previous secret too for a while, and sent from another thread", async () => {
  const { attempt } = startThread();
  const receiver = await receive();
  const { url, secret = "" } = receiver;
  expect(await sendOnce(attempt, { url, secret }, message)).toMatchObject({ status: 204, error: null });
  const until = new Date(Date.now() + 60_000).toISOString();
  const rotated = { url, secret: newSecret(), previous: { secret, until } };
  expect(await sendOnce(attempt, rotated, message)).toMatchObject({ status: 204, error: null });
  const past = { ...rotated, previous: { secret, until: new Date(0).toISOString() } };
  expect(await sendOnce(attempt, past, message)).toMatchObject({ status: 599, error: "it answered 599" });
  expect(receiver.messages).toHaveLength(2);
});

test("beyond an address's budget, and after the lease has ended, nothing is sent", async () => {
  const { attempt } = startThread(2);
  const { url, secret = "", messages } = await receive();
  await expect(attempt({ url, secret }, "1", bodyOf("1"), Date.now() - 1)).rejects.toThrow(PostponedError);
  expect((await attempt({ url, secret }, "2", bodyOf("2"))).status).toBe(204);
  await expect(attempt({ url, secret }, "3", bodyOf("3"))).rejects.toThrow(PostponedError);
  expect(messages.map(({ id }) => id)).toEqual(["2"]);
});

test("a thread that ends postpones what it was sending, and the next attempt starts another", async () => {
  const { attempt, stop } = startThread();
  const receiver = await receive();
  const { url, secret = "" } = receiver;
  receiver.answer = () => undefined;
  const hanging = attempt({ url, secret }, "1", bodyOf("1"));
  await expect.poll(() => receiver.requests).toBe(1);
  await Promise.all([expect(hanging).rejects.toThrow(PostponedError), stop()]);
  receiver.answer = undefined;
  expect((await attempt({ url, secret }, "1", bodyOf("1"))).status).toBe(204);
});

test("while ten receivers on one host hang, others get theirs at once", async () => {
  const { attempt } = startThread();
  const hanging = await receive();
  hanging.answer = () => undefined;
  const others = await receive();
  const stuck = Array.from({ length: 30 }, (_, n) =>
    attempt({ url: hanging.url, secret: hanging.secret ?? "" }, `${n}`, bodyOf(`${n}`)).catch(() => {}),
  );
  await expect.poll(() => hanging.requests).toBe(10);
  expect((await attempt({ url: others.url, secret: others.secret ?? "" }, "1", bodyOf("1"))).status).toBe(
    204,
  );
  expect(hanging.requests).toBe(10);
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await Promise.all(stuck);
});
