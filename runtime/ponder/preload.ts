/*
 * Loaded by Node before Ponder (`--import`), for what Ponder does otherwise before any file of ours is loaded.
 */
import "../quick-imports.mjs";
import { defaultToProduction } from "../../config/env.ts";
import { leaveCheckoutAlone } from "./checkout.ts";
import { compileEditedFilesAnew } from "./edited-files.ts";
import { editPonder } from "./edits/edit-ponder.ts";
import { silenceEndedPools } from "./ended-pools.ts";
import { surviveLostConnections } from "./lost-connections.ts";
import { setStatementTimeoutsByQuery } from "./statement-timeouts.ts";

surviveLostConnections();
setStatementTimeoutsByQuery();
const isDevelopment = process.argv.includes("dev");
editPonder({ isDevelopment });
if (isDevelopment) {
  silenceEndedPools();
  await compileEditedFilesAnew();
} else {
  defaultToProduction();
  // In development the file is for editors, and whoever develops may write it.
  leaveCheckoutAlone();
}
