import { type Address, BaseError, type Hex } from "viem";
import { isRevert } from "../../../chain-access/failures.ts";
import type { ChainAccess } from "./chain-access.ts";
import { revertReason } from "./decode.ts";

export type Simulation = { outcome: "succeeds" | "reverts" | "not_simulated"; reason?: string };

type SimulatedCall = { from: Address; to: Address; data: Hex; value: bigint };

/** What would become of a transaction that was mined now. `blockNumber`: at the state after that block. */
export async function simulate(
  chain: ChainAccess,
  chainId: number | undefined,
  { from, ...call }: SimulatedCall,
  blockNumber?: bigint,
): Promise<Simulation> {
  return await chain.read(chainId, async (client) => {
    try {
      await client.call({ account: from, ...call, blockNumber });
      return { outcome: "succeeds" };
    } catch (error) {
      if (!isRevert(error)) {
        return {
          outcome: "not_simulated",
          reason: "the chain's RPC endpoint did not answer, or refused the call",
        };
      }
      const data = revertData(error);
      const reason = data === undefined ? undefined : revertReason(data);
      return { outcome: "reverts", reason: reason ?? "no reason that we know" };
    }
  });
}

function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const cause = error.walk((inner) => (inner as { data?: unknown }).data !== undefined);
  const { data } = (cause ?? {}) as { data?: Hex | { data?: Hex } };
  return typeof data === "object" ? data.data : data;
}
