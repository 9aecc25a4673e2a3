import type { ChainSettings } from "../../../../config/env.ts";
import type { Chains } from "../../chain/chains.ts";
import { unknownToken } from "../../chain/unknown-token.ts";
import type { PooledDatabase } from "../../database/database.ts";
import { invalidParameter } from "../../http/invalid-parameter.ts";
import { ProblemException } from "../../http/problem.ts";
import { createRouter } from "../../http/router.ts";
import { readEventBatches } from "../shared/events.ts";
import { readFinalPair, readFinalToken } from "../shared/final-assets.query.ts";
import { getFinalBlock } from "../shared/final-block.ts";
import { streamJson } from "../shared/json-stream.ts";
import { type DexAddresses, toAsset, toCurvePair, toDexPair, toWbnbAsset } from "./dex-screener.mapper.ts";
import {
  type AssetAnswer,
  assetRoute,
  type Events,
  eventsRoute,
  type LatestBlock,
  latestBlockRoute,
  maxBlockRange,
  type PairAnswer,
  pairRoute,
} from "./dexscreener.routes.ts";

export type DexScreenerDeps = {
  chains: Chains;
  db: PooledDatabase;
  getDexAddresses: (chain: ChainSettings) => Promise<DexAddresses>;
};

/** Implements DEX Screener's adapter specification. */
export function createDexScreener({ chains, db, getDexAddresses }: DexScreenerDeps) {
  return createRouter()
    .openapi(latestBlockRoute, async (c) => {
      const { id } = chains.choose(c.req.valid("query").chainId);
      const { block, timestamp } = await getFinalBlock(db, id);
      const body: LatestBlock = { block: { blockNumber: block, blockTimestamp: timestamp } };
      return c.json(body, 200);
    })
    .openapi(assetRoute, async (c) => {
      const { id, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const token = await readFinalToken(db, chain.id, id, await getFinalBlock(db, chain.id));
      if (token !== undefined) return c.json<AssetAnswer, 200>({ asset: toAsset(token) }, 200);
      const { wbnb } = await getDexAddresses(chain);
      if (id === wbnb.toLowerCase()) return c.json<AssetAnswer, 200>({ asset: toWbnbAsset(wbnb) }, 200);
      throw unknownToken(id, chain.id);
    })
    .openapi(pairRoute, async (c) => {
      const { id, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      const final = await getFinalBlock(db, chain.id);
      const token = await readFinalToken(db, chain.id, id, final);
      if (token !== undefined)
        return c.json<PairAnswer, 200>({ pair: toCurvePair(token, await getDexAddresses(chain)) }, 200);
      const pair = await readFinalPair(db, chain.id, id, final);
      if (pair !== undefined)
        return c.json<PairAnswer, 200>({ pair: toDexPair(pair, await getDexAddresses(chain)) }, 200);
      throw unknownPair(id, chain.id);
    })
    .openapi(eventsRoute, async (c) => {
      const { fromBlock, toBlock, chainId } = c.req.valid("query");
      const chain = chains.choose(chainId);
      assertRange(fromBlock, toBlock);
      const { block: last } = await getFinalBlock(db, chain.id);
      if (toBlock > last) throw notFinal(toBlock, last);
      const events = readEventBatches(db, { chainId: chain.id, fromBlock, toBlock });
      return await streamJson<Events>(c, { events });
    });
}

function assertRange(fromBlock: number, toBlock: number): void {
  if (fromBlock > toBlock) throw invalidParameter("fromBlock", "must not be above toBlock");
  if (toBlock - fromBlock < maxBlockRange) return;
  throw invalidParameter(
    "toBlock",
    `must be at most ${fromBlock + maxBlockRange - 1} with this fromBlock: a range has at most ${maxBlockRange} blocks`,
  );
}

function notFinal(toBlock: number, last: number): ProblemException {
  return new ProblemException({
    status: 409,
    code: "block_not_final",
    title: "Block not final",
    detail: `Block ${toBlock} is not final yet: the last final block, and the last you can ask for, is ${last}.`,
    errors: [{ path: "toBlock", message: `must not be above ${last}, the last final block` }],
  });
}

function unknownPair(pair: string, chainId: number): ProblemException {
  return new ProblemException({
    status: 404,
    code: "pair_not_found",
    title: "Pair not found",
    detail: `No token with the address ${pair} was launched on chain ${chainId}, and none graduated to it, in a final block.`,
  });
}
