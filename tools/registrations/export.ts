// npm run registrations:export [-- file]: writes every registration as one line of JSON.
import { parseCommandLine } from "../../runtime/command-line.ts";
import { runTool } from "../run-tool.ts";
import { writeExport } from "./write-export.ts";

// To stderr, since the export itself may go to stdout.
const log = (line: string) => console.error(line);

await runTool(async ({ signal, open }) => {
  const { positionals } = parseCommandLine(process.argv.slice(2), { options: {}, names: ["a file"] });
  const [file] = positionals;
  const count = await writeExport({ pool: await open(), file, signal });
  log(`${count} registrations exported${file === undefined ? "" : ` to ${file}`}`);
  return 0;
}, log);
