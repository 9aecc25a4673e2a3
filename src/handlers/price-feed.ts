import { ponder } from "ponder:registry";
import { clamp } from "../curve/amounts.ts";
import { recordAnswer } from "../entities/bnb-usd-answer.ts";
import { setBnbUsd } from "../entities/launchpad-totals.ts";

ponder.on("PriceFeed:AnswerUpdated", async ({ event, context }) => {
  const { current, roundId } = event.args;
  // A feed that answers so has failed: the last good answer stands.
  if (current <= 0n) return;
  const answerX8 = clamp(current);
  await recordAnswer(context, { feed: event.log.address, roundId, answerX8 }, event);
  await setBnbUsd(context, answerX8, event.block.timestamp);
});
