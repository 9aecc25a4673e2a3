import { type Address, type Hex, ResponseBodyTooLargeError } from "viem";
import { hasCause, isRevert } from "../../../chain-access/failures.ts";
import type { ChainSettings } from "../../../config/env.ts";
import { chainUnavailable, createChainClients } from "./chain-client.ts";

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
