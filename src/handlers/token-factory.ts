import { ponder } from "ponder:registry";
import { ensureAccount } from "../entities/account.ts";
import { createToken } from "../entities/token.ts";

ponder.on("TokenFactory:TokenCreated", async ({ event, context }) => {
  const { token, creator, name, symbol, burnPercent, salt } = event.args;
  await createToken(context, { address: token, creator, name, symbol, burnPercent, salt }, event);
  await ensureAccount(context, creator, event);
});
