import { type Event, ponder } from "ponder:registry";
import * as tables from "ponder:schema";
import { symbolHash } from "../domain/ids.ts";
import { updateCreatorRecord } from "../entities/account.ts";
import { type RowsRead, reads } from "../entities/context.ts";
import { isGraduated, setCreatorBought } from "../entities/curve.ts";
import { findAccountHolder } from "../entities/holder.ts";
import { countToken } from "../entities/launchpad.ts";
import { findBnbSpent } from "../entities/position.ts";
import { countSymbol, createToken, stripNul } from "../entities/token.ts";

/** The rows that a token's creation reads. */
const creationRows: RowsRead<Event<"TokenFactory:TokenCreated">> = ({ args }, chainId) => [
  { table: tables.launchpad, key: { chainId } },
  { table: tables.curve, key: { chainId, token: args.token } },
  { table: tables.token, key: { chainId, address: args.token } },
  { table: tables.holder, key: { chainId, token: args.token, account: args.creator } },
  { table: tables.position, key: { chainId, token: args.token, account: args.creator } },
  { table: tables.tokenSymbol, key: { chainId, symbolHash: symbolHash(stripNul(args.symbol)) } },
  { table: tables.account, key: { chainId, address: args.creator } },
];

ponder.on(
  "TokenFactory:TokenCreated",
  reads(creationRows, async ({ event, context }) => {
    const { token, creator, name, symbol, burnPercent, salt } = event.args;
    // Transfers and buys before TokenCreated count too.
    const held = await findAccountHolder(context, token, creator);
    const creatorBalanceRaw = held?.balanceRaw ?? null;
    const isNew = await createToken(
      context,
      {
        address: token,
        creator,
        name,
        symbol,
        burnPercent,
        salt,
        creatorBalanceRaw,
        creatorEarlyBlock: held?.earlyBlock ?? null,
      },
      event,
    );
    if (!isNew) return;
    const bnbSpentWei = await findBnbSpent(context, token, creator);
    if (bnbSpentWei > 0n) await setCreatorBought(context, token, bnbSpentWei, event);
    await countToken(context);
    await countSymbol(context, symbol);
    const record = {
      tokensCreated: 1,
      tokensGraduated: Number(await isGraduated(context, token)),
      tokensSoldOut: Number(creatorBalanceRaw === 0n),
    };
    await updateCreatorRecord(context, creator, record, event);
  }),
);
