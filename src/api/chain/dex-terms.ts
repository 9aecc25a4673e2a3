import { type Address, ContractFunctionZeroDataError, type PublicClient } from "viem";
import { dexRouterAbi } from "../../../abis/DexRouter.ts";
import { launchpadAbi } from "../../../abis/Launchpad.ts";
import { hasCause, isRevert } from "../../../chain-access/failures.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { amountOutOf, wholeFee } from "../../curve/quote.ts";
import { type ChainClients, chainUnavailable } from "./chain-client.ts";
import { oncePerChain } from "./once-per-chain.ts";

/** How graduated tokens trade on a chain. */
type DexTerms = {
  router: Address;
  /** What the router wraps BNB with. */
  wbnb: Address;
  /** Millionths of what is paid in. */
  fee: bigint;
};

/** The terms, or null where the launchpad names no router that works as Uniswap V2's. */
export type ReadDexTerms = (chain: ChainSettings) => Promise<DexTerms | null>;

/**
 * Asks the launchpad for its router, and the router for its terms. They are fixed at deployment, so that each chain is
 * asked once. Throws a problem (503) when its endpoints don't answer.
 */
export function createDexTerms(getClient: ChainClients): ReadDexTerms {
  return oncePerChain(
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
    const fee = feeOf(answers);
    return fee === null ? null : { router: lowerCase(router), wbnb: lowerCase(wbnb), fee };
  } catch (error) {
    if (isRevert(error) || isNotThere(error)) return null;
    throw chainUnavailable(chain.id, error);
  }
}

type Probe = readonly [amountIn: bigint, reserveIn: bigint, reserveOut: bigint];

/** The first tells the fee with more digits than it has; all of them tell whether the formula is the one we know. */
export const probes: [Probe, Probe, Probe] = [
  [10n ** 15n, 10n ** 15n, 10n ** 33n],
  [1n, 3n, 10n ** 9n + 7n],
  [123_456_789_012_345_678n, 50_000_000_000_000_001n, 280_000_000n * 10n ** 18n + 1n],
];

/**
 * The fee in millionths, from what a router's getAmountOut says to the probes; null where no fee explains it. With
 * equal amount and reserve in, a share s of the amount being paid, out of `reserveOut` comes the part s / (1 + s).
 */
export function feeOf(answers: readonly bigint[]): bigint | null {
  const [, , reserveOut] = probes[0];
  const out = answers[0] ?? 0n;
  if (out <= 0n || out >= reserveOut) return null;
  const left = reserveOut - out;
  const fee = wholeFee - (out * wholeFee + left / 2n) / left;
  if (fee < 0n || fee >= wholeFee) return null;
  return probes.every((probe, index) => amountOutOf(...probe, fee) === answers[index]) ? fee : null;
}

/** Whether there is no contract, or none that knows the function: both answer nothing. */
const isNotThere = (error: unknown) =>
  hasCause(error, (cause) => cause instanceof ContractFunctionZeroDataError);

const lowerCase = (address: Address) => address.toLowerCase() as Address;
