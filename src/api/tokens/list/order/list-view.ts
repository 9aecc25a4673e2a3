import type { Board } from "./boards.ts";
import type { Conditions } from "./conditions.ts";
import type { Order, StandingOrder } from "./sorts.ts";

/** A part of the list in an order. Orders of gainers and losers include only tokens that were traded in their window. */
export type ListView = { chainId: number; board: Board; order: Order; conditions?: Conditions };

/** A view that is always maintained. */
export type StandingView = { chainId: number; board: Board; order: StandingOrder };
