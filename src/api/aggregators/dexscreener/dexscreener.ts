import type { ChainSettings } from "../../../../config/env.ts";
import type { Chains } from "../../chain/chains.ts";
import { unknownToken } from "../../chain/unknown-token.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { invalidParameter } from "../../http/invalid-parameter.ts";
import { ProblemException } from "../../http/problem.ts";
import { createRouter } from "../../http/router.ts";
import { eventBatches } from "../shared/events.ts";
import { readFinalPair, readFinalToken } from "../shared/final-assets.query.ts";
import { finalBlockOf } from "../shared/final-block.ts";
import { streamJson } from "../shared/json-stream.ts";
import { type DexAddresses, toAsset, toCurvePair, toDexPair, toWbnbAsset } from "./dex-screener.mapper.ts";
import {
  type AssetAnswer,
  assetRoute,
  type Events,
  eventsRoute,
  type LatestBlock,
  latestBlockRoute,
  mostBlocks,
  type PairAnswer,
  pairRoute,
} from "./dexscreener.routes.ts";

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
      const body: LatestBlock = { block: { blockNumber: block, blockTimestamp: timestamp } };
      return c.json(body, 200);
    })
    .openapi(assetRoute, async (c) => {
      const { id, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const token = await readFinalToken(db, chain.id, id, await finalBlockOf(db, chain.id));
      if (token !== undefined) return c.json<AssetAnswer, 200>({ asset: toAsset(token) }, 200);
      const { wbnb } = await dexOf(chain);
      if (id === wbnb.toLowerCase()) return c.json<AssetAnswer, 200>({ asset: toWbnbAsset(wbnb) }, 200);
      throw unknownToken(id, chain.id);
    })
    .openapi(pairRoute, async (c) => {
      const { id, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const final = await finalBlockOf(db, chain.id);
      const token = await readFinalToken(db, chain.id, id, final);
      if (token !== undefined)
        return c.json<PairAnswer, 200>({ pair: toCurvePair(token, await dexOf(chain)) }, 200);
      const pair = await readFinalPair(db, chain.id, id, final);
      if (pair !== undefined)
        return c.json<PairAnswer, 200>({ pair: toDexPair(pair, await dexOf(chain)) }, 200);
      throw unknownPair(id, chain.id);
    })
    .openapi(eventsRoute, async (c) => {
      const { fromBlock, toBlock, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      refuseRange(fromBlock, toBlock);
      const { block: last } = await finalBlockOf(db, chain.id);
      if (toBlock > last) throw notFinal(toBlock, last);
      const events = eventBatches(db, { chainId: chain.id, fromBlock, toBlock });
      return await streamJson<Events>(c, { events });
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
