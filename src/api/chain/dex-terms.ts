import { type Address, ContractFunctionZeroDataError, type PublicClient } from "viem";
import { dexRouterAbi } from "../../../abis/DexRouter.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { hasCause, isRevert } from "../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { getAmountOut, wholeFee } from "../../domain/quote.ts";
import { toLowerHex } from "../http/parameters.schema.ts";
import {
  bestEffortLimits,
  type ChainClients,
  chainUnavailable,
  createChainClients,
  createOptionalAsk,
} from "./chain-client.ts";
import { cachePerChain } from "./chains.ts";

/** How graduated tokens trade on a chain. */
type DexTerms = {
  router: Address;
  /** The token that the router wraps BNB in. */
  wbnb: Address;
  /** Millionths of the amount in. */
  fee: bigint;
};

/** Resolves to null if the launchpad has no router that works like Uniswap V2's. */
export type ReadDexTerms = (chain: ChainSettings) => Promise<DexTerms | null>;

/**
 * Asks the launchpad for its router, and the router for its terms. They are fixed at deployment, so each chain is asked
 * once. Throws a 503 problem if its endpoints don't answer.
 */
export function createDexTermsReader(getClient: ChainClients): ReadDexTerms {
  return cachePerChain(
    (chain) => readDexTerms(getClient(chain), chain),
    (terms) => terms !== null,
  );
}

async function readDexTerms(client: PublicClient, chain: ChainSettings): Promise<DexTerms | null> {
  try {
    const router = await client.readContract({
      address: chain.launchpad,
      abi: launchpadAbi,
      functionName: "router",
    });
    const [wbnb, ...answers] = await Promise.all([
      client.readContract({ address: router, abi: dexRouterAbi, functionName: "WETH" }),
      ...probes.map((args) =>
        client.readContract({ address: router, abi: dexRouterAbi, functionName: "getAmountOut", args }),
      ),
    ]);
    const fee = inferFee(answers);
    return fee === null ? null : { router: toLowerHex(router), wbnb: toLowerHex(wbnb), fee };
  } catch (error) {
    if (isRevert(error) || isMissing(error)) return null;
    throw chainUnavailable(chain.id, error);
  }
}

type Probe = readonly [amountIn: bigint, reserveIn: bigint, reserveOut: bigint];

/** The first determines the fee with more precision than needed; together they verify that the router uses the formula we know. */
export const probes: [Probe, Probe, Probe] = [
  [10n ** 15n, 10n ** 15n, 10n ** 33n],
  [1n, 3n, 10n ** 9n + 7n],
  [123_456_789_012_345_678n, 50_000_000_000_000_001n, 280_000_000n * 10n ** 18n + 1n],
];

/**
 * Infers the fee in millionths from a router's `getAmountOut` for the {@link probes}; null if no fee explains the answers. If the
 * amount in equals the reserve and a share s of it counts after the fee, the amount out is `reserveOut` times s / (1 + s).
 */
export function inferFee(answers: readonly bigint[]): bigint | null {
  const [, , reserveOut] = probes[0];
  const out = answers[0] ?? 0n;
  if (out <= 0n || out >= reserveOut) return null;
  const left = reserveOut - out;
  const fee = wholeFee - (out * wholeFee + left / 2n) / left;
  if (fee < 0n || fee >= wholeFee) return null;
  return probes.every((probe, index) => getAmountOut(...probe, fee) === answers[index]) ? fee : null;
}

/** Whether there is no contract, or none with that function: either returns no data. */
const isMissing = (error: unknown) =>
  hasCause(error, (cause) => cause instanceof ContractFunctionZeroDataError);

/** The DEX's fee in millionths of the amount in; null if graduated tokens can't be quoted, undefined if no endpoint answers. */
export type ReadDexFee = (chain: ChainSettings) => Promise<bigint | null | undefined>;

/** Asks each chain once for the terms of its DEX. Never rejects. */
export function createDexFeeReader(): ReadDexFee {
  const readTerms = createDexTermsReader(createChainClients(bestEffortLimits));
  const askOptionally = createOptionalAsk();
  return (chain) => askOptionally(chain.id, async () => (await readTerms(chain))?.fee ?? null);
}
