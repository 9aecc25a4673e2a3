import { spawnSync } from "node:child_process";
import path from "node:path";
import type { Address } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import { testKey } from "../../local/anvil.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { startHttpServer } from "../doubles/http-server.ts";
import { startTcpGate } from "../doubles/tcp-gate.ts";
import { onlyInLongRun } from "../run/long-run.ts";
import { runCommand, runProgram } from "../service/program.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* The example scripts, run against the service. */

const script = path.join(projectDir, "examples/launch-token.mjs");
const agent = path.join(projectDir, "examples/agent/bot.mjs");
const pythonScript = path.join(projectDir, "examples/market.py");
const hasPython = spawnSync("python3", ["--version"]).status === 0;

let shared: SharedService;

beforeAll(async () => {
  shared = await sharedService();
});

test("goes from the manifest to a graduated token without a manual step", async () => {
  const { url } = shared.service.indexer;
  const program = runProgram(script, {
    env: { API_URL: url, RPC_URL: shared.chain.rpcUrl, PRIVATE_KEY: testKey },
  });
  expect(await program.exited, program.output()).toBe(0);
  const mint = program.output().match(/ at (0x[0-9a-fA-F]{36}5afe)\n/)?.[1];
  const list = (await (await fetch(`${url}/api/tokens?board=listed&mint=${mint}`)).json()) as {
    tokens: object[];
  };
  expect(list.tokens).toMatchObject([
    { mint: mint?.toLowerCase(), name: "Example Otter", graduated: true, progress: 100, holderCount: 1 },
  ]);
  const metadata = (await (await fetch(`${url}/api/metadata/${mint}`)).json()) as {
    image: string;
  };
  const image = await fetch(`${url}/ipfs/${metadata.image.replace("ipfs://", "")}`);
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
});

onlyInLongRun(() => {
  test("the agent buys what is new, what moves and what another account buys, and sells at a gain, at a loss and with that account", async () => {
    const { chain, service } = shared;
    const { url } = service.indexer;
    const rest = await createRestClient(url);
    const [creator, leader, ...others] = chain.traders;
    const wei = 10n ** 15n;
    const copied = await chain.create(creator, "Copied Otter", "COPIED");
    const moving = await chain.create(creator, "Moving Otter", "MOVING");
    // Whoever buys in a token's first blocks is a sniper.
    await chain.testClient.mine({ blocks: 4 });
    await service.indexer.untilIndexed(56, await chain.head());
    const registration = registrationOf(moving, creator, { name: "Moving Otter", symbol: "MOVING" });
    expect((await rest.post("/api/tokens", registration)).status).toBe(201);
    const program = runProgram(agent, {
      env: {
        API_URL: url,
        RPC_URL: chain.rpcUrl,
        PRIVATE_KEY: testKey,
        FOLLOW: leader,
        STAKE_BNB: "0.001",
        MAX_POSITIONS: "100",
      },
    });
    await program.untilOutput(`follows ${leader}`);
    await program.untilOutput("watches for new tokens");

    await chain.buy(leader, copied, wei);
    await program.untilOutput(`bought ${copied.toLowerCase()} for 0.001 BNB: ${leader} bought`);
    await chain.sell(leader, copied, 10n ** 18n);
    await program.untilOutput(`sold ${copied.toLowerCase()} for about `);
    expect(program.output()).toContain(` BNB: ${leader} sold`);
    // Its sale would bring nothing, and must not keep others from being sold.
    const account = privateKeyToAddress(testKey);
    await chain.transfer(leader, copied, account, 1n);

    const fresh = await chain.create(creator, "Fresh Otter", "FRESH");
    await program.untilOutput(`bought ${fresh.toLowerCase()} for 0.001 BNB: new`);
    for (const other of others.slice(0, 4)) await chain.buy(other, fresh, 4n * wei);
    await program.untilOutput(`sold ${fresh.toLowerCase()} for about `);
    expect(program.output()).toContain(" BNB: take-profit: ");

    for (const other of others.slice(0, 4)) await chain.buy(other, moving, 2n * wei);
    await program.untilOutput(`bought ${moving.toLowerCase()} for 0.001 BNB: momentum: `);
    for (const other of others.slice(0, 4))
      await chain.sell(other, moving, await chain.balanceOf(moving, other));
    await program.untilOutput(`sold ${moving.toLowerCase()} for about `);
    expect(program.output()).toContain(" BNB: stop-loss: -");

    const last = await chain.create(creator, "Last Otter", "LAST");
    await program.untilOutput(`bought ${last.toLowerCase()} for 0.001 BNB: new`);
    program.kill("SIGINT");
    expect(await program.exited, program.output()).toBe(0);
    expect(program.output()).toContain(" BNB: the end of the run\n");
    // Everything was sold, the last position too.
    expect(program.output()).toMatch(/ \d+ buys and \d+ sells so far, realised \S+ BNB without gas\n$/);
    const { body } = await rest.get(
      `/api/account/${account}/positions?minBlock=${await chain.head()}&limit=100`,
    );
    const open = body.positions.filter(
      ({ openTokensRaw }: { openTokensRaw: string }) => openTokensRaw !== "0",
    );
    expect(open).toMatchObject([{ mint: copied.toLowerCase(), openTokensRaw: "1" }]);
  });

  test("the agent doesn't repeat a purchase whose outcome it could not learn", async () => {
    const { chain, service } = shared;
    const sent = new Set<string>();
    // An endpoint that takes transactions, and then fails.
    const endpoint = await startHttpServer(async ({ body }) => {
      const { method, params } = JSON.parse(body.toString());
      if (method === "eth_sendRawTransaction") {
        sent.add(params[0]);
        return { status: 500, body: "" };
      }
      const headers = { "content-type": "application/json" };
      const answer = await fetch(chain.rpcUrl, { method: "POST", body: new Uint8Array(body), headers });
      return { status: answer.status, body: await answer.text(), headers };
    });
    const [creator, leader] = chain.traders;
    const first = await chain.create(creator, "Once Otter", "ONCE");
    const second = await chain.create(creator, "Later Otter", "LATER");
    // Whoever buys in a token's first blocks is a sniper.
    await chain.testClient.mine({ blocks: 4 });
    await service.indexer.untilIndexed(56, await chain.head());
    const key = generatePrivateKey();
    await chain.testClient.setBalance({ address: privateKeyToAddress(key), value: 10n ** 18n });
    const program = runProgram(agent, {
      env: {
        API_URL: service.indexer.url,
        RPC_URL: endpoint.url,
        PRIVATE_KEY: key,
        FOLLOW: leader,
        SNIPE: "off",
        STAKE_BNB: "0.001",
        MAX_POSITIONS: "100",
      },
    });
    const purchasesOf = (mint: Address) =>
      [...sent].filter((raw) => raw.includes(mint.slice(2).toLowerCase())).length;
    const timesFollowed = () => program.output().split(`follows ${leader}`).length - 1;
    await program.untilOutput(`follows ${leader}`);
    await chain.buy(leader, first, 10n ** 14n);
    await expect.poll(() => purchasesOf(first)).toBe(1);
    // It has failed, and goes on.
    await expect.poll(timesFollowed).toBe(2);
    await chain.buy(leader, first, 10n ** 14n);
    // Events come one after the other: once it buys the second token, it has seen all trades of the first.
    await chain.buy(leader, second, 10n ** 14n);
    await expect.poll(() => purchasesOf(second)).toBe(1);
    expect(purchasesOf(first)).toBe(1);
    program.kill("SIGKILL");
    await program.exited;
    await endpoint.close();
  });
});

