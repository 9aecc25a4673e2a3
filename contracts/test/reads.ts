import type { Address, Hex, PublicClient } from "viem";
import { dexFactoryAbi } from "../../abis/DexFactory.ts";
import { dexPairAbi } from "../../abis/DexPair.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import type { LaunchpadDeployment } from "../deploy.ts";

/** The reads that contract tests need. */
export function createReads(
  publicClient: PublicClient,
  { tokenFactory, launchpad, dexFactory, wbnb }: LaunchpadDeployment,
) {
  const predictTokenAddress = (salt: Hex, { name = "Token", symbol = "TKN" } = {}) =>
    publicClient.readContract({
      address: tokenFactory,
      abi: tokenFactoryAbi,
      functionName: "predictTokenAddress",
      args: [name, symbol, salt],
    });

  /** The address of the next token that `creator` creates without a salt. */
  const predictNextTokenAddress = (creator: Address, { name = "Token", symbol = "TKN" } = {}) =>
    publicClient.readContract({
      address: tokenFactory,
      abi: tokenFactoryAbi,
      functionName: "predictNextTokenAddress",
      args: [creator, name, symbol],
    });

  const creatorOf = async (token: Address) => {
    const read = { address: tokenFactory, abi: tokenFactoryAbi, functionName: "tokens" } as const;
    return (await publicClient.readContract({ ...read, args: [token] }))[0];
  };

  const balanceOf = (token: Address, account: Address) =>
    publicClient.readContract({
      address: token,
      abi: launchTokenAbi,
      functionName: "balanceOf",
      args: [account],
    });

  async function curve(token: Address) {
    const [
      virtualBnbReserves,
      virtualTokenReserves,
      realTokenReserves,
      tokensSold,
      totalToSell,
      burnPercent,
      graduated,
    ] = await publicClient.readContract({
      address: launchpad,
      abi: launchpadAbi,
      functionName: "curves",
      args: [token],
    });
    return {
      virtualBnbReserves,
      virtualTokenReserves,
      realTokenReserves,
      tokensSold,
      totalToSell,
      burnPercent,
      graduated,
    };
  }

  const pairOf = (token: Address) =>
    publicClient.readContract({
      address: dexFactory,
      abi: dexFactoryAbi,
      functionName: "getPair",
      args: [token, wbnb],
    });

  const pairTokens = (pair: Address) =>
    Promise.all([
      publicClient.readContract({ address: pair, abi: dexPairAbi, functionName: "token0" }),
      publicClient.readContract({ address: pair, abi: dexPairAbi, functionName: "token1" }),
    ]);

  return { predictTokenAddress, predictNextTokenAddress, creatorOf, balanceOf, curve, pairOf, pairTokens };
}
