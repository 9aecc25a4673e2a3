// npm run registrations:import [-- file]: imports registrations from the lines of JSON that an export writes.
import { createReadStream } from "node:fs";
import { createModerationStore } from "../../offchain/moderation-store.ts";
import { createRegistrationStore } from "../../offchain/store.ts";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { runTool } from "../run-tool.ts";
import { importLines, readInput } from "./import-lines.ts";

await runTool(async ({ signal, open }) => {
  const { positionals } = parseCommandLine(process.argv.slice(2), { options: {}, names: ["a file"] });
  const [file] = positionals;
  const pool = await open({ mayBeNew: true });
  const input = file === undefined ? process.stdin : createReadStream(file);
  const stores = {
    registrations: createRegistrationStore(pool),
    moderation: createModerationStore(pool),
  };
  const { created, replaced, unchanged, refused } = await importLines(
    stores,
    readInput(input, file ?? "the input"),
    { onRefused: (message) => console.log(message), signal },
  );
  console.log(`${created} imported, ${replaced} replaced, ${unchanged} already there, ${refused} refused`);
  return refused > 0 ? 1 : 0;
});
