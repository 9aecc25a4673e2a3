import type { Children } from "./children.ts";
import { eventTopics } from "./events.ts";
import type { Hex, Log } from "./log.ts";

/**
 * Returns the swaps for which a token should have been transferred in the same transaction, and was not, each with its token. A
 * swap that moved only one side of a pair, such as a flash loan of BNB, is not among them. Others may still be in order: a pair
 * also trades what somebody has sent it in an earlier transaction. So this is a reason to look at all logs of the block, and no proof.
 */
export function swapsWithoutTransfer(
  logs: readonly Log[],
  { tokenOf }: Pick<Children, "tokenOf">,
): { swap: Log; token: Hex }[] {
  const transfers = new Set(
    logs.filter(({ topics }) => topics[0] === eventTopics.transfer).map((log) => keyOf(log, log.address)),
  );
  return logs.flatMap((swap) => {
    if (swap.topics[0] !== eventTopics.swap || !hasMovedBothSides(swap)) return [];
    const token = tokenOf(swap.address.toLowerCase() as Hex);
    return token === undefined || transfers.has(keyOf(swap, token)) ? [] : [{ swap, token }];
  });
}

/** The data is amount0In, amount1In, amount0Out and amount1Out. */
function hasMovedBothSides({ data }: Log): boolean {
  const [in0, in1, out0, out1] = [0, 1, 2, 3].map((word) =>
    /[^0]/.test(data.slice(2 + 64 * word, 2 + 64 * (word + 1))),
  );
  return (in0 || out0) === true && (in1 || out1) === true;
}

const keyOf = ({ transactionHash }: Log, token: Hex) => `${transactionHash} ${token.toLowerCase()}`;
