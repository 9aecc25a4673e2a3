import { availableParallelism } from "node:os";
import { type Address, type Hex, isAddress, isHash } from "viem";
import { parseCommandLine } from "../../runtime/command-line.ts";
import { StartError } from "../../runtime/start-error.ts";
import { type Pattern, PatternError, parsePattern } from "../pattern.ts";
import { checkTokenText, TokenTextError } from "../salt-service.ts";

/** What will be created: a token by a configured chain's factory, or any contract, given its init code hash. */
export type Subject =
  | {
      type: "token";
      name: string;
      symbol: string;
      creator: Address | undefined;
      chainId: number | undefined;
    }
  | { type: "contract"; deployer: Address; initCodeHash: Hex };

export type CliArguments = { subject: Subject; pattern: Pattern; threads: number };

/** An invalid command line. */
export class UsageError extends Error {
  override name = "UsageError";
}

export const usage = `Finds a CREATE2 salt for an address with the prefix or suffix that you want.

  npm run vanity -- --suffix 5afe --name "Brave Otter" --symbol OTTER --creator 0x...
  npm run vanity -- --prefix 0xcafe --deployer 0x... --init-code-hash 0x...

  --suffix, --prefix   hexadecimal digits; upper and lower case mean the same. Every digit takes 16 times as long
  --name, --symbol     the token that you will create with createTokenWithSalt
  --creator            the account that will create it: nobody else can use the salt then. Without it, whoever
                       sees your transaction waiting can
  --chain              56 or 97; default: the one that is configured, 56 if both are. The TokenFactory's
                       address and the RPC endpoint come from the environment or .env.local
  --deployer           in place of name and symbol: the contract that uses CREATE2 ...
  --init-code-hash     ... and keccak256 of the init code. No chain is asked then
  --threads            default: one for each core
  --help`;

/** Parses the command line. Returns undefined if it asks for help. Throws {@link UsageError}. */
export function readArguments(args: string[]): CliArguments | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  return { subject: readSubject(values), pattern: readPattern(values), threads: readThreads(values.threads) };
}

type Values = ReturnType<typeof parse>;

function parse(args: string[]) {
  const text = { type: "string" } as const;
  const options = {
    suffix: text,
    prefix: text,
    name: text,
    symbol: text,
    creator: text,
    chain: text,
    deployer: text,
    "init-code-hash": text,
    threads: text,
    help: { type: "boolean", short: "h" },
  } as const;
  return asUsageError(StartError, () => parseCommandLine(args, { options })).values;
}

function readSubject({
  name,
  symbol,
  creator,
  chain,
  deployer,
  "init-code-hash": initCodeHash,
}: Values): Subject {
  if (deployer !== undefined || initCodeHash !== undefined) {
    if (deployer === undefined || initCodeHash === undefined) {
      throw new UsageError("--deployer and --init-code-hash must be given together");
    }
    if ([name, symbol, creator, chain].some((value) => value !== undefined)) {
      throw new UsageError("--deployer and --init-code-hash replace --name, --symbol, --creator and --chain");
    }
    if (!isAddress(deployer, { strict: false })) throw new UsageError("--deployer must be an address");
    if (!isHash(initCodeHash)) throw new UsageError("--init-code-hash must be 0x and 64 hexadecimal digits");
    return { type: "contract", deployer, initCodeHash };
  }
  if (name === undefined || symbol === undefined) {
    throw new UsageError("--name and --symbol are required, or --deployer and --init-code-hash instead");
  }
  if (chain !== undefined && !/^(56|97)$/.test(chain)) throw new UsageError("--chain must be 56 or 97");
  if (creator !== undefined && !isAddress(creator, { strict: false })) {
    throw new UsageError("--creator must be an address");
  }
  asUsageError(TokenTextError, () => checkTokenText(name, symbol));
  return { type: "token", name, symbol, creator, chainId: chain === undefined ? undefined : Number(chain) };
}

function readPattern({ prefix, suffix }: Values): Pattern {
  return asUsageError(PatternError, () => parsePattern({ prefix, suffix }));
}

function readThreads(threads: string | undefined): number {
  if (threads === undefined) return availableParallelism();
  if (!/^[1-9]\d{0,2}$/.test(threads)) throw new UsageError("--threads must be a whole number from 1 to 999");
  return Number(threads);
}

/** Turns the library's errors into usage errors. */
function asUsageError<Result>(type: new (...args: never[]) => Error, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    throw error instanceof type ? new UsageError(error.message) : error;
  }
}
