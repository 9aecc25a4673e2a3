import { dexPairAbi } from "../../abis/DexPair.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { priceFeedAbi } from "../../abis/PriceFeed.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { hashOfText } from "../hex.ts";
import type { Children } from "./children.ts";
import type { Hex, Log } from "./log.ts";

/** The first topics of the indexed events. */
export const eventTopics = {
  tokenCreated: topicOfEvent(tokenFactoryAbi, "TokenCreated"),
  curveOpened: topicOfEvent(launchpadAbi, "CurveOpened"),
  trade: topicOfEvent(launchpadAbi, "Trade"),
  graduated: topicOfEvent(launchpadAbi, "Graduated"),
  answerUpdated: topicOfEvent(priceFeedAbi, "AnswerUpdated"),
  transfer: topicOfEvent(launchTokenAbi, "Transfer"),
  sync: topicOfEvent(dexPairAbi, "Sync"),
  swap: topicOfEvent(dexPairAbi, "Swap"),
  mint: topicOfEvent(dexPairAbi, "Mint"),
  burn: topicOfEvent(dexPairAbi, "Burn"),
};

type AbiItem = { type: string; name?: string; inputs?: readonly { type: string }[] };

/** None of these events has a tuple parameter, so the names of its types form its signature. */
function topicOfEvent(abi: readonly AbiItem[], name: string) {
  const event = abi.find((item) => item.type === "event" && item.name === name);
  if (event?.inputs === undefined) throw new Error(`the ABI lacks the event ${name}`);
  return hashOfText(`${name}(${event.inputs.map(({ type }) => type)})`);
}

/** Creates a function that returns whether a token was transferred in a log's transaction, according to these logs. */
export function transfersIn(logs: readonly Log[]): (log: Log, token: Hex) => boolean {
  const keyOf = ({ transactionHash }: Log, token: Hex) => `${transactionHash} ${token.toLowerCase()}`;
  const transfers = logs.filter(({ topics }) => topics[0] === eventTopics.transfer);
  const keys = new Set(transfers.map((log) => keyOf(log, log.address)));
  return (log, token) => keys.has(keyOf(log, token));
}

/**
 * Returns the swaps for which a token should have been transferred in the same transaction, and was not, each with its token. A
 * swap that moved only one side of a pair, such as a flash loan of BNB, is not among them. Others may still be in order: a pair
 * also trades what somebody has sent it in an earlier transaction. So this is a reason to look at all logs of the block, and no proof.
 */
export function swapsWithoutTransfer(
  logs: readonly Log[],
  { tokenOf }: Pick<Children, "tokenOf">,
): { swap: Log; token: Hex }[] {
  const isTransferred = transfersIn(logs);
  return logs.flatMap((swap) => {
    if (swap.topics[0] !== eventTopics.swap || !hasMovedBothSides(swap)) return [];
    const token = tokenOf(swap.address.toLowerCase() as Hex);
    return token === undefined || isTransferred(swap, token) ? [] : [{ swap, token }];
  });
}

/** The data is amount0In, amount1In, amount0Out and amount1Out. */
function hasMovedBothSides({ data }: Log): boolean {
  const [in0, in1, out0, out1] = [0, 1, 2, 3].map((word) =>
    /[^0]/.test(data.slice(2 + 64 * word, 2 + 64 * (word + 1))),
  );
  return (in0 || out0) === true && (in1 || out1) === true;
}
