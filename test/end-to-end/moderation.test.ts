import { writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { Address } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createModerationStore, type ModerationStore } from "../../offchain/moderation-store.ts";
import { freePort } from "../../runtime/checks/host.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { isLong, onlyInLongRun } from "../run/long-run.ts";
import { until } from "../service/condition.ts";
import { query } from "../service/graphql.ts";
import { connectMcp } from "../service/mcp-client.ts";
import { runProgram } from "../service/program.ts";
import { registrationOf } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { encode, picture } from "../service/sample-images.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* Hiding tokens with `npm run moderate`, and the deny list. */

let shared: SharedService;
let rest: RestClient;
let url: string;
let mint: Address;
let seed = 1;
let pool: pg.Pool;
/** Hides and shows tokens as the command does, without a process for each. */
let store: ModerationStore;

beforeAll(async () => {
  shared = await sharedService();
  url = shared.service.indexer.url;
  rest = await createRestClient(url);
  pool = new pg.Pool({ connectionString: shared.service.database.url, max: 1 });
  store = createModerationStore(pool);
});
afterAll(async () => {
  await pool?.end();
  await writeFile(shared.denyList, "");
});

beforeEach(async () => {
  const { chain, service } = shared;
  mint = (await chain.create(chain.traders[0], "Hideable Heron", "HERON")).toLowerCase() as Address;
  await chain.buy(chain.traders[1], mint, 10n ** 15n);
  await service.indexer.untilIndexed(56, await chain.head());
});

async function moderate(...args: string[]) {
  const env = { DATABASE_URL: shared.service.database.url, MODERATION_FILE: shared.denyList };
  const program = runProgram(path.join(projectDir, "tools/moderate/moderate.ts"), { env, args });
  return { code: await program.exited, output: program.output() };
}

const key = (token: string) => ({ chainId: 56, mint: token.toLowerCase() });

async function register(changes: object = {}) {
  const names = { name: "Hideable Heron", symbol: "HERON" };
  return await rest.post(
    "/api/tokens",
    registrationOf(mint, shared.chain.traders[0], { ...names, ...changes }),
  );
}

/** Uploads a unique picture. */
async function upload(): Promise<string> {
  const form = new FormData();
  seed++;
  form.append(
    "file",
    new Blob([new Uint8Array(await encode(picture({ seed: seed * 7_919 }), "png"))]),
    "a.png",
  );
  const { status, body } = await rest.request("/api/upload-image", { method: "POST", body: form });
  expect(status).toBe(201);
  return body.cid;
}

const image = (cid: string) => fetch(`${url}/ipfs/${cid}`).then(({ status }) => status);
const total = async (search: string) => (await rest.get(`/api/tokens?${search}`)).body.total;

