import type { Board } from "./boards.ts";
import type { Conditions } from "./conditions.ts";
import type { Order, StandingOrder } from "./sorts.ts";

/** Which part of the list, and in what order. Of movers, only tokens that were traded in their window are in it. */
export type ListView = { chainId: number; board: Board; order: Order; conditions?: Conditions };

/** A view that is always there. */
export type StandingView = { chainId: number; board: Board; order: StandingOrder };
