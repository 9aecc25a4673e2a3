import type { ChainSettings } from "../../../../config/env.ts";
import type { Chains } from "../../chain/chains.ts";
import { unknownToken } from "../../chain/unknown-token.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { freshJson } from "../../http/etag.ts";
import { invalidParameter } from "../../http/invalid-parameter.ts";
import { ProblemException } from "../../http/problem.ts";
import { createRouter } from "../../http/router.ts";
import { swapsInParts } from "../shared/events.ts";
import { readFinalPair, readFinalToken } from "../shared/final-assets.query.ts";
import { finalBlockOf } from "../shared/final-block.ts";
import { jsonInParts } from "../shared/json-stream.ts";
import { type DexAddresses, toAsset, toCurvePair, toDexPair, toWbnbAsset } from "./dex-screener.mapper.ts";
import { assetRoute, eventsRoute, latestBlockRoute, mostBlocks, pairRoute } from "./dexscreener.routes.ts";

export type DexScreenerDeps = {
  chains: Chains;
  db: PooledDatabase;
  dexOf: (chain: ChainSettings) => Promise<DexAddresses>;
};

/** The adapter of DEX Screener's specification. */
export function createDexScreener({ chains, db, dexOf }: DexScreenerDeps) {
  return createRouter()
    .openapi(latestBlockRoute, async (c) => {
      const { id } = chains.choose(c.req.valid("query").chainId);
      const { block, timestamp } = await finalBlockOf(db, id);
      return freshJson(c, { block: { blockNumber: block, blockTimestamp: timestamp } });
    })
    .openapi(assetRoute, async (c) => {
      const { id, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const token = await readFinalToken(db, chain.id, id, await finalBlockOf(db, chain.id));
      if (token !== undefined) return freshJson(c, { asset: toAsset(token) });
      const { wbnb } = await dexOf(chain);
      if (id === wbnb.toLowerCase()) return freshJson(c, { asset: toWbnbAsset(wbnb) });
      throw unknownToken(id, chain.id);
    })
    .openapi(pairRoute, async (c) => {
      const { id, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const final = await finalBlockOf(db, chain.id);
      const token = await readFinalToken(db, chain.id, id, final);
      if (token !== undefined) return freshJson(c, { pair: toCurvePair(token, await dexOf(chain)) });
      const pair = await readFinalPair(db, chain.id, id, final);
      if (pair !== undefined) return freshJson(c, { pair: toDexPair(pair, await dexOf(chain)) });
      throw unknownPair(id, chain.id);
    })
    .openapi(eventsRoute, async (c) => {
      const { fromBlock, toBlock, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      refuseRange(fromBlock, toBlock);
      const { block: last } = await finalBlockOf(db, chain.id);
      if (toBlock > last) throw notFinal(toBlock, last);
      return (await jsonInParts(c, swapsInParts(db, { chainId: chain.id, fromBlock, toBlock }))) as never;
    });
}

function refuseRange(fromBlock: number, toBlock: number): void {
  if (fromBlock > toBlock) throw invalidParameter("fromBlock", "must not be above toBlock");
  if (toBlock - fromBlock < mostBlocks) return;
  throw invalidParameter(
    "toBlock",
    `must be at most ${fromBlock + mostBlocks - 1} with this fromBlock: a range has at most ${mostBlocks} blocks`,
  );
}

function notFinal(toBlock: number, last: number): ProblemException {
  return new ProblemException({
    status: 409,
    code: "block_not_final",
    title: "Block not final",
    detail: `Block ${toBlock} is not final yet: the last one that is, and may be asked for, is ${last}.`,
    errors: [{ path: "toBlock", message: `must not be above ${last}, the last final block` }],
  });
}

function unknownPair(pair: string, chainId: number): ProblemException {
  return new ProblemException({
    status: 404,
    code: "pair_not_found",
    title: "Pair not found",
    detail: `No token was launched with the address ${pair} on chain ${chainId}, nor graduated to it, in a final block.`,
  });
}
