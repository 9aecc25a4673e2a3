import { createWriteStream } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { pack } from "tar-stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createModerationStore } from "../../offchain/moderation-store.ts";
import { createRegistrationStore } from "../../offchain/store.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { readDiskMetrics } from "../../src/api/images/free-disk.ts";
import { pushImages } from "../../src/api/images/push-images.ts";
import { sweepImages } from "../../src/api/images/sweep.ts";
import { BackupError, names, readArchive, sha256 } from "../../tools/backup/archive.ts";
import { restoreBackup } from "../../tools/backup/restore-backup.ts";
import { writeBackup } from "../../tools/backup/write-backup.ts";
import { type S3Server, s3Environment, s3Settings, startS3Server } from "../doubles/s3-server.ts";
import { onlyInLongRun } from "../run/long-run.ts";
import { register, startImages, type TestImages } from "../service/image-service.ts";
import { runProgram } from "../service/program.ts";
import { unsignedContent } from "../service/registration.ts";
import { encode, picture } from "../service/sample-images.ts";

/* `npm run backup` and `npm run restore`, on real databases and folders. */

let from: TestImages;
let to: TestImages;
let file: string;
/** The CIDs of a single-block image and of a multi-block image. */
let singleBlockCid: string;
let multiBlockCid: string;

beforeEach(async () => {
  [from, to] = await Promise.all([startImages(), startImages()]);
  file = path.join(from.folder, "backup.tar");
  singleBlockCid = await upload({ seed: 1 });
  multiBlockCid = await upload({ width: 700, height: 700, seed: 2 });
  expect([singleBlockCid.slice(0, 7), multiBlockCid.slice(0, 7)]).toEqual(["bafkrei", "bafybei"]);
  await register(from.database, `ipfs://${singleBlockCid}`, "0x01");
  await register(from.database, `ipfs://${multiBlockCid}`, "0x02");
});
afterEach(() => Promise.all([from.close(), to.close()]));

/** Uploads a picture with so much noise that it stays large. */
async function upload(of: { width?: number; height?: number; seed: number }): Promise<string> {
  const answer = await from.upload(await encode(picture(of), "png"));
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { cid: string }).cid;
}

async function run(
  name: "backup/backup" | "backup/restore" | "images/verify",
  { database, folder }: TestImages,
  ...args: string[]
) {
  return await runWith({}, name, { database, folder }, ...args);
}

async function runWith(
  settings: Record<string, string>,
  name: Parameters<typeof run>[0],
  { database, folder }: Pick<TestImages, "database" | "folder">,
  ...args: string[]
) {
  const program = runProgram(path.join(projectDir, "tools", `${name}.ts`), {
    env: { DATABASE_URL: database.url, DATA_DIR: folder, ...settings },
    args,
  });
  return { code: await program.exited, output: program.output() };
}

const here = ({ parts: { pool, local } }: TestImages) => ({
  pool,
  local,
  readImage: local.read,
  file,
  signal: new AbortController().signal,
});
/** What the commands do, in this process, which is quicker than starting another. */
const backUpHere = () => writeBackup(here(from));
const restoreHere = () => restoreBackup(here(to));

/** What a backup must preserve: all rows except ids and versions, and every block. */
async function contentOf({ database, folder }: TestImages) {
  const tables = await Promise.all([
    database.query(
      `select mint, name, description, image_url, registered_at, verified from offchain.registration order by mint`,
    ),
    database.query("select mint, name, image_url from offchain.hidden_registration order by mint"),
    database.query("select * from offchain.hidden_token order by mint"),
    database.query(
      "select cid, mime_type, size, width, height, uploaded_at, mentioned from offchain.image order by cid",
    ),
    database.query("select cid, provider, reference from offchain.image_pin order by cid"),
  ]);
  const blocks = path.join(folder, "images", "blocks");
  const entries = await readdir(blocks, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const place = path.join(entry.parentPath, entry.name);
        return [path.relative(blocks, place), (await readFile(place)).toString("base64")] as const;
      }),
  );
  return { tables, files: Object.fromEntries(files.sort()) };
}

const emptyContent = { tables: [[], [], [], [], []], files: {} };

