import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createWalletClient, http } from "viem";
import { bsc } from "viem/chains";
import { beforeAll, describe, expect, test } from "vitest";
import { createLaunchpadClient, type LaunchpadClient, LaunchpadError } from "../../client/src/index.ts";
import { fundedAccount } from "../chain/funded-account.ts";
import { startTcpGate } from "../doubles/tcp-gate.ts";
import { buildClientPackage, installWithoutRegistry } from "../service/client-package.ts";
import { runProgram } from "../service/program.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* The typed client against a running service. */

let shared: SharedService;
let launchpad: LaunchpadClient;
let mint: string;

beforeAll(async () => {
  shared = await sharedService();
  launchpad = createLaunchpadClient({ baseUrl: shared.service.indexer.url });
  const { chain } = shared;
  mint = (await chain.create(chain.traders[0], "Client Otter", "CLIENT")).toLowerCase();
  for (let index = 0; index < 3; index++)
    await chain.buy(chain.traders[1], mint as `0x${string}`, 10n ** 15n);
  await shared.service.indexer.untilIndexed(56, await chain.head());
});

async function take<Entry>(count: number, entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of entries) if (found.push(entry) === count) break;
  return found;
}

test("errors are thrown with their code, and name each invalid value", async () => {
  const unknown = launchpad.quote(`0x${"9".repeat(40)}`, { side: "buy", amount: "1" });
  await expect(unknown).rejects.toMatchObject({
    name: "LaunchpadError",
    code: "token_not_found",
    status: 404,
  });
  const wrong = launchpad.quote(mint, { side: "buy", amount: "none" }).catch((error: unknown) => error);
  expect(await wrong).toBeInstanceOf(LaunchpadError);
  expect(await wrong).toMatchObject({ code: "invalid_request", errors: [{ path: "amount" }] });
});

test("lists iterate over all pages", async () => {
  const trades = await take(Number.POSITIVE_INFINITY, launchpad.trades({ mint, limit: 2 }));
  expect(trades.map(({ side }) => side)).toEqual(["buy", "buy", "buy"]);
  expect(new Set(trades.map(({ id }) => id)).size).toBe(3);
  const holders = await take(Number.POSITIVE_INFINITY, launchpad.holders(mint, { limit: 1 }));
  expect(holders.map(({ rank }) => rank)).toEqual(holders.map((_, index) => index + 1));
  expect(holders.map(({ address }) => address)).toContain(shared.chain.traders[1].toLowerCase());
  const leaders = await take(Number.POSITIVE_INFINITY, launchpad.leaders({ by: "trades", limit: 2 }));
  expect(leaders.map(({ rank }) => rank)).toEqual(leaders.map((_, index) => index + 1));
  expect(leaders.map(({ address }) => address)).toContain(shared.chain.traders[1].toLowerCase());
});

test("one token has all of its fields, or those selected", async () => {
  const { symbol, buyImpacts } = await launchpad.token(mint);
  expect([symbol, buyImpacts.length]).toEqual(["CLIENT", 2]);
  expect(await launchpad.token(mint, { fields: "symbol" })).toEqual({ fields: ["symbol"], mint, symbol });
});

test("waits as long as Retry-After says, then sends the body again", async () => {
  const bodies: string[] = [];
  const client = createLaunchpadClient({
    baseUrl: "http://launchpad.example",
    fetch: async (request) => {
      bodies.push(await (request as Request).text());
      if (bodies.length === 1) return new Response(null, { status: 503, headers: { "retry-after": "0" } });
      return Response.json({ cid: "x" }, { status: 201 });
    },
  });
  expect(await client.uploadImage(new Blob(["picture"]))).toEqual({ cid: "x" });
  expect(bodies).toHaveLength(2);
  for (const body of bodies) expect(body).toContain("picture");
});

test("a quote's transactions, sent with viem, make the trade", async () => {
  const { chain } = shared;
  const account = await fundedAccount(chain);
  const wallet = createWalletClient({ account, chain: bsc, transport: http(chain.rpcUrl) });
  async function trade(side: "buy" | "sell", amount: string): Promise<number> {
    const { calls } = await launchpad.quote(mint, { side, amount, account: wallet.account.address });
    for (const call of calls()) {
      const hash = await wallet.sendTransaction({ ...call, chain: null });
      const { status, blockNumber } = await chain.publicClient.waitForTransactionReceipt({ hash });
      expect(status).toBe("success");
      await shared.service.indexer.untilIndexed(56, blockNumber);
    }
    return calls().length;
  }
  expect(await trade("buy", String(10n ** 15n))).toBe(1);
  const balance = await chain.balanceOf(mint as `0x${string}`, account.address);
  expect(balance).toBeGreaterThan(0n);
  expect(await trade("sell", String(balance))).toBe(2);
  expect(await chain.balanceOf(mint as `0x${string}`, account.address)).toBe(0n);
});

