import { type Address, BaseError, type Hex } from "viem";
import { isRevert } from "../../../chain-access/failures.ts";
import type { ChainAccess } from "./chain-access.ts";
import { revertReason } from "./decode.ts";

export type Simulation = { outcome: "succeeds" | "reverts" | "not_simulated"; reason?: string };

type Sent = { to: Address; data: Hex; value: bigint };
type SimulatedCall = Sent & { from: Address };

const unknownReason = "no reason that we know";

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
      return { outcome: "reverts", reason: reason ?? unknownReason };
    }
  });
}

/** What would become of an account's transactions, each after the one before. Not every endpoint can say. */
export async function simulateInOrder(
  chain: ChainAccess,
  chainId: number | undefined,
  account: Address,
  sent: Sent[],
): Promise<Simulation> {
  return await chain.read(chainId, async (client) => {
    const calls = sent.map((call) => ({ account, ...call }));
    // Endpoints without eth_simulateV1 refuse it, and others may answer anything.
    const [block] = await client.simulateBlocks({ blocks: [{ calls }] }).catch(() => []);
    if (block?.calls.length !== calls.length) {
      return {
        outcome: "not_simulated",
        reason:
          "the chain's RPC endpoint can't simulate it with its approval: once that is mined, prepare it again",
      };
    }
    const failed = block.calls.find(({ status }) => status !== "success");
    if (failed === undefined) return { outcome: "succeeds" };
    return { outcome: "reverts", reason: revertReason(failed.data) ?? unknownReason };
  });
}

function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const cause = error.walk((inner) => (inner as { data?: unknown }).data !== undefined);
  const { data } = (cause ?? {}) as { data?: Hex | { data?: Hex } };
  return typeof data === "object" ? data.data : data;
}
