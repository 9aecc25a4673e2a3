import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../test/service/database.ts";
import { makeLax } from "../test/service/lax-database.ts";
import { type AlertProgress, type AlertStore, createAlertStore, type NewAlert } from "./alert-store.ts";

let database: TestDatabase;
let pool: pg.Pool;
let store: AlertStore;

beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
  store = createAlertStore(pool);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const limits = { perWallet: 100, perAddress: 100, unverifiedPerHost: 100 };
const progress: Omit<AlertProgress, "id" | "revision" | "position"> = {
  status: "active",
  reason: null,
  is_behind: false,
  failures: 0,
  failing_since: null,
  retry_at: null,
  recent: [],
};

async function create(id: string, changes: Partial<NewAlert> = {}) {
  const alert = {
    id,
    owner: "0xa",
    chain_id: 56,
    rule: { type: "events" },
    sealed: "",
    host: "h",
    client: "c",
    batch: 1,
    digest: null,
    position: "1-0",
    ...changes,
  };
  return await store.create(alert, limits);
}

async function createActive(id: string, changes: Partial<NewAlert> = {}) {
  await create(id, changes);
  const row = await store.change(id, () => ({ status: "active" }));
  if (row === undefined || row === "host") throw new Error("not stored");
  return row;
}

test("a subscription, and what its owner changes, waits for the disk, whatever the database's own setting", async () => {
  const readSettings = await makeLax(database, "offchain.alert_subscription");
  await createActive("a");
  expect(await readSettings()).toEqual(["on", "on"]);
});

test("of several processes one gets the lease; after a takeover, what the previous one writes is refused", async () => {
  const { revision } = await createActive("a");
  const leases = await Promise.all([store.takeLease(60), store.takeLease(60), store.takeLease(60)]);
  const [first] = leases.filter((lease) => lease !== undefined);
  expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
  const old = first?.lease ?? 0;
  await store.releaseLease(old, "5-0");
  const second = await store.takeLease(60);
  expect(second).toMatchObject({ lease: old + 1, delivered: "5-0" });
  const late = { ...progress, id: "a", revision, position: "9-0" };
  expect(await store.saveProgress(old, [late])).toBeUndefined();
  expect(await store.saveEvaluation(old, 9, [], [])).toBeUndefined();
  expect(await store.renewLease(old, 60, "9-0")).toBe(false);
  expect((await store.find("a"))?.position).toBe("1-0");
  expect(await store.saveProgress(second?.lease ?? 0, [late])).toEqual(["a"]);
  expect((await store.find("a"))?.position).toBe("9-0");
});

test("a lease of a process that died doesn't last until the time that a wrong clock showed", async () => {
  const { lease = 0 } = (await store.takeLease(60)) ?? {};
  expect(await store.takeLease(60)).toBeUndefined();
  await database.query("update offchain.alert_work set lease_until = now() + interval '1 hour'");
  expect(await store.takeLease(60)).toMatchObject({ lease: lease + 1 });
});

test("progress of a subscription that its owner has changed since is not saved", async () => {
  const { revision } = await createActive("a");
  const { lease = 0 } = (await store.takeLease(60)) ?? {};
  await store.change("a", () => ({ position: "0-0", is_behind: true }));
  expect(await store.saveProgress(lease, [{ ...progress, id: "a", revision, position: "9-0" }])).toEqual([]);
  expect(await store.find("a")).toMatchObject({ position: "0-0", is_behind: true });
});

test("one signed message makes one subscription, also if it is sent many times at once, and limits hold then too", async () => {
  const made = await Promise.all([1, 2, 3].map((n) => create(`a${n}`, { digest: "same" })));
  expect(new Set(made.map((row) => (typeof row === "string" ? row : row.id))).size).toBe(1);
  const others = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      store.create(
        {
          id: `b${n}`,
          owner: "0xb",
          chain_id: 56,
          rule: {},
          sealed: "",
          host: "",
          client: "",
          batch: 1,
          digest: null,
          position: "0",
        },
        { ...limits, perWallet: 2 },
      ),
    ),
  );
  expect(others.filter((row) => row === "wallet")).toHaveLength(3);
});

test("strangers can't take up the host of a receiver, and an unverified subscription stays for a day after its last change", async () => {
  const fromStranger = { perWallet: 100, perAddress: 100, unverifiedPerHost: 1 };
  const alert = {
    ...{ owner: "0xa", chain_id: 56, rule: {}, sealed: "", host: "h", batch: 1, digest: null, position: "0" },
  };
  await store.create({ ...alert, id: "first", client: "stranger" }, fromStranger);
  expect(await store.create({ ...alert, id: "second", client: "stranger" }, fromStranger)).toBe("host");
  expect(await store.create({ ...alert, id: "other", client: "c" }, fromStranger)).toMatchObject({
    id: "other",
  });
  await database.query(
    "update offchain.alert_subscription set created_at = now() - interval '2 days', changed_at = now() - interval '2 days'",
  );
  await store.change("other", () => ({ sealed: "moved", status: "unverified" }));
  await store.prune(1);
  expect(await store.find("other")).toMatchObject({ sealed: "moved" });
  expect(await store.find("first")).toBeUndefined();
});

test("a subscription moves to a host only while few of its client's wait for that host, and changes otherwise as before", async () => {
  await create("waiting", { host: "victim" });
  await createActive("moved");
  const move = () => ({ host: "victim", sealed: "moved", status: "unverified" as const });
  expect(await store.change("moved", move, 1)).toBe("host");
  expect(await store.find("moved")).toMatchObject({ host: "h", sealed: "", status: "active" });
  expect(await store.change("moved", move, 2)).toMatchObject({ host: "victim", status: "unverified" });
  // It is there already.
  expect(await store.change("moved", () => ({ sealed: "rotated" }), 1)).toMatchObject({ sealed: "rotated" });
  await createActive("stranger's", { client: "other" });
  expect(await store.change("stranger's", move, 1)).toMatchObject({ host: "victim" });
});

test("messages that a receiver lacks when they are pruned leave a notice of the gap in their place", async () => {
  const rule = { type: "crosses" };
  await createActive("events");
  await createActive("lacking", { rule, position: "0" });
  const { revision } = await createActive("current", { rule, position: "0" });
  const { lease = 0 } = (await store.takeLease(60)) ?? {};
  const firing = (subscription: string, id: string) => ({ subscription, kind: "met" as const, data: { id } });
  const saved = await store.saveEvaluation(
    lease,
    1,
    [],
    ["1", "2", "3"].flatMap((id) => [firing("lacking", id), firing("current", id)]),
  );
  expect(await store.readPending()).toHaveLength(2);
  const last = saved?.filter(({ subscription }) => subscription === "current").at(-1)?.id ?? "";
  await store.saveProgress(lease, [{ ...progress, id: "current", revision, position: last }]);
  expect((await store.readPending()).map(({ id }) => id)).toEqual(["lacking"]);
  await database.query(
    "update offchain.alert_firing set at = now() - interval '2 hours' where data ->> 'id' <> '3'",
  );
  await store.prune(1);
  const left = await store.readFirings("lacking", "0", 10);
  expect(left.map(({ kind }) => kind)).toEqual(["gap", "met"]);
  expect(await store.readFirings("current", "0", 10)).toHaveLength(1);
});
