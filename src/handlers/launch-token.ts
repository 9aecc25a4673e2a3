import { type Event, ponder } from "ponder:registry";
import * as tables from "ponder:schema";
import { launchpadAddress, type Peek, type RowKey, type RowsRead, reads } from "../entities/context.ts";
import { touchCurve } from "../entities/curve.ts";
import { findPair } from "../entities/dex-pair.ts";
import { isEarly, moveBalance } from "../entities/holder.ts";
import { hasPosition, moveCost } from "../entities/position.ts";
import { recordTransfer } from "../entities/trade.ts";
import { movementParts } from "./traders.ts";

/** The rows that a transfer reads. */
const transferRows: RowsRead<Event<"LaunchToken:Transfer">> = (event, chainId, peek) => [
  { table: tables.curve, key: { chainId, token: event.log.address } },
  ...rowsOfCurve(event, peek(tables.curve, { chainId, token: event.log.address })),
  { table: tables.token, key: { chainId, address: event.log.address } },
  ...[event.args.from, event.args.to].flatMap((address): RowKey[] => [
    { table: tables.holder, key: { chainId, token: event.log.address, account: address } },
    { table: tables.account, key: { chainId, address } },
  ]),
  ...positionsMoved(event, chainId, peek),
];

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

/** The positions of accounts between which a transfer moves tokens: not of those that only carry what others trade. */
function positionsMoved(event: Event<"LaunchToken:Transfer">, chainId: number, peek: Peek): RowKey[] {
  const { from, to, value } = event.args;
  const traded = event.log.address;
  const launchpad = peek(tables.token, { chainId, address: traded })?.launchpad;
  const pair = peek(tables.curve, { chainId, token: traded })?.pair;
  const pairRow = pair ? (peek(tables.dexPair, { chainId, address: pair }) ?? null) : null;
  if (launchpad !== undefined && (!pair || pairRow !== null)) {
    if (value === 0n || movementParts(event, launchpad, pairRow).transferredRaw === 0n) return [];
  }
  return [from, to]
    .filter((address) => hasPosition(address, { launchpad, pair }))
    .map((account) => ({ table: tables.position, key: { chainId, token: traded, account } }));
}

/** What a transfer reads once its token's curve is known. */
function rowsOfCurve(
  { args, block }: Event<"LaunchToken:Transfer">,
  row: typeof tables.curve.$inferSelect | null | undefined,
): RowKey[] {
  if (!row) return [];
  const { chainId, token, pair } = row;
  return [
    ...(pair ? [{ table: tables.dexPair, key: { chainId, address: pair } }] : []),
    ...(isEarly(row.openedBlock, block.number)
      ? [{ table: tables.earlyBuyer, key: { chainId, token, account: args.to } }]
      : []),
  ];
}
