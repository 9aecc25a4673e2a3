/*
 * Loaded by Node before Ponder (`--import`), to change what Ponder does before it loads any file of ours.
 */
import "../quick-imports.mjs";
import { reportUnanswered, waitForConnections } from "../../chain-access/postgres-connections.ts";
import { defaultToProduction } from "../../config/process-environment.ts";
import { printConsoleAsRecords } from "../log/child-lines.ts";
import { editPonder, recompileEditedFiles } from "./edits/edit-ponder.ts";
import {
  leaveCheckoutAlone,
  sampleLoopDelayLessOften,
  setStatementTimeoutsByQuery,
  silenceEndedPools,
  surviveLostConnections,
} from "./patch-modules.ts";

if (process.argv.includes("--log-format")) printConsoleAsRecords();
sampleLoopDelayLessOften();
surviveLostConnections();
waitForConnections(console.warn);
setStatementTimeoutsByQuery();
reportUnanswered(console.warn);
const isDevelopment = process.argv.includes("dev");
editPonder({ isDevelopment });
if (isDevelopment) {
  silenceEndedPools();
  await recompileEditedFiles();
} else {
  defaultToProduction();
  // In development editors use the file, and the developer may write it.
  leaveCheckoutAlone();
}
