import { leaveCheckoutAlone } from "../../../runtime/ponder/patch-modules.ts";

leaveCheckoutAlone();
