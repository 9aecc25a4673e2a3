import { leaveCheckoutAlone } from "../../../runtime/ponder/checkout.ts";

leaveCheckoutAlone();
