import { ponder } from "ponder:registry";
import { launchpadAddress } from "../entities/context.ts";
import { touchCurve } from "../entities/curve.ts";
import { findPair } from "../entities/dex-pair.ts";
import { moveBalance } from "../entities/holder.ts";
import { moveCost } from "../entities/position.ts";
import { recordTransfer } from "../entities/trade.ts";
import { reads, transferRows } from "./prefetch.ts";
import { movementParts } from "./traders.ts";

ponder.on(
  "LaunchToken:Transfer",
  reads(transferRows, async ({ event, context }) => {
    const { from, to, value } = event.args;
    // Anyone can emit a transfer of 0 between any addresses. It makes nobody a holder.
    if (value === 0n) return;

    const token = event.log.address;
    const curve = await touchCurve(context, token, event.block.timestamp);
    const pair = curve?.pair ? await findPair(context, curve.pair) : null;
    const launchpad = launchpadAddress(context);
    const { transferredRaw, launchedRaw, isDelayed } = movementParts(event, launchpad, pair);
    await moveBalance(context, { token, from, to, value, launchedRaw, transferredRaw, curve }, event);
    if (transferredRaw > 0n) {
      await recordTransfer(context, { token, from, to, amountRaw: transferredRaw }, event);
      const moved = { token, from, to, amountRaw: transferredRaw, pair: curve?.pair };
      if (!isDelayed) await moveCost(context, moved, event);
    }
  }),
);
