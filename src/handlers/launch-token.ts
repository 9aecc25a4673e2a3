import { ponder } from "ponder:registry";
import { moveBalance } from "../entities/holder.ts";
import { reads, transferRows } from "./rows-read.ts";

ponder.on(
  "LaunchToken:Transfer",
  reads(transferRows, async ({ event, context }) => {
    const { from, to, value } = event.args;
    await moveBalance(context, { token: event.log.address, from, to, value }, event);
  }),
);
