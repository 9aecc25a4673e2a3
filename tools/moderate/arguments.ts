import { parseArgs } from "node:util";
import { StartError } from "../../runtime/start-error.ts";

/** A command of `npm run moderate`. The mint is in lower case. */
export type ModerateCommand =
  | { name: "hide"; chainId: number; mint: string; reason: string }
  | { name: "unhide"; chainId: number; mint: string }
  | { name: "list" }
  | { name: "apply"; isDry: boolean };

const usage = `usage: npm run moderate -- hide <mint> --reason "why" [--chain 97]
       npm run moderate -- unhide <mint> [--chain 97]
       npm run moderate -- list
       npm run moderate -- apply [--dry-run]`;

/** Parses the command line. Throws a StartError with the usage if it is wrong. */
export function parseCommand(args: string[]): ModerateCommand {
  const { values, positionals } = parse(args);
  const [name, mint, ...more] = positionals;
  if (more.length > 0)
    throw wrong(`${JSON.stringify(more[0])} is one argument too many: put quotes around the reason`);
  if (name === "list" || name === "apply") {
    if (mint !== undefined) throw wrong(`${name} takes no mint`);
    return name === "list" ? { name } : { name, isDry: values["dry-run"] ?? false };
  }
  if (name !== "hide" && name !== "unhide") throw wrong("say what to do");
  if (mint === undefined || !/^0x[0-9a-f]{40}$/i.test(mint)) {
    throw wrong(`${name} takes the token's address: 0x and 40 hexadecimal digits`);
  }
  const chainId = Number(values.chain ?? 56);
  if (chainId !== 56 && chainId !== 97) throw wrong("--chain is 56 or 97");
  const token = { chainId, mint: mint.toLowerCase() };
  if (name === "unhide") return { name, ...token };
  const reason = values.reason?.replace(/\s+/g, " ").trim() ?? "";
  if (reason === "") throw wrong("hide takes a --reason, which is shown to everyone who requests the token");
  return { name, ...token, reason };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { reason: { type: "string" }, chain: { type: "string" }, "dry-run": { type: "boolean" } },
    });
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

// A StartError joins the lines of its message into one.
const wrong = (reason: string) => new StartError("failed", `${reason}. ${usage}`);
