import { type Address, BaseError, type Hex, InsufficientFundsError, isHex, type PublicClient } from "viem";
import { isRevert } from "../../../chain-access/rpc-client.ts";
import { revertReason } from "./decode-call.ts";

export type Simulation = { outcome: "succeeds" | "reverts" | "not_simulated"; reason?: string };

type CallRequest = { to: Address; data: Hex; value: bigint };
type SimulatedCall = CallRequest & { from: Address };

const unknownReason = "unknown reason";
const tooLittleBnb = "the account has too little BNB";

/** Reasons in our own words. */
export const ownReasons = [unknownReason, tooLittleBnb];

/** Simulates a transaction at the latest state, or at the state after `blockNumber`. */
export async function simulate(
  client: PublicClient,
  { from, ...call }: SimulatedCall,
  blockNumber?: bigint,
): Promise<Simulation> {
  try {
    await client.call({ account: from, ...call, blockNumber });
    return { outcome: "succeeds" };
  } catch (error) {
    if (error instanceof BaseError && error.walk(isAboutFunds) !== null) {
      return { outcome: "reverts", reason: tooLittleBnb };
    }
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
}

/** Simulates an account's transactions in sequence, which not every endpoint supports. */
export async function simulateInOrder(
  client: PublicClient,
  account: Address,
  sent: CallRequest[],
): Promise<Simulation> {
  const calls = sent.map((call) => ({ account, ...call }));
  // Endpoints without eth_simulateV1 refuse it, and some return malformed answers.
  const [block] = await client.simulateBlocks({ blocks: [{ calls }] }).catch(() => []);
  if (block?.calls.length !== calls.length) {
    return {
      outcome: "not_simulated",
      reason:
        "the chain's RPC endpoint can't simulate the trade together with its approval: once the approval is mined, prepare the trade again",
    };
  }
  const failed = block.calls.find(({ status }) => status !== "success");
  if (failed === undefined) return { outcome: "succeeds" };
  return { outcome: "reverts", reason: revertReason(failed.data) ?? unknownReason };
}

const isAboutFunds = (error: unknown) => error instanceof InsufficientFundsError;

function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const cause = error.walk(hasData);
  const data = hasData(cause) ? cause.data : undefined;
  const inner = hasData(data) ? data.data : data;
  return isHex(inner) ? inner : undefined;
}

const hasData = (value: unknown): value is { data: unknown } =>
  typeof value === "object" && value !== null && "data" in value && value.data !== undefined;