test.runIf(hasPython)("the Python script lists, quotes, adds up trades and follows a token", async () => {
  const { chain, service } = shared;
  const { url } = service.indexer;
  const [creator, trader] = chain.traders;
  const mint = await chain.create(creator, "Python Otter", "PYTHON");
  for (let count = 0; count < 2; count++) await chain.buy(trader, mint, 10n ** 15n);
  await service.indexer.untilIndexed(56, await chain.head());
  const rest = await createRestClient(url);
  const registration = registrationOf(mint, creator, { name: "Python Otter", symbol: "PYTHON" });
  expect((await rest.post("/api/tokens", registration)).status).toBe(201);

  const list = runCommand("python3", [pythonScript, url]);
  expect(await list.exited, list.output()).toBe(0);
  expect(list.output()).toContain(`${mint.toLowerCase()} 'PYTHON' 0.0000`);

  const unknown = runCommand("python3", [pythonScript, url, `0x${"9".repeat(40)}`]);
  expect(await unknown.exited).toBe(1);
  expect(unknown.output()).toContain("token_not_found: ");

  const gate = await startTcpGate("127.0.0.1", Number(new URL(url).port));
  const gateUrl = `http://127.0.0.1:${gate.port}`;
  const following = runCommand("python3", [pythonScript, gateUrl, mint.toLowerCase()]);
  await following.untilOutput("bought so far: 0.002 BNB\n");
  expect(following.output()).toMatch(/^quote: 0\.001 BNB buys \d+\.\d+ tokens$/m);
  gate.close();
  gate.open();
  await chain.buy(trader, mint, 10n ** 15n);
  await following.untilOutput("event: trade ");
  following.kill("SIGINT");
  expect(await following.exited).toBe(0);
  await gate.stop();
});

onlyInLongRun(() => {
  test.runIf(hasPython)("the Python script waits for a service behind a proxy", async () => {
    let requests = 0;
    const proxy = await startHttpServer(async () =>
      ++requests === 1
        ? { status: 502, body: "<html>Bad Gateway</html>" }
        : { status: 200, body: JSON.stringify({ tokens: [], nextCursor: null }) },
    );
    const list = runCommand("python3", [pythonScript, proxy.url]);
    expect(await list.exited, list.output()).toBe(0);
    expect(requests).toBe(2);
    await proxy.close();

    const elsewhere = await startHttpServer(async () => ({ status: 404, body: "<html>Not Found</html>" }));
    const lost = runCommand("python3", [pythonScript, elsewhere.url]);
    expect(await lost.exited).toBe(1);
    expect(lost.output()).toMatch(/^not_the_api: http:\S+ answered 404, but not as the API does\n$/);
    await elsewhere.close();
  });
});
