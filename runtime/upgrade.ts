// npm run upgrade [-- --to <schema>]: replaces the running version with the one in this folder, without downtime.

import net from "node:net";
import { ignore } from "../config/async.ts";
import { reasonOf } from "../config/error-code.ts";
import { readLines } from "../config/lines.ts";
import { parseCommandLine } from "./command-line.ts";
import { projectDir } from "./ponder/ponder.ts";
import { readSettings } from "./settings.ts";
import { StartError } from "./start-error.ts";
import { controlPath, type UpgradeAnswer, type UpgradeRequest } from "./upgrade/control-socket.ts";

const log = (line: string) => console.log(line);

try {
  const { values } = parseCommandLine(process.argv.slice(2), { options: { to: { type: "string" } } });
  const { dataDir } = readSettings(log);
  process.exitCode = await requestUpgrade(controlPath(dataDir), {
    program: process.execPath,
    folder: projectDir,
    ...values,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Requests the upgrade and prints its progress. Resolves to the exit code. A signal that ends this process cancels the upgrade. */
async function requestUpgrade(file: string, request: UpgradeRequest): Promise<number> {
  const socket = net.connect(file);
  let code: number | undefined;
  // Whoever reads gets it.
  socket.on("error", ignore);
  socket.write(`${JSON.stringify(request)}\n`);
  try {
    for await (const line of readLines(socket)) {
      const { kind, text } = JSON.parse(line) as UpgradeAnswer;
      log(kind === "failed" ? `not upgraded: ${text}` : text);
      if (kind !== "line") code = kind === "done" ? 0 : 1;
    }
  } catch (error) {
    throw new StartError(
      `no npm start can be reached at ${file} (${reasonOf(error)}): run this as its user, and with its DATA_DIR`,
      { code: "not-reachable", cause: error },
    );
  }
  if (code === undefined) log("npm start ended during the upgrade: its log has the reason");
  return code ?? 1;
}