test("a backup restores registrations, hidden tokens and images as they were", async () => {
  const pool = new pg.Pool({ connectionString: from.database.url, max: 1 });
  const moderation = createModerationStore(pool);
  await moderation.hide({ chainId: 56, mint: "0x02" }, { reason: "a scam" });
  await moderation.hide({ chainId: 56, mint: `0x${"3".repeat(40)}` }, { reason: "a threat" });
  await pool.end();
  await from.database.query(
    "update offchain.registration set mint = '0x' || repeat('1', 40), creator = '0x' || repeat('b', 40)",
  );
  for (const table of ["hidden_registration", "hidden_token"])
    await from.database.query(
      `update offchain.${table} set mint = '0x' || repeat('2', 40) where mint = '0x02'`,
    );
  await from.database.query(
    "update offchain.hidden_registration set creator = '0x' || repeat('b', 40), registered_at = '2026-01-02T03:04:05Z'",
  );
  await from.database.query(
    // A separator of lines in Unicode, at which a file of JSON Lines has no line's end.
    "update offchain.registration set registered_at = '2026-01-02T03:04:05.678Z', description = 'a' || chr(8232) || 'b'",
  );
  await from.database.query(
    "insert into offchain.image_pin (cid, provider, reference, pinned_at) values ($1, 'pinata', 'ref', now())",
    [singleBlockCid],
  );
  await from.database.query("update offchain.image set uploaded_at = now() - interval '40 days'");
  const subscribe = ({ database }: TestImages, given: string) =>
    database.query(
      `insert into offchain.alert_subscription
         (id, owner, chain_id, rule, sealed, host, client, batch, status, reason, position, digest, revision)
       select id, '0xa', 56, jsonb_build_object('type', type), 'sealed', 'host', 'client', 1, status, reason, '7-7', id, 1
       from (values ${given}) given (id, type, status, reason)`,
    );
  await subscribe(
    from,
    `('one', 'events', 'active', null), ('two', 'events', 'ended', null), ('three', 'crosses', 'paused', 'owner'),
     ('ended since', 'crosses', 'active', null)`,
  );
  await subscribe(to, "('ended since', 'crosses', 'ended', null)");
  for (const [table, number] of Object.entries({ stream_event: 500, alert_firing: 20 }))
    await from.database.query(`select setval(pg_get_serial_sequence('offchain.${table}', 'id'), ${number})`);

  const { code, output } = await run("backup/backup", from, file);
  expect([code, output]).toEqual([
    0,
    `3 registrations and hidden tokens, 2 images and 3 subscriptions to webhooks written to ${file}\n`,
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readdir(from.folder)).sort()).toEqual(["backup.tar", "images", "last-backup"]);
  expect(await readDiskMetrics(from.folder)).toMatch(/^launchpad_backup_timestamp_seconds [1-9]\d{9}$/m);
  expect(await run("images/verify", from)).toEqual({
    code: 0,
    output: `2 images in ${from.folder}/images, 0 of them missing or damaged.\n`,
  });

  expect(await run("backup/restore", to, file)).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /3 registrations and hidden tokens, 2 images and 2 subscriptions to webhooks restored.+\n.+from now on.+ALERTS_KEY/,
    ),
  });
  const restored = await contentOf(to);
  expect(restored).toEqual(await contentOf(from));
  expect(restored.tables.map((rows) => rows.length)).toEqual([1, 1, 2, 2, 1]);
  expect(Object.keys(restored.files).length).toBeGreaterThan(3);
  // Old as they are, both images stay: one belongs to a visible token, the other to a hidden one that may be shown again.
  expect(await sweepImages(to.parts)).toEqual({ dropped: [], failed: [] });
  expect((await to.app.request(`/ipfs/${multiBlockCid}`)).status).toBe(200);

  // Subscriptions begin with what happens from now on, under numbers that no receiver knows.
  const last = 1_000_000_500;
  const [registry] = await to.database.query<{ version: string }>("select version from offchain.registry");
  expect(Number(registry?.version)).toBeGreaterThan(1_000_000_000);
  const kept = "id, owner, rule, sealed, host, client, status, reason, digest, created_at";
  const subscriptions = (columns: string) =>
    `select ${columns} from offchain.alert_subscription where status <> 'ended' and id <> 'ended since' order by id`;
  expect(await to.database.query(subscriptions(kept))).toEqual(
    await from.database.query(subscriptions(kept)),
  );
  expect(await to.database.query(subscriptions("id, position, is_behind"))).toEqual([
    { id: "one", position: `${last - 1}-${registry?.version}`, is_behind: true },
    { id: "three", position: "0", is_behind: true },
  ]);
  expect(await to.database.query("select id, subscription, kind from offchain.alert_firing")).toEqual([
    { id: "1000000021", subscription: "three", kind: "gap" },
  ]);
  const ended = "select id from offchain.alert_subscription where status = 'ended'";
  expect(await to.database.query(ended)).toEqual([{ id: "ended since" }]);

  await expect(restoreHere()).rejects.toThrow(
    /empty deployment, and .+ 1 registrations, 2 hidden tokens, 2 images and 2 subscriptions/,
  );
  expect(await contentOf(to)).toEqual(restored);
});

