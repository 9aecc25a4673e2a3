import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Address } from "viem";
import { beforeAll, expect, test } from "vitest";
import { createRandom } from "../../../local/market/random.ts";
import { migrateOffchain } from "../../../offchain/migrate.ts";
import { startPostgres } from "../../../runtime/postgres/start-postgres.ts";
import { query } from "../../../runtime/process/fixtures/query.ts";
import type { TcpGate } from "../../doubles/tcp-gate.ts";
import { onlyInLongRun, sized } from "../../run/long-run.ts";
import { seed } from "../../run/seed.ts";
import { until } from "../../service/condition.ts";
import { openDatabase } from "../../service/database.ts";
import { startIndexer } from "../../service/indexer.ts";
import { copyPostgresHome } from "../../service/postgres-home.ts";
import { registrationOf } from "../../service/registration.ts";
import { createRestClient, type RestClient } from "../../service/rest-client.ts";
import type { SharedService } from "../../service/shared-service.ts";
import { temporaryFolder } from "../../service/temporary-folder.ts";
import type { ConnectionsServed } from "./served.ts";

export function testOutage(served: () => ConnectionsServed): void {
  let chain: SharedService["chain"];
  let gate: TcpGate;
  let url: string;
  let rest: RestClient;
  let mint: Address;
  let other: Address;

  beforeAll(async () => {
    ({ chain, gate, rest } = served());
    url = served().replica.url;
    const [creator] = chain.traders;
    [mint, other] = [await chain.create(creator), await chain.create(creator)];
    await served().service.indexer.untilIndexed(56, await chain.head());
    expect((await rest.post("/api/tokens", registrationOf(mint, creator))).status).toBe(201);
  });

  const sendReads = () =>
    ["/api/tokens", "/api/tokens?q=otter", `/api/curve/${mint}`, `/api/curves?mints=${mint}`].concat(
      `/api/metadata/${mint}`,
      `/api/token/${mint}/holders`,
      `/api/curve/${mint}/quote?side=buy&amount=1000000`,
    );

  async function expectAllServed(): Promise<void> {
    await until("the service to be up", async () => (await rest.get("/api/health")).status === 200);
    for (const path of sendReads()) expect((await rest.get(path)).status, path).toBe(200);
  }

  async function expectUnavailable(answer: ReturnType<RestClient["get"]>): Promise<void> {
    const { status, body, headers } = await answer;
    expect([status, body.code]).toEqual([503, "database_unavailable"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }

  test("without its database the service says so, and recovers when it is back", async () => {
    await expectAllServed();
    for (let round = 0; round < 2; round++) {
      gate.close();
      const health = await rest.get("/api/health");
      expect([health.status, health.body]).toEqual([503, { ok: false, status: "down" }]);
      for (const path of sendReads()) await expectUnavailable(rest.get(path));
      const sitemap = await fetch(`${url}/sitemap.xml`);
      expect([sitemap.status, sitemap.headers.has("retry-after")]).toEqual([503, true]);
      await expectUnavailable(rest.post("/api/tokens", registrationOf(other, chain.traders[0])));
      // Whatever needs no database still works.
      expect((await rest.get("/api")).status).toBe(200);
      expect((await rest.get("/api/tokens?page=0")).status).toBe(400);

      gate.open();
      await expectAllServed();
    }
    expect((await rest.post("/api/tokens", registrationOf(other, chain.traders[0]))).status).toBe(201);
    expect((await rest.get(`/api/tokens?mint=${mint},${other}`)).body.total).toBe(2);
  });

  onlyInLongRun(() => {
    test("a database that keeps connections open without answering counts as down", async () => {
      await expectAllServed();
      gate.freeze();
      const health = await rest.get("/api/health");
      expect([health.status, health.body]).toEqual([503, { ok: false, status: "down" }]);
      await Promise.all(sendReads().map((path) => expectUnavailable(rest.get(path))));
      gate.open();
      await expectAllServed();
    });
  });

  test("connections lost at any moment, even while being opened, don't end the service", async () => {
    const random = createRandom(seed);
    for (let round = 0; round < sized({ usual: 15, long: 60 }); round++) {
      const asked = [...sendReads(), "/ready", "/status"].map(async (path) => {
        await delay(random.integer(0, 20));
        // Each answer either comes from the database or says that it is unavailable.
        expect([200, 503], path).toContain((await fetch(url + path)).status);
      });
      await delay(random.integer(0, 25));
      gate.close();
      await delay(random.integer(0, 25));
      gate.open();
      await Promise.all(asked);
    }
    await expectAllServed();
  });

  onlyInLongRun(() => {
    test("a registration answered with 201 survives kill -9 of Postgres and of the service", async () => {
      const place = await temporaryFolder();
      const dataDir = path.join(place.folder, "postgres");
      await copyPostgresHome(dataDir);
      let postgres = await startPostgres({ dataDir });
      await migrateOffchain(postgres.url);
      let database = openDatabase(postgres.url);
      // A server that may lose commits unless a client asks for durability.
      await query(postgres.adminUrl, "alter system set synchronous_commit = off");
      await query(postgres.adminUrl, "select pg_reload_conf()");
      const indexer = await startIndexer({ databaseUrl: postgres.url, chains: [chain.indexed()] });
      await indexer.untilReady();
      await indexer.untilIndexed(56, await chain.head());
      const own = await createRestClient(indexer.url);
      expect((await own.post("/api/tokens", registrationOf(mint, chain.traders[0]))).status).toBe(201);
      process.kill(postgres.pid, "SIGKILL");
      await Promise.all([postgres.exited, indexer.kill()]);
      await database.close();

      postgres = await startPostgres({ dataDir, port: postgres.port });
      database = openDatabase(postgres.url);
      expect(await database.query("select mint from offchain.registration")).toEqual([
        { mint: mint.toLowerCase() },
      ]);
      await database.close();
      await postgres.stop();
      await place.remove();
    });
  });
}
