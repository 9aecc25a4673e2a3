import { createRequire } from "node:module";
import { type Abi, type Address, encodeDeployData, encodeFunctionData, type Hex } from "viem";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { createdToken } from "../../contracts/test/outcomes.ts";
import { accounts } from "../chain/anvil.ts";
import { registrationOf, signed } from "../service/registration.ts";
import { createRestClient, type RestClient } from "../service/rest-client.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* Registrations signed by the token's creator, as the manifest describes. */

// The first account deployed the contracts; `chain.traders` are the others.
const [, creator, stranger] = accounts as [
  unknown,
  (typeof accounts)[1] & object,
  (typeof accounts)[2] & object,
];

let chain: SharedService["chain"];
let service: SharedService["service"];
let rest: RestClient;
let mint: Address;
/** A signing time in Unix seconds that is not in the future. Each test uses different seconds. */
let now: number;

beforeAll(async () => {
  ({ chain, service } = await sharedService());
  rest = await createRestClient(service.indexer.url);
  now = Math.floor(Date.now() / 1_000) - 100;
});

beforeEach(async () => {
  mint = await chain.create(creator.address);
  await service.indexer.untilIndexed(56, await chain.head());
});

const body = (changes: object = {}) => registrationOf(mint, creator.address, changes);
const post = async (registration: object) => {
  const { status, body } = await rest.post("/api/tokens", registration);
  return [status, body.code ?? body.description] as const;
};
const entry = async () => (await rest.get(`/api/tokens?mint=${mint}`)).body.tokens[0];
const stored = async () => {
  const [row] = await service.database.query("select * from offchain.registration where mint = $1", [
    mint.toLowerCase(),
  ]);
  return row;
};

test("a registration signed by the creator is verified, and replaces anyone's unsigned one", async () => {
  expect(await post(body({ description: "Not by the creator", websiteUrl: "https://fake.example" }))).toEqual(
    [201, "Not by the creator"],
  );
  expect((await entry()).verified).toBe(false);
  const first = await stored();

  const mine = await signed(
    rest,
    creator,
    body({ description: "By the creator", twitterUrl: "https://x.com/a" }),
    now,
  );
  expect(await post(mine)).toEqual([200, "By the creator"]);
  expect(await entry()).toMatchObject({
    verified: true,
    description: "By the creator",
    twitterUrl: "https://x.com/a",
    websiteUrl: null,
  });
  expect((await rest.get(`/api/metadata/${mint}`)).body).toMatchObject({ verified: true, registered: true });
  // The signed data is kept, so that anyone can verify it later.
  expect(await stored()).toMatchObject({
    id: first?.id,
    registered_at: first?.registered_at,
    registered_by: creator.address.toLowerCase(),
    signature: mine.signature,
    issued_at: String(now),
  });
});

test("what a registration said before stays visible: what was changed and when, of the first and the latest versions", async () => {
  const history = async () => (await rest.get(`/api/token/${mint}/registrations`)).body.versions;
  expect(await history()).toEqual([]);
  await post(body({ description: "By anyone", websiteUrl: "https://fake.example" }));
  const [only] = await history();
  expect(only).toMatchObject({ description: "By anyone", verified: false, changed: [] });
  const said = { description: "Mine", twitterUrl: "https://x.com/a" };
  await post(await signed(rest, creator, body(said), now + 10));
  // The same words, signed again, are no change.
  await post(await signed(rest, creator, body(said), now + 11));
  await post(await signed(rest, creator, body({ ...said, twitterUrl: "https://x.com/b" }), now + 12));
  const versions = await history();
  expect(versions).toMatchObject([
    { ...said, twitterUrl: "https://x.com/b", verified: true, changed: ["twitterUrl"] },
    { ...said, verified: true, changed: ["description", "twitterUrl", "websiteUrl"] },
    { description: "By anyone", websiteUrl: "https://fake.example", verified: false, changed: [] },
  ]);
  expect(versions.at(-1).since).toBe(only.since);
  const times = versions.map(({ since }: { since: string }) => since);
  expect(times).toEqual(times.toSorted().reverse());

  for (let at = 0; at < 102; at++) {
    await post(await signed(rest, creator, body({ description: `Version ${at}` }), now + 20 + at));
  }
  // However often it is changed, the first version stays. It isn't known when the one after the gap began.
  const kept = await history();
  expect(kept.map(({ description }: { description: string }) => description)).toEqual([
    ...Array.from({ length: 100 }, (_, at) => `Version ${101 - at}`),
    "By anyone",
  ]);
  expect(kept.at(-1).since).toBe(only.since);
  expect(kept.at(-2)).toMatchObject({ description: "Version 2", since: null, changed: [] });
  expect(kept.at(-3)).toMatchObject({ since: expect.any(String), changed: ["description"] });
  expect((await rest.get(`/api/token/0x${"12".repeat(20)}/registrations`)).status).toBe(404);
});

test("a first registration that is signed gets 201, and the same again gets 200 without a change", async () => {
  const mine = await signed(rest, creator, body({ description: "At once" }), now);
  expect(await post(mine)).toEqual([201, "At once"]);
  const before = await stored();
  expect(await post(mine)).toEqual([200, "At once"]);
  expect(await post(body({ description: "At once" }))).toEqual([200, "At once"]);
  expect(await stored()).toEqual(before);
});

