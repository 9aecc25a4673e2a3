import { test } from "vitest";
import { prepareReads } from "../../../runtime/ponder/read-role.ts";
import { testSchema } from "../../service/indexer.ts";
import type { AttackedService } from "../served.ts";
import { expectReads } from "./expect-reads.ts";

export function testRecreatedTables(served: () => AttackedService): void {
  test("tables that Ponder recreates in a dropped schema can be read as before", async () => {
    const { service, mint, untilIndexed } = served();
    await service.indexer.stop();
    await service.database.query(`drop schema ${testSchema} cascade`);
    await prepareReads({ ...service.database, schema: testSchema, log() {} });
    await service.restart();
    await service.indexer.untilReady();
    await untilIndexed();
    await expectReads(service.indexer, mint);
  });
}
