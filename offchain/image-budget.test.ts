import { CID } from "multiformats/cid";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { register } from "../test/service/image-service.ts";
import { makeLax } from "../test/service/lax-database.ts";
import { admitImage, enforceBudget, type ImageBudget } from "./image-budget.ts";
import { findImage, lockMentionedImages, recheckMentions } from "./image-store.ts";

const folderBytes = 8_192;
const size = 1_000_000;

let database: TestDatabase;
let pool: pg.Pool;
let count = 0;

beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 8 });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** A budget for this many images, and for this many of one uploader. */
const roomFor = (all: number, own = all): ImageBudget => ({
  bytes: all * (size + folderBytes),
  bytesPerUploader: own * (size + folderBytes),
});

/** Returns a different fake CID each time. */
function nextCid(): string {
  count++;
  const digest = Buffer.alloc(32);
  digest.writeUInt32BE(count, 28);
  const multihash = Buffer.concat([Buffer.from([0x12, 32]), digest]);
  return CID.decode(Buffer.concat([Buffer.from([1, 0x55]), multihash])).toString();
}

async function admit(uploader: string, budget: ImageBudget, cid = nextCid()) {
  const client = await pool.connect();
  try {
    const image = { cid, mimeType: "image/png", size, width: 1, height: 1 };
    return { cid, ...(await admitImage(client, image, { uploader, budget })) };
  } finally {
    client.release();
  }
}

/** An upload of this many minutes ago that was admitted. */
async function uploaded(uploader: string, minutes: number): Promise<string> {
  const { cid, refused } = await admit(uploader, roomFor(1_000));
  expect(refused).toBeUndefined();
  await database.query(
    "update offchain.image set uploaded_at = now() - make_interval(mins => $2) where cid = $1",
    [cid, minutes],
  );
  return cid;
}

const isThere = async (cid: string) => (await findImage(pool, cid)) !== undefined;

test("an upload waits for the disk, whatever the database's own setting", async () => {
  const readSettings = await makeLax(database, "offchain.image");
  await admit("a", roomFor(1));
  expect(await readSettings()).toEqual(["on"]);
});

test("the oldest image makes room, and mentioned images take none", async () => {
  const registered = await uploaded("a", 300);
  await register(database, `ipfs://${registered}`);
  const [second, oldest, third] = [await uploaded("a", 40), await uploaded("b", 50), await uploaded("c", 30)];
  expect(await admit("d", roomFor(4))).toMatchObject({ isNew: true, evicted: [] });
  expect(await admit("d", roomFor(4))).toMatchObject({ isNew: true, evicted: [oldest] });
  expect(await admit("d", roomFor(3))).toMatchObject({ isNew: true, evicted: [second, third] });
  expect(await isThere(registered)).toBe(true);
  expect(await isThere(oldest)).toBe(false);
});

test("an uploader has a share: its own oldest image is evicted, or its upload is refused if all are recent", async () => {
  const others = await uploaded("b", 100);
  const own = [await uploaded("a", 60), await uploaded("a", 5)];
  const budget = roomFor(100, 2);
  expect(await admit("a", budget)).toMatchObject({ isNew: true, evicted: [own[0]] });
  expect(await admit("a", budget)).toEqual({ cid: expect.any(String), refused: "share" });
  expect(await admit("c", budget)).toMatchObject({ isNew: true, evicted: [] });
  expect([await isThere(others), await isThere(own[1] as string)]).toEqual([true, true]);
});

test("a refused upload evicts no image", async () => {
  const old = await uploaded("a", 60);
  await uploaded("a", 5);
  expect(await admit("a", roomFor(100, 1))).toMatchObject({ refused: "share" });
  expect(await isThere(old)).toBe(true);
});

test("if everything is recent, the heaviest uploader makes room for those who have less", async () => {
  const heavy = [await uploaded("heavy", 4), await uploaded("heavy", 3), await uploaded("heavy", 2)];
  const light = await uploaded("light", 10);
  expect(await admit("new", roomFor(4))).toMatchObject({ isNew: true, evicted: [heavy[0]] });
  expect(await admit("heavy", roomFor(4))).toMatchObject({ refused: "room" });
  expect(await isThere(light)).toBe(true);
});

test("many concurrent uploads over several connections never exceed the budget", async () => {
  for (let minutes = 20; minutes < 26; minutes++) await uploaded("old", minutes);
  const admitted = await Promise.all(
    Array.from({ length: 12 }, (_, index) => admit(`client ${index}`, roomFor(10))),
  );
  const [row] = await database.query<{ images: number }>(
    "select count(*)::int as images from offchain.image where dropped_at is null",
  );
  expect(row?.images).toBeLessThanOrEqual(10);
  expect(admitted.filter(({ refused }) => refused === undefined)).toHaveLength(10);
});

test("an image that a registration is about to mention is skipped", async () => {
  const [held, next] = [await uploaded("a", 60), await uploaded("a", 50)];
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("begin");
    expect(await lockMentionedImages(client, `ipfs://${held}`)).toEqual([held]);
    expect(await admit("b", roomFor(2))).toMatchObject({ evicted: [next] });
    await client.query("commit");
  } finally {
    await client.end();
  }
});

test("an image takes room again when the last registration that mentioned it mentions another", async () => {
  const [first, second] = [await uploaded("a", 60), await uploaded("a", 60)];
  await register(database, `ipfs://${first}`, "0x1");
  await register(database, `ipfs://${first}`, "0x2");
  const mentioned = async () => {
    const rows = await database.query<{ cid: string }>("select cid from offchain.image where mentioned");
    return rows.map(({ cid }) => cid);
  };
  const change = (mint: string) =>
    database.query("update offchain.registration set image_url = $2 where mint = $1", [
      mint,
      `ipfs://${second}`,
    ]);
  await change("0x1");
  expect((await mentioned()).toSorted()).toEqual([first, second].toSorted());
  await change("0x2");
  expect(await mentioned()).toEqual([second]);
  await database.query("delete from offchain.registration");
  expect(await mentioned()).toEqual([]);
  // The sweep corrects a wrong mark.
  await database.query("update offchain.image set mentioned = true");
  await recheckMentions(pool);
  expect(await mentioned()).toEqual([]);
});

test("a mention that was not marked still protects the image", async () => {
  const [registered, other] = [await uploaded("a", 60), await uploaded("a", 50)];
  await register(database, `ipfs://${registered}`);
  await database.query("update offchain.image set mentioned = false");
  expect(await admit("b", roomFor(1))).toMatchObject({ evicted: [other] });
  expect(await isThere(registered)).toBe(true);
  // Also if it is uploaded again, into an exhausted budget.
  expect(await admit("c", roomFor(0), registered)).toMatchObject({ isNew: false, evicted: [] });
});

test("a smaller budget evicts the oldest images that are not recent", async () => {
  const images = [await uploaded("a", 60), await uploaded("a", 50), await uploaded("a", 5)];
  const client = await pool.connect();
  try {
    expect(await enforceBudget(client, roomFor(2))).toEqual([images[0]]);
    expect(await enforceBudget(client, roomFor(0))).toEqual([images[1]]);
  } finally {
    client.release();
  }
});
