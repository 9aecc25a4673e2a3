import type { Board } from "./boards.ts";
import type { Conditions } from "./conditions.ts";
import type { Order, StandingOrder } from "./sorts.ts";

/** A part of the list in an order. Orders of gainers and losers include only tokens that were traded in their window. */
export type ListView = { chainId: number; board: Board; order: Order; conditions?: Conditions };

/**
 * A position in an order: up to two sort keys (0 if the order has fewer), then creation and registration id. It stays where it is
 * when the token from which it was taken moves.
 */
export type ListPosition = readonly [number, number, number, number];

/** A view that is always maintained. */
export type StandingView = { chainId: number; board: Board; order: StandingOrder };