test("a hidden token appears in none of the operator's lists, and its chain data stays", async () => {
  const cid = await upload();
  const before = (await rest.get("/api/tokens")).body.total;
  const { nextCursor } = (await rest.get("/api/events?timeout=0")).body;
  expect((await register({ imageUrl: `ipfs://${cid}`, description: "Hideable words" })).status).toBe(201);
  expect(await total("")).toBe(before + 1);
  expect(await image(cid)).toBe(200);
  expect((await fetch(`${url}/ipfs/${cid}?width=64`)).status).toBe(200);
  // Served and therefore cached from here on.
  expect((await fetch(`${url}/token/${mint}/card.png`)).status).toBe(200);

  expect(await moderate("hide", mint, "--reason", "It is a scam.")).toMatchObject({
    code: 0,
    output: expect.stringContaining(`${mint} on chain 56 is hidden (1 registration)`),
  });
  // Takes effect with the next request, without a delay.
  expect(await total("")).toBe(before);
  const others = (await shared.chain.create(shared.chain.traders[0], "Other", "OTHER")).toLowerCase();
  for (const search of [
    `mint=${mint}`,
    `mint=${mint},${others}`,
    `q=${mint}`,
    `q=Hideable%20words`,
    `view=compact&mint=${mint}`,
    `creator=${shared.chain.traders[0]}&q=hideable`,
  ]) {
    expect([search, await total(search)]).toEqual([search, 0]);
  }
  for (const sort of ["newest", "volume", "trending"]) {
    expect(await rest.mints(`limit=100&sort=${sort}`)).not.toContain(mint);
  }
  const later = `/api/events?cursor=${nextCursor}&mint=${mint}&timeout=0`;
  const told = (await rest.get(later)).body.events as { kind: string; hidden?: true }[];
  expect(told.map(({ kind }) => kind)).not.toContain("registered");
  // Chain data of hidden tokens is marked as such, so that user interfaces can leave it out.
  await shared.chain.buy(shared.chain.traders[1], mint, 10n ** 15n);
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  const since = await rest.get(`/api/events?cursor=${nextCursor}&mint=${mint}&kind=trade&timeout=25`);
  expect(since.body.events).toMatchObject([{ kind: "trade", hidden: true }]);
  const [holder, creator] = [shared.chain.traders[1], shared.chain.traders[0]];
  for (const [page, list] of [
    [`trades?mint=${mint}`, "trades"],
    [`account/${holder}/holdings?mint=${mint}`, "holdings"],
    [`account/${holder}/positions?mint=${mint}`, "positions"],
    [`account/${creator}/created-tokens?mint=${mint}`, "createdTokens"],
  ] as const) {
    const rows = (await rest.get(`/api/${page}`)).body[list] as object[];
    expect([page, new Set(rows.map((row) => "hidden" in row && row.hidden))]).toEqual([
      page,
      new Set([true]),
    ]);
  }
  const mcp = await connectMcp(url);
  expect(JSON.stringify(await mcp.use("find_tokens", { q: mint }))).not.toContain("Hideable");
  await mcp.close();
  const graphql = await query<{ listings: { items: unknown[] }; tokens: { items: unknown[] } }>(
    url,
    `{ listings(where: { address: "${mint}" }) { items { address } }
       tokens(where: { address: "${mint}" }) { items { symbol trades(limit: 1) { items { side } } } } }`,
  );
  expect(graphql).toEqual({
    listings: { items: [] },
    tokens: { items: [{ symbol: "HERON", trades: { items: [{ side: "buy" }] } }] },
  });

  const hidden = {
    status: 451,
    body: { code: "token_hidden", detail: expect.stringContaining("It is a scam.") },
  };
  expect(await rest.get(`/api/metadata/${mint}`)).toMatchObject(hidden);
  expect(await rest.get(`/api/token/${mint}`)).toMatchObject(hidden);
  expect(await register()).toMatchObject(hidden);
  expect(await rest.get(`/ipfs/${cid}`)).toMatchObject({ status: 451, body: { code: "image_hidden" } });
  expect((await fetch(`${url}/ipfs/${cid}?width=64`)).status).toBe(451);
  expect(await (await fetch(`${url}/token/${mint}`)).text()).not.toContain("Heron");
  expect(await rest.get(`/token/${mint}/card.png`)).toMatchObject(hidden);
  for (const page of [
    `/api/curve/${mint}`,
    `/api/token/${mint}/holders`,
    `/api/token/${mint}/trades`,
    `/api/curve/${mint}/quote?side=sell&amount=1000000000000000000`,
  ]) {
    expect([page, (await rest.get(page)).status]).toEqual([page, 200]);
  }

  expect((await moderate("list")).output).toMatch(
    new RegExp(`${mint} on chain 56 since .+Z: It is a scam\\.`),
  );
  expect((await moderate("unhide", mint)).output).toContain("is shown again (1 registration)");
  expect((await rest.get(`/api/tokens?mint=${mint}`)).body.tokens).toMatchObject([
    { mint, description: "Hideable words", imageUrl: `ipfs://${cid}` },
  ]);
  expect([await total("q=hideable%20words"), await image(cid)]).toEqual([1, 200]);
  expect((await rest.get(`/api/metadata/${mint}`)).status).toBe(200);
  const [shown] = (await rest.get(`/api/trades?mint=${mint}`)).body.trades;
  expect(shown).toMatchObject({ symbol: "HERON" });
  expect(shown).not.toHaveProperty("hidden");
  if (isLong) expect(await moderate("unhide", mint)).toMatchObject({ code: 1, output: /was not hidden/ });
});

