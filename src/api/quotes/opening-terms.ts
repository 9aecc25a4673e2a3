import { ContractFunctionZeroDataError, type PublicClient } from "viem";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { hasCause, isRevert } from "../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../config/env.ts";
import type { CurveState } from "../../domain/quote.ts";
import { type ChainClients, chainUnavailable } from "../chain/chain-client.ts";
import { cachePerChain } from "../chain/chains.ts";

/** Reads the state in which a curve opens. Resolves to null if the launchpad has no `openingTerms`. */
export type ReadOpeningTerms = (chain: ChainSettings, burnPercent: number) => Promise<CurveState | null>;

/**
 * Creates a reader of the state in which a curve opens, from the launchpad. That state is fixed at deployment, so each chain
 * is asked only once for each burnPercent. The reader throws a problem (503) if the chain's endpoints don't answer.
 */
export function createOpeningTerms(getClient: ChainClients): ReadOpeningTerms {
  const readers = new Map<number, (chain: ChainSettings) => Promise<CurveState | null>>();

  return (chain, burnPercent) => {
    const read =
      readers.get(burnPercent) ??
      cachePerChain(
        (asked) => readOpeningTerms(getClient(asked), asked, burnPercent),
        (terms) => terms !== null,
      );
    readers.set(burnPercent, read);
    return read(chain);
  };
}

async function readOpeningTerms(
  client: PublicClient,
  { id, launchpad }: ChainSettings,
  burnPercent: number,
): Promise<CurveState | null> {
  try {
    const [bnbReservesWei, tokenReservesRaw, totalToSell, graduationBnbReservesWei] =
      await client.readContract({
        address: launchpad,
        abi: launchpadAbi,
        functionName: "openingTerms",
        args: [burnPercent],
      });
    return { bnbReservesWei, tokenReservesRaw, tokensSold: 0n, totalToSell, graduationBnbReservesWei };
  } catch (error) {
    if (isRevert(error) || hasCause(error, (cause) => cause instanceof ContractFunctionZeroDataError))
      return null;
    throw chainUnavailable(id, error);
  }
}
