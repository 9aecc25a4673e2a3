import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../../local/market/random.ts";
import { accounts } from "../anvil.ts";
import { boards, type ExpectedView, expectedList, sorts } from "../support/expected-list.ts";
import type { Indexer } from "../support/indexer.ts";
import { graduatingAmount, type LaunchpadChain, startLaunchpadChain } from "../support/launchpad-chain.ts";
import { registrationOf, signed } from "../support/registration.ts";
import { createRestClient, type RestClient } from "../support/rest-client.ts";
import { type Service, startService } from "../support/service.ts";

/*
 * The list is kept in memory, by each process for itself. After each step of a random market with reorgs, and with
 * registrations that come early, late, unsigned and signed, it must equal what plain SQL makes of the tables.
 */

const rounds = 10;
const seed = Date.now() % 1_000_000;
const random = createRandom(seed);
const { pick } = random;

let chain: LaunchpadChain;
let service: Service;
let replica: Indexer;
let clients: RestClient[];
let issuedAt: number;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  await chain.trade(seed, { blocks: 40, actionsPerBlock: 10, creations: 0.05 });
  service = await startService([chain]);
  await service.indexer.untilReady();
  replica = await service.startReplica();
  clients = [await createRestClient(service.indexer.url), await createRestClient(replica.url)];
  issuedAt = Math.floor(Date.now() / 1_000) - 1_000;
});

afterAll(async () => {
  await replica?.stop();
  await service?.stop();
  await chain?.stop();
});

type Token = ReturnType<typeof registrationOf>;

/** Registers with one of the processes, and takes it as it comes: the token may be gone, or taken. */
async function register(token: Token): Promise<void> {
  const rest = pick(clients);
  const text = pick(["Otters all the way", "nothing but ÄPFEL und 小狗狗", "100% legit_token", undefined]);
  const body = { ...token, description: text };
  const account = accounts.find(({ address }) => address.toLowerCase() === token.creator.toLowerCase());
  const isSigned = account !== undefined && random.chance(0.4);
  const { status } = await rest.post(
    "/api/tokens",
    isSigned ? await signed(rest, account, body, ++issuedAt) : body,
  );
  expect([200, 201, 404, 409, 422]).toContain(status);
}

async function indexedTokens(): Promise<Token[]> {
  const rows = await service.database.query("select * from onchain.token");
  return rows.map((row) =>
    registrationOf(row.address, row.creator, {
      name: row.name,
      symbol: row.symbol,
      burnPercent: row.burn_percent,
    }),
  );
}

const actions: Record<string, () => Promise<unknown>> = {
  async create() {
    const token = {
      name: `Otter ${random.integer(1, 999)}`,
      symbol: "OTTER",
      burnPercent: random.integer(30, 70),
    };
    const creator = pick(chain.traders);
    const mint = await chain.create(creator, token.name, token.symbol, token.burnPercent);
    // At once, before the index has it.
    if (random.chance(0.7)) await register(registrationOf(mint, creator, token));
  },
  async registerLate() {
    const tokens = await indexedTokens();
    for (let count = random.integer(1, 6); count > 0; count--) await register(pick(tokens));
  },
  async buy() {
    const { mint } = pick(await indexedTokens());
    const value = (graduatingAmount * BigInt(random.integer(1, 100))) / 100n;
    await chain.buy(pick(chain.traders), mint as Address, value).catch(isReverted);
  },
  async sell() {
    const [row] = await service.database.query(
      `select token, account, balance from onchain.holder where balance > 0 and account = any($1)
       order by md5(token || account || $2) limit 1`,
      [chain.traders.map((trader) => trader.toLowerCase()), random.integer(0, 2 ** 30)],
    );
    if (row !== undefined) await chain.sell(row.account, row.token, BigInt(row.balance)).catch(isReverted);
  },
};

/** The token may have graduated, or be gone. */
function isReverted(error: Error): void {
  expect(error.message).toMatch(/reverted|revert|execution/i);
}