test("an image is served while any visible token uses it", async () => {
  const cid = await upload();
  await register({ imageUrl: `ipfs://${cid}` });
  await store.hide(key(mint), { reason: "A copy." });
  expect(await image(cid)).toBe(451);

  const hidden = mint;
  mint = await shared.chain.create(shared.chain.traders[0], "Hideable Heron", "HERON");
  await shared.service.indexer.untilIndexed(56, await shared.chain.head());
  expect((await register({ imageUrl: `ipfs://${cid}` })).status).toBe(201);
  expect(await image(cid)).toBe(200);
  await store.unhide(key(hidden));
});

test("an unregistered token can be hidden too, and then can't be registered", async () => {
  await store.hide(key(mint), { reason: "A threat." });
  expect((await rest.get(`/api/token/${mint}`)).status).toBe(451);
  expect(await register()).toMatchObject({ status: 451, body: { detail: /A threat\./ } });
  await store.unhide(key(mint));
  expect((await register()).status).toBe(201);
});

test("a change to the deny list takes effect at once: it refuses registrations and images, and hides existing ones", async () => {
  const cid = await upload();
  expect((await register({ imageUrl: `ipfs://${cid}` })).status).toBe(201);
  await writeFile(shared.denyList, `# ours\nname *heron*\nlink scam.example\nimage ${cid}\n`);
  await until("the deny list to be read", async () => (await image(cid)) === 451);

  expect(await register({ websiteUrl: "https://www.scam.example/x" })).toMatchObject({
    status: 422,
    body: { code: "denied", errors: [{ path: "name" }, { path: "symbol" }, { path: "websiteUrl" }] },
  });
  expect(await total(`mint=${mint}`)).toBe(1);
  expect((await moderate("apply", "--dry-run")).output).toContain(
    `${mint} on chain 56: its name, symbol, imageUrl is on the deny list`,
  );
  expect(await total(`mint=${mint}`)).toBe(1);
  expect((await moderate("apply")).code).toBe(0);
  expect((await rest.get(`/api/token/${mint}`)).body.detail).toContain("on the deny list");

  // An invalid file changes nothing, and the log says so.
  await writeFile(shared.denyList, "nmae nobody\n");
  await until("the bad list to be reported", async () =>
    shared.service.indexer.output().includes("the last valid one stays in force"),
  );
  expect(await image(cid)).toBe(451);
  await writeFile(shared.denyList, "");
  await until("the empty list", async () => (await register()).status !== 422);
  for (const token of await store.all()) await store.unhide(token);
});

onlyInLongRun(() => {
  test("an invalid deny list is reported with the line of the mistake", async () => {
    const bad = `${shared.denyList}.bad`;
    await writeFile(bad, "nmae nobody\n");
    const { url: DATABASE_URL } = shared.service.database;
    for (const [script, args] of [
      ["tools/moderate/moderate.ts", ["apply"]],
      ["runtime/serve.ts", []],
    ] as const) {
      const { deployment, rpcUrl } = shared.chain;
      const env = {
        DATABASE_URL,
        DATA_DIR: shared.dataDir,
        MODERATION_FILE: bad,
        PORT: String(await freePort()),
        PONDER_RPC_URL_56: rpcUrl,
        TOKEN_FACTORY_ADDRESS_56: deployment.tokenFactory,
        LAUNCHPAD_ADDRESS_56: deployment.launchpad,
        START_BLOCK_56: String(deployment.startBlock),
      };
      const program = runProgram(path.join(projectDir, script), { env, args: [...args] });
      expect(await program.exited).toBe(1);
      expect(program.output()).toMatch(
        /deny list can't be used \(MODERATION_FILE\): .+ line 1: must begin with/,
      );
    }
  });
});
