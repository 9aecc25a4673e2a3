import { type Address, getAddress } from "viem";
import type { LaunchpadChain } from "../chain/launchpad-chain.ts";
import { expectedMarket } from "./expected-market.ts";

/** A trade according to the chain's logs, with amounts in wei and base units. Addresses are checksummed. */
export type LoggedTrade = {
  token: Address;
  /** The token if the trade was on its curve, otherwise the DEX pair. */
  pair: Address;
  block: number;
  timestamp: number;
  tx: string;
  txIndex: number;
  logIndex: number;
  maker: Address;
  isBuy: boolean;
  bnb: bigint;
  tokens: bigint;
  bnbReserves: bigint;
  tokenReserves: bigint;
};

/** Reads all trades up to the block, in the order of the chain. */
export async function tradesInLogs(chain: LaunchpadChain, toBlock: bigint): Promise<LoggedTrade[]> {
  const { market } = await expectedMarket(chain);
  return market.trades
    .filter(({ block }) => block <= toBlock)
    .map(({ token, trader, venue, block, timestamp, ...trade }) => {
      const pair = venue === "curve" ? token : market.curves.get(token)?.graduation?.pair;
      const { tx, txIndex, logIndex, isBuy, bnb, tokens, bnbReserves, tokenReserves } = trade;
      return {
        token: getAddress(token),
        pair: getAddress(pair as Address),
        maker: getAddress(trader),
        block: Number(block),
        timestamp: Number(timestamp),
        tx,
        txIndex,
        logIndex,
        isBuy,
        bnb,
        tokens,
        bnbReserves,
        tokenReserves,
      };
    });
}
