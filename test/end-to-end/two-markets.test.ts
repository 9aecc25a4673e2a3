import { beforeAll, describe } from "vitest";
import { testLiquidity } from "./two-markets/liquidity.ts";
import { testReorgs } from "./two-markets/reorg.ts";
import { testReads } from "./two-markets/rest-reads.ts";
import { serveTwoMarkets, type TwoMarketsServed } from "./two-markets/served.ts";
import { testTraders } from "./two-markets/traders.ts";
import { testTransfers } from "./two-markets/transfers.ts";
import { testTwoChains } from "./two-markets/two-chains.ts";

let served: TwoMarketsServed;

beforeAll(async () => {
  served = await serveTwoMarkets();
});

describe("reads of curves, metadata and holders", () => testReads(() => served));
describe("liquidity", () => testLiquidity(() => served));
describe("transfers", () => testTransfers(() => served));
describe("reorgs", () => testReorgs(() => served));
describe("two chains", () => testTwoChains(() => served));
// Last, because it restarts the service.
describe("traders", () => testTraders(() => served));
