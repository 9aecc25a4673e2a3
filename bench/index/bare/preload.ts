import { leaveCheckoutAlone } from "../../../runtime/ponder/patch-pg.ts";

leaveCheckoutAlone();