async function actRandomly(): Promise<void> {
  for (let count = random.integer(1, 5); count > 0; count--) await pick(Object.values(actions))();
}

async function expectListsEqualTables(step: string): Promise<void> {
  const names = await indexedTokens();
  const views: ExpectedView[] = boards.flatMap((board) => sorts.map((sort) => ({ board, sort })));
  const { name, mint, creator } = pick(names) as Token & { name: string };
  const filters = [
    { q: name.slice(1, 6).trim() },
    { q: mint.slice(0, 4) },
    { q: "ÄPFEL" },
    { q: "l_T" },
    { creator },
  ];
  views.push(...filters.map((filter) => ({ board: pick(boards), sort: pick(sorts), ...filter })));

  for (const view of views) {
    const expected = await expectedList(service.database, view);
    for (const rest of clients) {
      const found: object[] = [];
      const limit = pick([3, 7, 20, 100]);
      for (let page = 1; ; page++) {
        const parameters = new URLSearchParams({ ...view, page: String(page), limit: String(limit) });
        const { body } = await rest.get(`/api/tokens?${parameters}`);
        expect({ seed, step, view, total: body.total }).toEqual({ seed, step, view, total: expected.length });
        found.push(...body.tokens);
        expect(body.hasMore).toBe(found.length < expected.length);
        if (!body.hasMore) break;
      }
      expect({ seed, step, view, list: found }).toEqual({
        ...{ seed, step, view },
        list: expected.map((row) => expect.objectContaining(row)),
      });
    }
  }
}

test("the lists of two processes equal the tables after each step of a market with reorgs", async () => {
  await expectListsEqualTables("start");
  await actions.registerLate?.();
  for (let round = 1; round <= rounds; round++) {
    const snapshot = random.chance(0.4) ? await chain.testClient.snapshot() : undefined;
    await actRandomly();
    await service.expectIndexEqualsChain();
    await expectListsEqualTables(`round ${round}`);
    if (snapshot === undefined) continue;

    await chain.testClient.revert({ id: snapshot });
    if (random.chance(0.5)) await actRandomly();
    await chain.testClient.mine({ blocks: random.integer(1, 8) });
    await service.expectIndexEqualsChain();
    await expectListsEqualTables(`reorg of round ${round}`);
  }
  const [made] = await service.database.query("select count(*)::int as rows from offchain.registration");
  expect(made?.rows).toBeGreaterThan(3);
});

test.each([
  "page=0",
  "limit=0",
  "limit=101",
  "limit=1e1",
  "page=-1",
  "page=1&page=2",
  "limit=",
  "page=99999999999",
])("%s: 400", async (query) => {
  const { status, body } = (await clients[0]?.get(`/api/tokens?${query}`)) ?? {};
  expect([status, body.code]).toEqual([400, "invalid_request"]);
});

test.each([
  ["board=old", "board"],
  ["sort=oldest", "sort"],
  ["mint=0x1", "mint"],
  ["creator=me", "creator"],
  ["chainId=1", "chainId"],
  ["q=%00", "q"],
  [`q=${"a".repeat(201)}`, "q"],
])("%s: 400 that names %s", async (query, path) => {
  const { status, body } = (await clients[0]?.get(`/api/tokens?${query}`)) ?? {};
  expect([status, body.errors[0].path]).toEqual([400, path]);
});

test("the defaults, a page behind the last one, and a chain that is not indexed", async () => {
  const rest = clients[0] as RestClient;
  expect((await rest.get("/api/tokens")).body).toMatchObject({ page: 1, limit: 20 });
  expect((await rest.get("/api/tokens?page=100000000&limit=100")).body).toMatchObject({
    tokens: [],
    hasMore: false,
  });
  expect((await rest.get("/api/tokens?chainId=97")).body.code).toBe("chain_not_indexed");
});
