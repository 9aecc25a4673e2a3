import { ponder } from "ponder:registry";
import { clamp } from "../curve/amounts.ts";
import { recordAnswer } from "../entities/bnb-usd-answer.ts";
import { setBnbUsd } from "../entities/launchpad.ts";

ponder.on("PriceFeed:AnswerUpdated", async ({ event, context }) => {
  const { current, roundId } = event.args;
  // Such an answer means that the feed has failed: keep the last good one.
  if (current <= 0n) return;
  const answerUsdX8 = clamp(current);
  await recordAnswer(context, { feed: event.log.address, roundId, answerUsdX8 }, event);
  await setBnbUsd(context, answerUsdX8, event.block.timestamp);
});
