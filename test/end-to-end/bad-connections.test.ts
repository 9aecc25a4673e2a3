import { beforeAll, describe } from "vitest";
import { testOutage } from "./bad-connections/outage.ts";
import { type ConnectionsServed, serveConnections } from "./bad-connections/served.ts";
import { testSlowClients } from "./bad-connections/slow-clients.ts";

/* Connections that are slow, break or end: those of clients, and those to the database. */

let served: ConnectionsServed;

beforeAll(async () => {
  served = await serveConnections();
});

// In this order: the log has no connection that was lost before that.
describe("slow clients", () => testSlowClients(() => served));
describe("an outage of the database", () => testOutage(() => served));
