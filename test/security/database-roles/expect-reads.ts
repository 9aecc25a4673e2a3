import { expect } from "vitest";
import type { Indexer } from "../../service/indexer.ts";
import { createRestClient } from "../../service/rest-client.ts";

const tokens = "{ tokens { items { address } } listings { items { address } } }";

/** Expects a process to read tables of every kind. `mint` is the only token, and registered. */
export async function expectReads(indexer: Indexer, mint: string): Promise<void> {
  const own = await createRestClient(indexer.url);
  expect((await own.get("/api/tokens")).body).toMatchObject({ tokens: [{ mint }] });
  expect(await indexer.graphql(tokens)).toEqual({
    tokens: { items: [{ address: mint }] },
    listings: { items: [{ address: mint }] },
  });
  for (const path of ["/ready", "/status", `/api/token/${mint}`, `/api/token/${mint}/trades`, "/api/stats"]) {
    expect([path, (await fetch(indexer.url + path)).status]).toEqual([path, 200]);
  }
}
