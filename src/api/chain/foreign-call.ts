import { type Address, BaseError, type Hex, type PublicClient, ResponseBodyTooLargeError } from "viem";
import { createRpcClient } from "../../../chain-access/rpc-client.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { chainUnavailable, isRevert } from "./chain-client.ts";

/**
 * Enough gas for a wallet of many signers or one that checks a passkey. It also bounds how much memory a contract can fill,
 * and so what an endpoint sends. The answer that is waited for has 32 bytes.
 */
const gas = 3_000_000n;
const limits = { endpointMs: 2_500, totalMs: 5_000, maxBytes: 16 * 1_024 };

/**
 * Calls a contract that anyone may have written. Resolves to what it answers, and to undefined where it fails, runs out of
 * gas or answers with more than anyone needs. Throws a problem (503) when the endpoints don't answer.
 */
export type CallForeign = (
  chain: ChainSettings,
  call: { to: Address; data: Hex },
) => Promise<Hex | undefined>;

export function createForeignCalls(): CallForeign {
  const clients = new Map<number, PublicClient>();

  return async (chain, call) => {
    const client = clients.get(chain.id) ?? createRpcClient({ urls: chain.rpcUrls, ...limits });
    clients.set(chain.id, client);
    try {
      return (await client.call({ ...call, gas })).data;
    } catch (error) {
      if (isRevert(error) || isTooLarge(error)) return undefined;
      throw chainUnavailable(chain.id, error);
    }
  };
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof BaseError && error.walk((cause) => cause instanceof ResponseBodyTooLargeError) !== null
  );
}
