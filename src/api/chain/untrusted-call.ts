import { type Address, type Hex, ResponseBodyTooLargeError } from "viem";
import { hasCause, isRevert } from "../../../chain-access/failures.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { chainUnavailable, createChainClients } from "./chain-client.ts";

/**
 * Enough for a wallet with many signers or one that checks a passkey. It also limits how much memory a contract can fill, and
 * thus how much an endpoint sends. The expected answer has 32 bytes.
 */
const gas = 3_000_000n;
const limits = { endpointMs: 2_500, totalMs: 5_000, maxBytes: 16 * 1_024 };

/**
 * Calls a contract that anyone may have written. Resolves to its answer, or to undefined if it fails, runs out of gas or answers
 * with too much. Throws a 503 problem if the endpoints don't answer.
 */
export type CallUntrusted = (
  chain: ChainSettings,
  call: { to: Address; data: Hex },
) => Promise<Hex | undefined>;

export function createUntrustedCalls(): CallUntrusted {
  const getClient = createChainClients(limits);

  return async (chain, call) => {
    try {
      return (await getClient(chain).call({ ...call, gas })).data;
    } catch (error) {
      if (isRevert(error) || isTooLarge(error)) return undefined;
      throw chainUnavailable(chain.id, error);
    }
  };
}

const isTooLarge = (error: unknown) => hasCause(error, (cause) => cause instanceof ResponseBodyTooLargeError);