test.each(["", null])(
  "a signature over empty texts is valid whether the body has %j or omits them",
  async (blank) => {
    const registration = await signed(rest, creator, body({ description: "Signed" }), now);
    const blanks = { imageUrl: blank, twitterUrl: blank, telegramUrl: blank, websiteUrl: blank };
    expect(await post({ ...registration, ...blanks })).toEqual([201, "Signed"]);
    expect(await post(registration)).toEqual([200, "Signed"]);
    expect(await entry()).toMatchObject({ verified: true, imageUrl: null });
  },
);

test("a signed registration is replaced only by a later signed one, never by an unsigned one", async () => {
  expect(await post(await signed(rest, creator, body({ description: "Second" }), now))).toEqual([
    201,
    "Second",
  ]);
  const before = await stored();
  for (const [issuedAt, description] of [
    [now - 1, "First"],
    [now, "Another"],
  ] as const) {
    const older = await signed(rest, creator, body({ description }), issuedAt);
    expect(await post(older)).toEqual([409, "signature_not_newer"]);
  }
  expect(await post(body({ description: "Unsigned" }))).toEqual([409, "already_registered"]);
  expect(await stored()).toEqual(before);
  expect(await post(await signed(rest, creator, body({ description: "Third" }), now + 1))).toEqual([
    200,
    "Third",
  ]);
});

test("a search finds the new text, and no longer the replaced one", async () => {
  await post(body({ description: "aardvark" }));
  expect(await rest.mints("q=aardvark")).toEqual([mint.toLowerCase()]);
  await post(await signed(rest, creator, body({ description: "wombat" }), now));
  expect(await rest.mints("q=aardvark")).toEqual([]);
  expect(await rest.mints("q=WOMBAT")).toEqual([mint.toLowerCase()]);
  await service.database.query("delete from offchain.registration");
});

test.each<[string, () => Promise<object>]>([
  ["someone else's", () => signed(rest, stranger, body(), now)],
  ["for another mint", () => signed(rest, creator, body(), now, { message: { mint: stranger.address } })],
  ["for another chain", () => signed(rest, creator, body(), now, { domain: { chainId: 97 } })],
  [
    "for another launchpad",
    () => signed(rest, creator, body(), now, { domain: { verifyingContract: mint } }),
  ],
  ["for another name", () => signed(rest, creator, body(), now, { message: { name: "Brave otter" } })],
  [
    "for another description",
    () => signed(rest, creator, body(), now, { message: { description: "other" } }),
  ],
  ["for another time", () => signed(rest, creator, body(), now, { message: { issuedAt: now + 1 } })],
  ["from the future", () => signed(rest, creator, body(), now + 100_000)],
  ["from a time in milliseconds", () => signed(rest, creator, body(), Date.now())],
  ["empty", async () => ({ ...body(), signature: "0x00", issuedAt: now })],
  ["all zero", async () => ({ ...body(), signature: `0x${"00".repeat(65)}`, issuedAt: now })],
  ["as long as it may be", async () => ({ ...body(), signature: `0x${"ff".repeat(4_096)}`, issuedAt: now })],
])("a signature that is %s is refused", async (_, make) => {
  expect(await post(await make())).toEqual([422, "invalid_signature"]);
  expect(await stored()).toBeUndefined();
});

test("a signed body can't contradict the chain either", async () => {
  const named = { ...body(), creator: stranger.address };
  expect(await post(await signed(rest, stranger, named, now))).toEqual([422, "contradicts_chain"]);
});

test("a contract wallet signs by ERC-1271, and can't do harm", async () => {
  const { abi, bytecode }: { abi: Abi; bytecode: Hex } = createRequire(import.meta.url)(
    "../../contracts/artifacts/test/ContractWallet.json",
  );
  const hash = await chain.testClient.request({
    method: "eth_sendTransaction",
    params: [{ from: creator.address, data: encodeDeployData({ abi, bytecode, args: [creator.address] }) }],
  } as never);
  const { contractAddress } = await chain.publicClient.waitForTransactionReceipt({ hash });
  const wallet = contractAddress as Address;
  const call = (functionName: string, args: unknown[]) =>
    chain.send(creator.address, wallet, encodeFunctionData({ abi, functionName, args }));
  const create = encodeFunctionData({
    abi: tokenFactoryAbi,
    functionName: "createToken",
    args: ["Brave Otter", "OTTER", 50],
  });
  mint = createdToken(await call("execute", [chain.deployment.tokenFactory, create]));
  await service.indexer.untilIndexed(56, await chain.head());
  const ofWallet = (description: string) => registrationOf(mint, wallet, { description });

  expect(await post(await signed(rest, stranger, ofWallet("Forged"), now))).toEqual([
    422,
    "invalid_signature",
  ]);
  const mine = await signed(rest, creator, ofWallet("By a contract"), now);
  // Wallets that revert, never finish, or answer with a single byte.
  for (const manner of [1, 2, 3]) {
    await call("setManner", [manner]);
    expect(await post(mine)).toEqual([422, "invalid_signature"]);
  }
  await call("setManner", [0]);
  expect(await post(mine)).toEqual([201, "By a contract"]);
  expect(await entry()).toMatchObject({ verified: true, creator: wallet.toLowerCase() });
});
