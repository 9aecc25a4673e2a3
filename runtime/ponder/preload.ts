/*
 * Loaded by Node before Ponder (`--import`), for what Ponder does otherwise before any file of ours is loaded.
 */
import { leaveCheckoutAlone } from "./checkout.ts";
import { silenceEndedPools } from "./ended-pools.ts";
import { setStatementTimeoutsByQuery } from "./statement-timeouts.ts";

setStatementTimeoutsByQuery();
if (process.argv.includes("dev")) silenceEndedPools();
// In development the file is for editors, and whoever develops may write it.
else leaveCheckoutAlone();
