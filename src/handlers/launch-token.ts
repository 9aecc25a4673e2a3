import { ponder } from "ponder:registry";
import { moveBalance } from "../entities/holder.ts";

ponder.on("LaunchToken:Transfer", async ({ event, context }) => {
  const { from, to, value } = event.args;
  await moveBalance(context, { token: event.log.address, from, to, value }, event);
});