onlyInLongRun(() => {
  test("a restore names a file that is where its folder should be, and ends with 1 where there is something already", async () => {
    await from.database.query(
      "update offchain.registration set mint = '0x' || repeat(right(mint, 1), 40), creator = '0x' || repeat('b', 40)",
    );
    await backUpHere();
    const images = path.join(to.folder, "images");
    await writeFile(images, "");
    expect(await run("backup/restore", to, file)).toEqual({
      code: 1,
      output: `${images} is a file, or has one in its path, where a folder is needed: move it, or set DATA_DIR to a folder elsewhere\n`,
    });
    await rm(images);
    await register(to.database, `ipfs://${singleBlockCid}`, "0x01");
    expect(await run("backup/restore", to, file)).toMatchObject({
      code: 1,
      output: expect.stringContaining("empty deployment"),
    });
  });
});

test("two backups that are written to one file at the same time don't touch each other's bytes", async () => {
  await from.database.query(
    "update offchain.registration set mint = '0x' || repeat(right(mint, 1), 40), creator = '0x' || repeat('b', 40)",
  );
  const [began, continued, stopped] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  let images = 0;
  const first = writeBackup({
    ...here(from),
    async readImage(cid) {
      images += 1;
      if (images === 2) {
        began?.resolve();
        await continued?.promise;
      }
      return await from.parts.local.read(cid);
    },
  });
  await began?.promise;
  const reading = Promise.withResolvers<void>();
  const second = writeBackup({
    ...here(from),
    async readImage() {
      reading.resolve();
      await stopped?.promise;
      throw new Error("stopped");
    },
  });
  await reading.promise;
  continued?.resolve();
  expect(await first).toMatchObject({ lines: 2, images: 2, lost: [] });
  stopped?.resolve();
  await expect(second).rejects.toThrow("stopped");
  expect(await restoreHere()).toEqual({ lines: 2, images: 2, subscriptions: 0 });
  expect((await readdir(from.folder)).sort()).toEqual(["backup.tar", "images"]);
});

test("a restore beside a running service writes only the images that are missing or damaged in DATA_DIR", async () => {
  await from.database.query(
    "update offchain.registration set mint = '0x' || repeat(right(mint, 1), 40), creator = '0x' || repeat('b', 40)",
  );
  await backUpHere();
  const folderOf = (cid: string) => path.join(from.folder, "images", "blocks", cid);
  const before = await stat(folderOf(singleBlockCid));
  const [block = ""] = await readdir(folderOf(multiBlockCid));
  await rm(path.join(folderOf(multiBlockCid), block));
  await restoreBackup({ ...here(to), local: from.parts.local });
  expect((await stat(folderOf(singleBlockCid))).ino).toBe(before.ino);
  expect(await from.parts.local.isComplete(multiBlockCid)).toBe(true);
});

