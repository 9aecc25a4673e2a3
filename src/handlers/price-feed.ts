import { ponder } from "ponder:registry";
import { clamp } from "../domain/amounts.ts";
import { recordAnswer } from "../entities/bnb-usd-answer.ts";
import { setBnbUsd } from "../entities/launchpad.ts";

ponder.on("PriceFeed:AnswerUpdated", async ({ event, context }) => {
  const { current, roundId } = event.args;
  // An answer of 0 or less means that the feed has failed: keep the last valid one.
  if (current <= 0n) return;
  const answerUsdX8 = clamp(current);
  await recordAnswer(context, { feed: event.log.address, roundId, answerUsdX8 }, event);
  await setBnbUsd(context, answerUsdX8, event.block.timestamp);
});
