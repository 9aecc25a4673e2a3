import { beforeAll, describe } from "vitest";
import { onlyInLongRun } from "../run/long-run.ts";
import { testPeople } from "./database-roles/people.ts";
import { testDatabaseRoles } from "./database-roles/reader.ts";
import { testRecreatedTables } from "./database-roles/recreated-tables.ts";
import { testHostileImages } from "./images/hostile.ts";
import { testImageStorage } from "./images/storage.ts";
import { type AttackedService, serveAttacked } from "./served.ts";

let served: AttackedService;

beforeAll(async () => {
  served = await serveAttacked();
});

// In this order: the last test of hostile images kills the service, and the one after it starts it again.
describe("database roles", () => testDatabaseRoles(() => served));
describe("people's login", () => testPeople(() => served));
describe("storage", () => testImageStorage(() => served));
describe("hostile images", () => testHostileImages(() => served));
onlyInLongRun(() => {
  describe("after the service was killed", () => testRecreatedTables(() => served));
});