onlyInLongRun(() => {
  test("images with missing or corrupt bytes are named, and everything else is in the backup", async () => {
    const blocks = path.join(from.folder, "images", "blocks");
    await rm(path.join(blocks, singleBlockCid), { recursive: true });
    const [part] = (await readdir(path.join(blocks, multiBlockCid))).filter((name) => name !== multiBlockCid);
    await writeFile(path.join(blocks, multiBlockCid, part as string), "something else");
    const whole = await upload({ seed: 3 });

    const { code, output } = await run("backup/backup", from, file);
    expect(code).toBe(1);
    expect(await readDiskMetrics(from.folder)).not.toMatch(/^launchpad_backup_timestamp_seconds /m);
    const verified = await run("images/verify", from);
    expect(verified.code).toBe(1);
    expect(verified.output.split("\n")).toEqual(
      expect.arrayContaining([
        ...[singleBlockCid, multiBlockCid].map((cid) => `${cid} is missing or damaged`),
        `3 images in ${from.folder}/images, 2 of them missing or damaged.`,
      ]),
    );
    for (const cid of [singleBlockCid, multiBlockCid])
      expect(output).toContain(
        `the image ${cid} is missing or broken in ${from.folder}, and not in the backup`,
      );
    expect(output).toContain(
      "2 registrations and hidden tokens, 1 images and 0 subscriptions to webhooks written",
    );

    await from.database.query(
      "update offchain.registration set mint = '0x' || repeat(right(mint, 1), 40), creator = '0x' || repeat('b', 40)",
    );
    await backUpHere();
    await restoreHere();
    expect(await to.database.query("select cid from offchain.image")).toEqual([{ cid: whole }]);
  });

  test("a damaged or truncated backup restores nothing", async () => {
    await from.database.query(
      "update offchain.registration set mint = '0x' || repeat(right(mint, 1), 40), creator = '0x' || repeat('b', 40)",
    );
    await backUpHere();
    const good = await readFile(file);
    const damaged = path.join(to.folder, "damaged.tar");
    const flipped = (text: string, offset = 0) => {
      const bytes = Buffer.from(good);
      const at = bytes.indexOf(text) + offset;
      bytes[at] = (bytes[at] as number) ^ 1;
      return bytes;
    };
    const pool = new pg.Pool({ connectionString: to.database.url, max: 2 });
    const { signal } = new AbortController();
    const refusal = () =>
      restoreBackup({ pool, local: to.parts.local, file: damaged, signal }).catch((error: unknown) => error);
    for (const [bytes, message] of [
      [
        flipped(`images/${multiBlockCid}`, 2_000),
        `the bytes of images/${multiBlockCid} are not those of its CID`,
      ],
      [flipped('"mint"', 12), "the checksum of registrations.jsonl does not match"],
      [flipped('"width":'), "the checksum of images.jsonl does not match"],
      [good.subarray(0, good.length - 2_048), /truncated/],
      [good.subarray(0, Math.floor(good.length / 2)), /truncated/],
      [Buffer.from("not a tar file at all".repeat(100)), /is not a backup/],
      [Buffer.alloc(0), /truncated/],
    ] as const) {
      await writeFile(damaged, bytes);
      const refused = await refusal();
      expect(refused).toBeInstanceOf(BackupError);
      expect((refused as BackupError).message).toMatch(message);
      expect(await contentOf(to)).toEqual(emptyContent);
    }
    await pool.end();
    const { code, output } = await run("backup/restore", to, damaged);
    expect([code, output]).toEqual([1, expect.stringMatching(`${damaged} .*truncated`)]);
    expect((await run("backup/restore", to, path.join(to.folder, "none.tar"))).output).toMatch(
      /cannot read .*none\.tar/,
    );
    expect(await restoreHere()).toEqual({ lines: 2, images: 2, subscriptions: 0 });
  });

  test("a backup of an earlier version, which knew no subscriptions, is restored", async () => {
    await from.database.query(
      "update offchain.registration set mint = '0x' || repeat(right(mint, 1), 40), creator = '0x' || repeat('b', 40)",
    );
    await backUpHere();
    const earlier = path.join(to.folder, "earlier.tar");
    const archive = pack();
    const written = pipeline(archive, createWriteStream(earlier));
    const head = '{"format":1,"createdAt":"2026-01-02T03:04:05.678Z"}\n';
    for await (const { name, bytes } of readArchive(file)) {
      if (name === names.subscriptions) continue;
      const text = (await buffer(bytes())).toString("latin1");
      const sums = text
        .replace(/.+ {2}backup\.json/, `${sha256().update(head).digest("hex")}  backup.json`)
        .replace(/.+ {2}subscriptions\.jsonl\n/, "");
      const kept = name === names.head ? head : name === names.sums ? sums : text;
      archive.entry({ name }, Buffer.from(kept, "latin1"));
    }
    archive.finalize();
    await written;
    expect(await restoreBackup({ ...here(to), file: earlier })).toEqual({
      lines: 2,
      images: 2,
      subscriptions: 0,
    });
  });

  test("a backup is a consistent snapshot of a service that keeps writing, and a failed backup leaves the previous one in place", async () => {
    await from.database.query("delete from offchain.registration");
    const pool = new pg.Pool({ connectionString: from.database.url, max: 2 });
    const store = createRegistrationStore(pool);
    const token = (n: number, kind: string) => ({
      chainId: 56,
      mint: `0x${kind}${n.toString(16).padStart(39, "0")}`,
      name: "A",
      symbol: "A",
      creator: `0x${"b".repeat(40)}`,
      burnPercent: 50,
    });
    let written = 0;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        // Two at a time: a consistent backup has both or neither.
        await store.writeAll(
          ["1", "2"].map((kind) => ({
            token: token(written, kind),
            decide: () => unsignedContent(null),
          })),
        );
        written++;
      }
    })();
    const { code } = await run("backup/backup", from, file);
    isOver = true;
    await writing;
    await pool.end();
    expect(code).toBe(0);
    await restoreHere();
    const [row] = await to.database.query<{ ones: number; twos: number }>(
      `select count(*) filter (where mint like '0x1%')::int as ones, count(*) filter (where mint like '0x2%')::int as twos
       from offchain.registration`,
    );
    expect(row?.ones).toBeGreaterThan(0);
    expect(row?.twos).toBe(row?.ones);

    const before = await readFile(file);
    const missingDatabase = { ...from, database: { ...from.database, url: `${from.database.url}_gone` } };
    expect((await run("backup/backup", missingDatabase, file)).code).toBe(1);
    expect((await readFile(file)).equals(before)).toBe(true);
    const nowhere = await run("backup/backup", from, path.join(from.folder, "none", "backup.tar"));
    expect([nowhere.code, nowhere.output]).toEqual([1, expect.stringMatching(/cannot use .*none/)]);
  });

  test("a lost DATA_DIR gets its images back from a backup that is restored into an empty database", async () => {
    await from.database.query(
      "update offchain.registration set mint = '0x' || repeat(right(mint, 1), 40), creator = '0x' || repeat('b', 40)",
    );
    await backUpHere();
    await rm(path.join(from.folder, "images"), { recursive: true });
    expect((await run("images/verify", from)).code).toBe(1);
    await restoreBackup({ ...here(to), local: from.parts.local });
    expect(await run("images/verify", from)).toEqual({
      code: 0,
      output: `2 images in ${from.folder}/images, 0 of them missing or damaged.\n`,
    });
  });

  test("with images in S3, a backup has them without DATA_DIR, and a restore puts them into the bucket that is set", async () => {
    await from.database.query(
      "update offchain.registration set mint = '0x' || repeat(right(mint, 1), 40), creator = '0x' || repeat('b', 40)",
    );
    const buckets: S3Server[] = await Promise.all([startS3Server(), startS3Server()]);
    const [old, fresh] = buckets as [S3Server, S3Server];
    const { pool, local, provider } = from.with({ provider: "s3", s3: s3Settings(old) }).parts;
    if (provider === undefined) throw new Error("no provider");
    expect((await pushImages({ pool, local, provider })).failed).toEqual([]);
    await rm(path.join(from.folder, "images"), { recursive: true });

    expect(await runWith(s3Environment(old), "backup/backup", from, file)).toMatchObject({
      code: 0,
      output: expect.stringContaining("2 images and 0 subscriptions to webhooks written"),
    });
    expect((await runWith(s3Environment(fresh), "backup/restore", to, file)).code).toBe(0);
    expect(fresh.objects).toEqual(old.objects);
    await rm(path.join(to.folder, "images"), { recursive: true });
    const restored = to.with({ provider: "s3", s3: s3Settings(fresh) });
    expect((await restored.app.request(`/ipfs/${multiBlockCid}`)).status).toBe(200);

    // When a registration is gone, so is its image: the restored rows say what is in the bucket.
    await to.database.query("delete from offchain.registration");
    await to.database.query("update offchain.image set uploaded_at = now() - interval '25 hours'");
    expect((await sweepImages(restored.parts))?.dropped).toHaveLength(2);
    expect(fresh.objects.size).toBe(0);
    await Promise.all(buckets.map((bucket) => bucket.close()));
  });
});
