import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startPostgres } from "../runtime/postgres/start-postgres.ts";
import { query } from "../runtime/process/fixtures/query.ts";
import { startTcpGate } from "../test/doubles/tcp-gate.ts";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { makeLax } from "../test/service/lax-database.ts";
import { copyPostgresHome } from "../test/service/postgres-home.ts";
import { unsignedContent } from "../test/service/registration.ts";
import { temporaryFolder } from "../test/service/temporary-folder.ts";
import { tolerateLostConnections } from "./connection.ts";
import { migrateOffchain } from "./migrate.ts";
import { createRegistrationStore, type RegistrationStore } from "./store.ts";

let database: TestDatabase;
let pool: pg.Pool;
let store: RegistrationStore;

beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  store = createRegistrationStore(pool);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const token = { chainId: 56, mint: "0xaa", name: "A", symbol: "A", creator: "0xbb", burnPercent: 50 };
test("a write waits for the disk, whatever the database's own setting", async () => {
  const readSettings = await makeLax(database, "offchain.registration");
  await store.write(token, () => unsignedContent("first"));
  await store.write(token, () => unsignedContent("second"));
  expect(await readSettings()).toEqual(["on", "on"]);
});

test("earlier registrations have times of Postgres, and stay in their order if its clock is set back", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() - 3_600_000);
  const write = (text: string) => store.write(token, () => unsignedContent(text));
  await write("first");
  await write("second");
  const earlier = (columns: string) =>
    database.query(`select ${columns} from offchain.registration_history order by replaced_at`);
  expect(
    await earlier("(select registered_at from offchain.registration) <= replaced_at as is_later"),
  ).toEqual([{ is_later: true }]);
  await database.query(
    "update offchain.registration_history set replaced_at = replaced_at + interval '1 day'",
  );
  await write("third");
  await write("fourth");
  expect(await earlier("description")).toEqual(
    ["first", "second", "third"].map((text) => ({ description: text })),
  );
});

test("what is written survives kill -9 of Postgres, even of one that may lose commits", async () => {
  const place = await temporaryFolder();
  const dataDir = path.join(place.folder, "postgres");
  await copyPostgresHome(dataDir);
  const first = await startPostgres({ dataDir });
  await migrateOffchain(first.url);
  await query(first.adminUrl, "alter system set synchronous_commit = off");
  await query(first.adminUrl, "select pg_reload_conf()");
  const own = new pg.Pool({ connectionString: first.url, max: 1 });
  own.on("error", () => {});
  await createRegistrationStore(own).write(token, () => unsignedContent("first"));
  process.kill(first.pid, "SIGKILL");
  await first.exited;
  await own.end();

  const second = await startPostgres({ dataDir, port: first.port });
  expect(await query(second.url, "select description from offchain.registration")).toEqual([
    { description: "first" },
  ]);
  await second.stop();
  await place.remove();
});

test.each(["read committed", "serializable"])(
  "writers take turns where the default isolation is %s: each decides on what the one before has written",
  async (isolation) => {
    const url = new URL(database.url);
    url.searchParams.set(
      "options",
      `-c default_transaction_isolation=${isolation.replace(" ", String.raw`\ `)}`,
    );
    const pool = new pg.Pool({ connectionString: url.href, max: 3 });
    const store = createRegistrationStore(pool);
    const seen: (string | null | undefined)[] = [];
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        store.write(token, (existing) => {
          seen.push(existing?.description);
          return unsignedContent(`${existing?.description ?? ""}${index}`);
        }),
      ),
    );
    const last = await store.find(token);
    expect(last?.description?.split("").sort().join("")).toBe("01234567");
    expect(seen.map((text) => text?.length ?? 0).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await pool.end();
  },
);

test("a decision not to write changes nothing, nor does a failure", async () => {
  await store.write(token, () => unsignedContent("stays"));
  const before = await database.query("select * from offchain.registration, offchain.registry");
  await store.write(token, () => undefined);
  const failing = store.write(token, () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  const [after] = await database.query("select * from offchain.registration, offchain.registry");
  expect({ ...after, version: 0 }).toEqual({ ...before[0], version: 0 });
});

test("what could not be written for lack of an answer is not committed along with what comes next", async () => {
  const url = new URL(database.url);
  const gate = await startTcpGate(url.hostname, Number(url.port));
  url.port = String(gate.port);
  const behindGate = tolerateLostConnections(
    new pg.Pool({ connectionString: url.href, max: 1, query_timeout: 2_000 }),
  );
  onTestFinished(async () => {
    await gate.stop();
    await behindGate.end();
  });
  const own = createRegistrationStore(behindGate);
  const refused = own.write(token, () => {
    gate.freeze();
    return unsignedContent("refused");
  });
  await expect(refused).rejects.toThrow("timeout");
  gate.open();
  await own.write({ ...token, mint: "0xcc" }, () => unsignedContent("accepted"));
  expect(await database.query("select description from offchain.registration")).toEqual([
    { description: "accepted" },
  ]);
});

test("the same address with another name is a separate registration", async () => {
  await store.write(token, () => unsignedContent("one"));
  await store.write({ ...token, name: "B" }, () => unsignedContent("two"));
  expect(await database.query("select name, description from offchain.registration order by id")).toEqual([
    { name: "A", description: "one" },
    { name: "B", description: "two" },
  ]);
});
