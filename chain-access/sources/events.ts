import { dexPairAbi } from "../../abis/DexPair.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { priceFeedAbi } from "../../abis/PriceFeed.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { hashOfText } from "../hex.ts";

/** The first topics of the events that are indexed. */
export const eventTopics = {
  tokenCreated: selectorOf(tokenFactoryAbi, "TokenCreated"),
  curveOpened: selectorOf(launchpadAbi, "CurveOpened"),
  trade: selectorOf(launchpadAbi, "Trade"),
  graduated: selectorOf(launchpadAbi, "Graduated"),
  answerUpdated: selectorOf(priceFeedAbi, "AnswerUpdated"),
  transfer: selectorOf(launchTokenAbi, "Transfer"),
  sync: selectorOf(dexPairAbi, "Sync"),
  swap: selectorOf(dexPairAbi, "Swap"),
  mint: selectorOf(dexPairAbi, "Mint"),
  burn: selectorOf(dexPairAbi, "Burn"),
};

type AbiItem = { type: string; name?: string; inputs?: readonly { type: string }[] };

/** None of these events has a tuple, so that the types alone are its signature. */
function selectorOf(abi: readonly AbiItem[], name: string) {
  const event = abi.find((item) => item.type === "event" && item.name === name);
  if (event?.inputs === undefined) throw new Error(`the ABI lacks the event ${name}`);
  return hashOfText(`${name}(${event.inputs.map(({ type }) => type)})`);
}
