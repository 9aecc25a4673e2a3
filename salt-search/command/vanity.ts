import { BaseError } from "viem";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { createRpcClient } from "../../chain-access/rpc-client.ts";
import { type ChainSettings, EnvironmentError, readEnvironment } from "../../config/env.ts";
import { loadSettingsFile, readSecretFiles } from "../../config/process-environment.ts";
import { type FoundSalt, findSalt } from "../find-salt.ts";
import { expectedAttempts } from "../pattern.ts";
import { createSaltPool, type SaltPool } from "../pool.ts";
import { createSaltService } from "../salt-service.ts";
import { type CliArguments, readArguments, type Subject, UsageError, usage } from "./arguments.ts";

// npm run vanity: finds a CREATE2 salt for an address with a given prefix or suffix.

const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interrupted.abort());

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  if (interrupted.signal.aborted) return 130;
  console.error(messageOf(error));
  return error instanceof UsageError ? 2 : 1;
});

async function run(args: string[]): Promise<number> {
  const wanted = readArguments(args);
  if (wanted === undefined) {
    console.log(usage);
    return 0;
  }
  const pool = createSaltPool({ workers: wanted.threads, niceness: 0 });
  const clear = showProgress(pool, expectedAttempts(wanted.pattern), process.stderr);
  try {
    const { salt, address } = await find(wanted, pool).finally(clear);
    console.log(`salt     ${salt}\naddress  ${address}`);
    return 0;
  } finally {
    await pool.close();
  }
}

async function find({ subject, pattern }: CliArguments, pool: SaltPool): Promise<FoundSalt> {
  const { signal } = interrupted;
  if (subject.type === "contract") return await findSalt({ ...subject, ...pattern, pool, signal });

  const chain = chainFor(subject);
  const service = createSaltService({
    pool,
    tokenFactories: new Map([[chain.id, chain.tokenFactory]]),
    readCreationCode: () =>
      createRpcClient({ urls: chain.rpcUrls, retryCount: 3 }).readContract({
        address: chain.tokenFactory,
        abi: tokenFactoryAbi,
        functionName: "tokenCreationCode",
      }),
  });
  return await service.find({ ...subject, ...pattern, chainId: chain.id, signal });
}

function chainFor({ chainId }: Extract<Subject, { type: "token" }>): ChainSettings {
  for (const line of loadSettingsFile()) console.error(line);
  const problems = readSecretFiles();
  if (problems.length > 0) throw new EnvironmentError(problems);
  const { chains } = readEnvironment();
  const chain = chainId === undefined ? chains[0] : chains.find(({ id }) => id === chainId);
  if (chain !== undefined) return chain;
  const id = chainId ?? 56;
  throw new UsageError(
    `chain ${id} is not configured: set PONDER_RPC_URL_${id}, TOKEN_FACTORY_ADDRESS_${id}, LAUNCHPAD_ADDRESS_${id} and START_BLOCK_${id}, or give --deployer and --init-code-hash`,
  );
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError) return `${error.message} (--help shows how)`;
  if (error instanceof EnvironmentError) return error.problems.join("\n");
  // The full message of a viem error quotes the request, and with it any secret in the endpoint's URL.
  if (error instanceof BaseError)
    return `The chain can't be read: ${error.shortMessage.replaceAll("\n", " ")}`;
  return error instanceof Error ? error.message : String(error);
}

/** Shows on a terminal how many salts have been tried, and how fast. Returns a function that clears the line again. */
function showProgress(pool: SaltPool, expected: number, terminal: NodeJS.WriteStream): () => void {
  if (!terminal.isTTY) return () => {};
  const startedAt = performance.now();
  const show = () => {
    const tried = pool.tried();
    const rate = tried / ((performance.now() - startedAt) / 1_000);
    const text = `${millions(tried)} million salts tried, ${millions(rate)} million per second; about ${millions(expected)} million are needed`;
    terminal.write(`\r${text}\x1b[K`);
  };
  const timer = setInterval(show, 250);
  return () => {
    clearInterval(timer);
    terminal.write("\r\x1b[K");
  };
}

function millions(count: number): string {
  return (count / 1e6).toLocaleString("en-US", { maximumFractionDigits: 2 });
}