test("the stream connects again when a connection hangs", async () => {
  let attempts = 0;
  const client = createLaunchpadClient({
    baseUrl: "http://launchpad.example",
    fetch: async (_, init) => {
      if (++attempts > 1) {
        const headers = { "content-type": "text/event-stream" };
        return new Response('id: 1-1\nevent: graduated\ndata: {"mint":"0xab"}\n\n', { headers });
      }
      return await new Promise((_, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    },
  });
  const [event] = await take(1, client.stream({ connectTimeoutMs: 10 }));
  expect(event).toMatchObject({ mint: "0xab", cursor: "1-1" });
});

test("the stream resumes after a lost connection, and a token can be watched", async () => {
  const { chain, service } = shared;
  const { hostname, port } = new URL(service.indexer.url);
  const gate = await startTcpGate(hostname, Number(port));
  const client = createLaunchpadClient({ baseUrl: `http://127.0.0.1:${gate.port}` });
  const ready = Promise.withResolvers<void>();
  const stream = client.stream({ mint, kind: "trade", onReady: ready.resolve });
  const events = take(3, stream);
  const watched = take(2, launchpad.watchToken(mint));
  await ready.promise;

  const buy = () => chain.buy(chain.traders[2], mint as `0x${string}`, 10n ** 14n);
  const first = await buy();
  gate.close();
  const others = [await buy(), await buy()];
  gate.open();
  expect(
    (await events).map(({ kind, removed, ...event }) => [kind, removed, "tx" in event && event.tx]),
  ).toEqual([first, ...others].map(({ transactionHash }) => ["trade", false, transactionHash]));
  await gate.stop();

  // The second update may come after any of the trades, but never before the first.
  const [before, after] = await watched;
  expect(before).toMatchObject({ token: { mint }, event: undefined });
  expect(after).toMatchObject({ token: { mint }, event: { kind: "trade", mint } });
});

describe("the package that the service serves", () => {
  let tarball: Buffer;
  const get = (at: string, init?: RequestInit) => fetch(shared.service.indexer.url + at, init);

  beforeAll(async () => {
    tarball = await buildClientPackage();
  });

  test("is what was built, with its checksum", async () => {
    const served = await get("/client.tgz");
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "application/gzip"]);
    expect(served.headers.get("content-length")).toBe(String(tarball.length));
    expect(Buffer.from(await served.arrayBuffer()).equals(tarball)).toBe(true);
    const checksum = await get("/client.tgz.sha256");
    expect(checksum.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const sha256 = createHash("sha256").update(tarball).digest("hex");
    expect(await checksum.text()).toBe(`${sha256}  client.tgz\n`);
  });

  test.each(["/client.tgz", "/client.tgz.sha256"])(
    "%s answers HEAD and If-None-Match, and refuses other methods",
    async (at) => {
      const head = await get(at, { method: "HEAD" });
      const etag = head.headers.get("etag") ?? "";
      expect(head.status).toBe(200);
      expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
      expect(await head.text()).toBe("");
      expect(head.headers.get("cache-control")).toBe("public, no-cache");
      expect((await get(at, { headers: { "if-none-match": etag } })).status).toBe(304);
      expect((await get(at, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
      const { status, headers } = await get(at, { method: "POST", body: "x" });
      expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    },
  );

  test("npm installs it from its URL, and it works without the project", async () => {
    const { url } = shared.service.indexer;
    const place = await temporaryFolder();
    try {
      const inPlace = (name: string) => path.join(place.folder, name);
      await writeFile(inPlace("package.json"), '{ "name": "consumer", "type": "module" }');
      installWithoutRegistry(place.folder, `${url}/client.tgz`);
      await writeFile(
        inPlace("main.js"),
        `import { createLaunchpadClient, dataOf } from "@launchpad-indexer/client";
import { launchpadAbi } from "@launchpad-indexer/client/abis";
const launchpad = createLaunchpadClient({ baseUrl: "${url}" });
const { contracts } = await dataOf(launchpad.api.GET("/api"));
const trades = [];
for await (const { id } of launchpad.trades({ mint: "${mint}", limit: 2 })) trades.push(id);
const { calls } = await launchpad.quote("${mint}", { side: "buy", amount: "1", account: "0x${"1".repeat(40)}" });
const isSame = JSON.stringify(contracts.launchpadAbi) === JSON.stringify(launchpadAbi);
console.log("found " + JSON.stringify({ isSame, pages: trades.length > 2, calls: calls().length }));
`,
      );
      const program = runProgram(inPlace("main.js"), { cwd: place.folder, env: { NODE_OPTIONS: undefined } });
      expect(await program.exited, program.output()).toBe(0);
      expect(JSON.parse(program.outputAfter("found"))).toEqual({ isSame: true, pages: true, calls: 1 });
    } finally {
      await place.remove();
    }
  });
});
