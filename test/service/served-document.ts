import { readEnvironment } from "../../config/env.ts";
import type { AlertService } from "../../src/api/alerts/alert-service.ts";
import { createChainClients } from "../../src/api/chain/chain-client.ts";
import { createPool, openDatabase } from "../../src/api/database/database.ts";
import { watchIndex } from "../../src/api/freshness/index-watch.ts";
import type { ImageService } from "../../src/api/images/image-service.ts";
import { watchDenyList } from "../../src/api/moderation/watch-deny-list.ts";
import { createRest } from "../../src/api/rest.ts";
import type { StreamService } from "../../src/api/stream/stream-service.ts";
import { createListing } from "../../src/api/tokens/list/order/listing.ts";

/** Returns the OpenAPI document as it is served. This needs no database, because only the routes are read. */
export async function servedDocument(): Promise<string> {
  const pool = createPool({
    url: "postgres://127.0.0.1:1/none",
    name: "none",
    connections: 1,
    statementSeconds: 1,
  });
  const db = openDatabase(pool);
  const getClient = createChainClients();
  const watch = watchIndex({ chains: [], db, getClient });
  watch.stop();
  const rest = createRest({
    environment: { ...readEnvironment({ SQL: "on" }), baseUrl: "https://launchpad.example" },
    db,
    stateDb: db,
    written: async () => {},
    getClient,
    watch,
    registryPool: pool,
    boardsPool: pool,
    images: {} as ImageService,
    denyList: watchDenyList(undefined),
    stream: {} as StreamService,
    alerts: {} as AlertService,
    listing: createListing({ db, listDb: db }),
  });
  const text = await (await rest.request("/api/openapi.json")).text();
  await pool.end();
  return text;
}
