import type { Address } from "viem";
import type { ChainEvent } from "./chain-events.ts";
import type { Holdings } from "./expected-holders.ts";
import type { ObservedTransfer } from "./expected-transfers.ts";

/** A token's insiders, with the fewest transfers by which tokens of the creator reached them, and what the creator gave away. */
export type Insiders = { hops: Map<Address, number>; given: bigint };

/** Follows each token's transfers from its creator. */
export function observeInsiders(
  transfers: ObservedTransfer[],
  created: ChainEvent<"TokenCreated">[],
  holdings: Holdings,
): Map<Address, Insiders> {
  const insiders = new Map<Address, Insiders>();
  for (const { args } of created) {
    const { token, creator } = args;
    const hops = new Map<Address, number>();
    let given = 0n;
    for (const { event, amount } of transfers) {
      const { from, to } = event.args;
      if (event.emitter !== token || to === creator || holdings.of(token, to)?.kind !== "account") continue;
      if (from === creator) given += amount;
      const distance = from === creator ? 1 : (hops.get(from) ?? 3) + 1;
      if (distance <= 3) hops.set(to, Math.min(distance, hops.get(to) ?? distance));
    }
    insiders.set(token, { hops, given });
  }
  return insiders;
}
