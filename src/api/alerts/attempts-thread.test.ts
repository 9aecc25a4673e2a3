import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { BlockList } from "node:net";
import { afterEach, expect, test } from "vitest";
import { freePort } from "../../../runtime/checks/host.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../test/doubles/webhook-receiver.ts";
import { PostponedError, sendOnce } from "./attempts.ts";
import { createAttemptsThread } from "./attempts-thread.ts";
import { toBody } from "./messages.ts";
import { newSecret, rotate } from "./receiver-secrets.ts";

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

test("messages are signed, with earlier secrets too for a while, and sent from another thread", async () => {
  const { attempt } = startThread();
  const receiver = await receive();
  const { url, secret = "" } = receiver;
  expect(await sendOnce(attempt, { url, secret }, message)).toMatchObject({ status: 204, error: null });
  // Whoever has lost the answer to a rotation rotates again.
  const rotated = rotate(rotate({ url, secret }));
  expect(await sendOnce(attempt, rotated, message)).toMatchObject({ status: 204, error: null });
  const past = { ...rotated, previous: [{ secret, until: new Date(0).toISOString() }] };
  expect(await sendOnce(attempt, past, message)).toMatchObject({ status: 599, error: "it answered 599" });
  expect(receiver.messages).toHaveLength(2);
});

test("beyond an address's budget, and after the lease has ended, nothing is sent", async () => {
  const { attempt } = startThread(1);
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

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.each([
  { language: "js", command: process.execPath, args: ["--input-type=module", "-e"] },
  ...(hasPython ? [{ language: "python", command: "python3", args: ["-c"] }] : []),
])(
  "the receiver in the documentation works as it is printed: $language",
  async ({ language, command, args }) => {
    const text = readFileSync("docs/alerts.md", "utf8");
    const [, code = ""] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(text) ?? [];
    const port = await freePort();
    const secret = newSecret();
    const receiver = spawn(command, [...args, code], {
      env: { PATH: process.env.PATH, PORT: String(port), ALERT_SECRET: secret },
    });
    cleanUps.push(async () => {
      receiver.kill();
      if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, "exit");
    });
    let output = "";
    receiver.stdout.on("data", (chunk) => {
      output += chunk;
    });
    const url = `http://127.0.0.1:${port}/`;
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);

    const { attempt } = startThread();
    const challenge = { ...message, id: "alert_1.0", type: "challenge", data: { challenge: "echo this" } };
    expect(await sendOnce(attempt, { url, secret: newSecret() }, challenge)).toMatchObject({
      answer: "echo this",
    });
    // What isn't a message, as strangers and scanners send it.
    for (const body of ["", "null", "[]", "{}", '{"type":"challenge"}']) {
      expect((await fetch(url, { method: "POST", body })).status).toBe(401);
    }
    expect(await sendOnce(attempt, { url, secret: newSecret() }, message)).toMatchObject({ status: 401 });
    const trades = ["alert_1.1", "alert_1.2"].map((id) => ({
      ...message,
      id,
      type: "trade",
      data: { mint: id },
    }));
    const { id, body } = toBody(trades, true);
    for (let count = 0; count < 2; count++)
      expect(await attempt({ url, secret }, id, body)).toMatchObject({ status: 204 });
    expect(await sendOnce(attempt, { url, secret }, { ...message, id: "alert_1.3" })).toMatchObject({
      status: 204,
    });
    await expect.poll(() => output).toMatch(/trade.*alert_1\.1.*trade.*alert_1\.2.*test/s);
    expect(output.match(/trade/g)).toHaveLength(2);
  },
);
