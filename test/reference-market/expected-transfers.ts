import type { Address } from "viem";
import type { ChainEvent } from "./chain-events.ts";
import type { FollowedTokens } from "./followed-tokens.ts";
import { positionOf } from "./observed-trades.ts";
import type { ExpectedRow } from "./row-differences.ts";

const zero = `0x${"0".repeat(40)}`;

type TransfersSource = {
  events: ChainEvent[];
  created: ChainEvent<"TokenCreated">[];
  launchpad: Address;
  followed: FollowedTokens;
};

export type ObservedTransfer = { event: ChainEvent<"Transfer">; amount: bigint };

/** Returns what deals, creations and graduations leave of the tokens' movements, what each creation left with the launchpad, and what graduations moved. */
export function observeTransfers({ events, created, launchpad, followed }: TransfersSource) {
  const creations = new Map(created.map((event) => [event.args.token, event]));
  const launched = new Map<Address, bigint>();
  const seeded = new Map<ChainEvent, bigint>();
  const seedings = new Set<ChainEvent>();
  const inTransaction = Map.groupBy(events, ({ tx }) => tx);
  for (const event of events) {
    if (event.name !== "Graduated" || event.emitter !== launchpad) continue;
    const { token, pair, tokenLiquidity } = event.args;
    const seeding = inTransaction
      .get(event.tx)
      ?.filter(({ emitter, logIndex }) => emitter === token && logIndex < event.logIndex)
      .findLast(
        ({ name, args }) =>
          name === "Transfer" && args.from === launchpad && args.to === pair && args.value === tokenLiquidity,
      );
    if (seeding === undefined) continue;
    seedings.add(seeding);
    seeded.set(event, tokenLiquidity);
  }

  const transfers = events.flatMap((event): ObservedTransfer[] => {
    if (event.name !== "Transfer" || !creations.has(event.emitter) || seedings.has(event)) return [];
    const { emitter: token, args, tx, logIndex } = event;
    const { from, to, value } = args;
    if (from === to) return [];
    const isOfLaunch = [from, to].includes(launchpad) && [from, to].includes(zero as Address);
    if (isOfLaunch && creations.get(token)?.tx === tx) {
      const opening = inTransaction
        .get(tx)
        ?.filter(
          ({ name, args: of }) => (name === "CurveOpened" || name === "TokenCreated") && of.token === token,
        )
        .at(-1);
      if (opening !== undefined && logIndex < opening.logIndex) {
        launched.set(token, (launched.get(token) ?? 0n) + (to === launchpad ? value : -value));
        return [];
      }
    }
    const amount = value - (followed.used.get(event) ?? 0n);
    return amount === 0n ? [] : [{ event, amount }];
  });
  return { transfers, launched, seeded };
}

/** Returns the row of `transfer`. */
export function transferRow({ event, amount }: ObservedTransfer): ExpectedRow {
  const { emitter, args, block, timestamp, tx, txIndex, logIndex } = event;
  return {
    id: positionOf(event),
    token: emitter,
    from: args.from,
    to: args.to,
    amount_raw: amount,
    block,
    timestamp,
    tx,
    tx_index: txIndex,
    log_index: logIndex,
  };
}
