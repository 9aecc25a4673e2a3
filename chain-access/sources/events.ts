import { dexPairAbi } from "../../abis/DexPair.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { priceFeedAbi } from "../../abis/PriceFeed.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { hashOfText } from "../hex.ts";

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
