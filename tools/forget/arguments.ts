import { parseCommandLine } from "../../runtime/command-line.ts";
import { StartError } from "../../runtime/start-error.ts";

export type ForgetArguments = { chainId: number; fromBlock: number };

const usage = "usage: npm run forget -- --chain 56 --from <block>";

/** Parses the command line of `npm run forget`. Throws a StartError with the usage if it is wrong. */
export function parseForget(args: string[]): ForgetArguments {
  const { chain, from } = parseCommandLine(args, {
    options: { chain: { type: "string" }, from: { type: "string" } },
    usage,
  }).values;
  if (chain !== "56" && chain !== "97") throw wrong("--chain is 56 or 97");
  if (from === undefined || !/^\d{1,15}$/.test(from)) {
    throw wrong("--from is the number of the first block to forget");
  }
  return { chainId: Number(chain), fromBlock: Number(from) };
}

const wrong = (reason: string) => new StartError(`${reason}. ${usage}`);
