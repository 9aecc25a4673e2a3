import { expect, test } from "vitest";
import { startPool } from "../fixtures/endpoint-pool.ts";
import { answering } from "../fixtures/endpoint-server.ts";
import { headerOf } from "../fixtures/log-node.ts";
import { createAsk } from "./ask.ts";
import type { Header } from "./block.ts";
import { createCanonicalChain, createReadHeaders } from "./feed.ts";
import { createHeads } from "./heads.ts";

const block = headerOf(7, []);
const replacing = { ...block, hash: headerOf(70, []).hash };

test.each<[string, unknown[], boolean]>([
  ["most endpoints have another block in its place", [replacing, replacing, block], true],
  ["as many still have it", [replacing, block], false],
  ["the others have none", [null, block], false],
  ["the others answer with a block of another number", [headerOf(8, []), headerOf(8, []), block], false],
])("whether a block has been replaced: %s", async (_, answers, expected) => {
  const { pool, endpoints } = await startPool(answers.map((answer) => answering(() => answer)));
  const heads = createHeads(endpoints);
  const chain = createCanonicalChain(10);
  chain.restart(block as Header);
  const { isReplacement } = createReadHeaders({
    ask: createAsk({ pool, heads }),
    heads,
    endpoints,
    chain,
  });
  expect(await isReplacement(replacing as Header)).toBe(expected);
});
