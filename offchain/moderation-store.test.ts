import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { dropUnused, recheckMentions } from "./image-store.ts";
import { createModerationStore, type ModerationStore } from "./moderation-store.ts";
import { createRegistrationStore, type RegistrationStore } from "./store.ts";

let database: TestDatabase;
let pool: pg.Pool;
let registrations: RegistrationStore;
let moderation: ModerationStore;

beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  registrations = createRegistrationStore(pool);
  moderation = createModerationStore(pool);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const cid = "bafkreibdjy2jjf6uklsqeqcjdzf7xfp4mavpo6yi3ocu4cjbmvoqd5oqia";
const key = { chainId: 56, mint: "0xaa" };
const token = { ...key, name: "A", symbol: "A", creator: "0xbb", burnPercent: 50 };
const content = {
  description: "Words",
  imageUrl: `ipfs://${cid}`,
  twitterUrl: "https://x.com/a",
  telegramUrl: null,
  websiteUrl: null,
  launchpadAddress: null,
  verified: true,
  registeredBy: "0xbb",
  signature: "0xab",
  issuedAt: 5,
};

const rows = (table: "registration" | "hidden_registration") =>
  database.query(`select * from offchain.${table} order by id`);
const version = async () => {
  const [row] = await database.query<{ version: string }>("select version from offchain.registry");
  return Number(row?.version);
};

test("a hidden token's registrations are set aside whole, and come back as they were", async () => {
  await registrations.write(token, () => content);
  await registrations.write({ ...token, name: "B" }, () => ({ ...content, description: "Others" }));
  await registrations.write({ ...token, mint: "0xcc" }, () => content);
  const before = await rows("registration");
  const written = await version();

  expect(await moderation.hide(key, { reason: "a scam" })).toEqual({ outcome: "hidden", registrations: 2 });
  expect(await version()).toBe(written + 1);
  expect((await rows("registration")).map(({ mint }) => mint)).toEqual(["0xcc"]);
  expect(await rows("hidden_registration")).toEqual(
    before.slice(0, 2).map((row) => ({ ...row, version: String(written + 1) })),
  );
  expect(await moderation.all()).toEqual([{ ...key, reason: "a scam", hiddenAt: expect.any(Date) }]);

  expect(await moderation.unhide(key)).toBe(2);
  expect(await rows("registration")).toEqual(
    before.map((row) => (row.mint === "0xaa" ? { ...row, version: String(written + 2) } : row)),
  );
  expect([await rows("hidden_registration"), await moderation.all()]).toEqual([[], []]);
});

test("hiding again changes the reason, and nothing else", async () => {
  await moderation.hide(key, { reason: "a scam" });
  const [first] = await moderation.all();
  expect(await moderation.hide(key, { reason: "a scam" })).toEqual({
    outcome: "unchanged",
    registrations: 0,
  });
  expect((await moderation.hide(key, { reason: "a threat" })).outcome).toBe("reason_changed");
  expect(await moderation.all()).toEqual([{ ...first, reason: "a threat" }]);
  expect(await moderation.unhide(key)).toBe(0);
  expect(await moderation.unhide(key)).toBeUndefined();
});

test("registering a hidden token reports that it is hidden, and doesn't show it again", async () => {
  await moderation.hide(key, { reason: "a scam" });
  const seen: unknown[] = [];
  const refused = registrations.write(token, (existing, hidden) => {
    seen.push(existing, hidden?.reason);
    throw new Error("hidden");
  });
  await expect(refused).rejects.toThrow("hidden");
  expect([seen, await rows("registration")]).toEqual([[undefined, "a scam"], []]);
});

test("an image of a hidden token is not dropped, but an unmentioned one is", async () => {
  const mentioned = async () =>
    (await database.query<{ mentioned: boolean }>("select mentioned from offchain.image"))[0]?.mentioned;
  await database.query(
    `insert into offchain.image (cid, mime_type, size, width, height, uploaded_at)
     values ($1, 'image/png', 1, 1, 1, now() - interval '1 year')`,
    [cid],
  );
  await registrations.write(token, () => content);
  await moderation.hide(key, { reason: "a scam" });
  expect(await mentioned()).toBe(true);
  const client = await pool.connect();
  try {
    await recheckMentions(client);
    expect([await mentioned(), await dropUnused(client, cid, 1)]).toEqual([true, false]);

    await moderation.unhide(key);
    expect(await mentioned()).toBe(true);
    await database.query("delete from offchain.registration");
    expect([await mentioned(), await dropUnused(client, cid, 1)]).toEqual([false, true]);
  } finally {
    client.release();
  }
});

test("concurrent hiding and registering of the same token loses nothing", async () => {
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0
        ? moderation.hide(key, { reason: "a scam" })
        : registrations
            .write({ ...token, name: `Name ${index}` }, (_, hidden) => {
              if (hidden !== undefined) throw new Error("hidden");
              return content;
            })
            .catch((error) => expect((error as Error).message).toBe("hidden")),
    ),
  );
  expect(await rows("registration")).toEqual([]);
  await moderation.unhide(key);
  expect(await rows("hidden_registration")).toEqual([]);
});
