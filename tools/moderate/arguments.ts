import { defaultChainId } from "../../config/chains.ts";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { StartError } from "../../runtime/start-error.ts";

/** A command of `npm run moderate`. The mint is in lower case. */
export type ModerateCommand =
  | { name: "hide"; chainId: number; mint: string; reason: string }
  | { name: "unhide"; chainId: number; mint: string }
  | { name: "list" }
  | { name: "apply"; isDry: boolean };

const usage = `usage: npm run moderate -- hide <mint> --reason "why" [--chain 56|97]
       npm run moderate -- unhide <mint> [--chain 56|97]
       npm run moderate -- list
       npm run moderate -- apply [--dry-run]`;

const flagsOf: Record<string, readonly string[]> = {
  hide: ["reason", "chain"],
  unhide: ["chain"],
  list: [],
  apply: ["dry-run"],
};

/**
 * Parses the command line. Throws a StartError with the usage if it is wrong.
 *
 * @param indexed the chains that are configured, of which one is the default as in REST. None: not known, and mainnet is
 */
export function parseCommand(args: string[], indexed: readonly number[] = []): ModerateCommand {
  const { values, positionals } = parseCommandLine(args, {
    options: { reason: { type: "string" }, chain: { type: "string" }, "dry-run": { type: "boolean" } },
    names: ["what to do", "the token's address"],
    usage,
  });
  const [name, mint] = positionals;
  const flags = flagsOf[name ?? ""];
  if (name === undefined || flags === undefined) throw wrong("say what to do");
  const misplaced = Object.keys(values).find((flag) => !flags.includes(flag));
  if (misplaced !== undefined) throw wrong(`${name} takes no --${misplaced}`);
  if (name === "list" || name === "apply") {
    if (mint !== undefined) throw wrong(`${name} takes no mint`);
    return name === "list" ? { name } : { name, isDry: values["dry-run"] ?? false };
  }
  if (mint === undefined || !/^0x[0-9a-f]{40}$/i.test(mint)) {
    throw wrong(`${name} takes the token's address: 0x and 40 hexadecimal digits`);
  }
  const { chain = String(defaultChainId(indexed) ?? 56) } = values;
  if (chain !== "56" && chain !== "97") throw wrong("--chain is 56 or 97");
  const chainId = Number(chain);
  const token = { chainId, mint: mint.toLowerCase() };
  if (name === "unhide") return { name: "unhide", ...token };
  const reason = values.reason?.replace(/\s+/g, " ").trim() ?? "";
  if (reason === "") throw wrong("hide takes a --reason, which is shown to everyone who requests the token");
  return { name: "hide", ...token, reason };
}

// A StartError joins the lines of its message into one.
const wrong = (reason: string) => new StartError(`${reason}. ${usage}`);
