import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, startHttpServer } from "../doubles/http-server.ts";
import { createDatabase, type TestDatabase } from "../service/database.ts";
import { type Indexer, startIndexer } from "../service/indexer.ts";

/* An RPC endpoint that tries to redirect the indexer to another server. */

let database: TestDatabase;
let inside: HttpServer;
let endpoint: HttpServer;
let indexer: Indexer;
const asked = { endpoint: 0, inside: 0 };

beforeAll(async () => {
  database = await createDatabase();
  inside = await startHttpServer(async () => {
    asked.inside++;
    return { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":"0x38"}' };
  });
  endpoint = await startHttpServer(async () => {
    asked.endpoint++;
    return { status: 307, body: "", headers: { location: inside.url } };
  });
  const address = `0x${"11".repeat(20)}` as const;
  indexer = await startIndexer({
    databaseUrl: database.url,
    chains: [
      {
        chainId: 56,
        rpcUrl: endpoint.url,
        deployment: { tokenFactory: address, launchpad: address, startBlock: 1 },
      },
    ],
  });
});

afterAll(async () => {
  await indexer?.kill();
  await database?.drop();
  await endpoint?.close();
  await inside?.close();
});

test("the indexer follows no redirect from an endpoint", async () => {
  await expect.poll(() => asked.endpoint, { timeout: 60_000 }).toBeGreaterThan(2);
  expect(asked.inside).toBe(0);
});
