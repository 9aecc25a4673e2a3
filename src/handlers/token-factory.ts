import { ponder } from "ponder:registry";
import { addToRecord } from "../entities/account.ts";
import { isGraduated } from "../entities/curve.ts";
import { hasSoldOut } from "../entities/holder.ts";
import { countToken } from "../entities/launchpad-totals.ts";
import { createToken } from "../entities/token.ts";

ponder.on("TokenFactory:TokenCreated", async ({ event, context }) => {
  const { token, creator, name, symbol, burnPercent, salt } = event.args;
  const created = { address: token, creator, name, symbol, burnPercent, salt };
  const isNew = await createToken(context, created, event);
  if (!isNew) return;
  await countToken(context);
  // Transfers before TokenCreated count too.
  const record = {
    tokensCreated: 1,
    tokensGraduated: Number(await isGraduated(context, token)),
    tokensSoldOut: Number(await hasSoldOut(context, token, creator)),
  };
  await addToRecord(context, creator, record, event);
});
