import { ponder } from "ponder:registry";
import { clamp } from "../curve/amounts.ts";
import { recordAnswer } from "../entities/bnb-usd-answer.ts";
import { setBnbUsd } from "../entities/launchpad-totals.ts";

ponder.on("PriceFeed:AnswerUpdated", async ({ event, context }) => {
  const { current, roundId } = event.args;
  // Such an answer means that the feed has failed: keep the last good one.
  if (current <= 0n) return;
  const answerX8 = clamp(current);
  await recordAnswer(context, { feed: event.log.address, roundId, answerX8 }, event);
  await setBnbUsd(context, answerX8, event.block.timestamp);
});
