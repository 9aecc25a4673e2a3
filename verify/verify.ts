// npm run verify: compares the index with the contracts on the chain.
import type pg from "pg";
import type { ChainSettings, Environment } from "../config/env.ts";
import { findLocalStack } from "../local/local-environment.ts";
import { checkChains } from "../runtime/checks/check-chains.ts";
import { noChainMessage } from "../runtime/checks/host.ts";
import { parseCommandLine } from "../runtime/command-line.ts";
import { confirmRows } from "../runtime/ponder/rows-version.ts";
import { createSupervisor } from "../runtime/process/supervisor.ts";
import { showProgress } from "../runtime/progress.ts";
import { readSettings } from "../runtime/settings.ts";
import { StartError } from "../runtime/start-error.ts";
import { findSchema, openDatabase } from "../tools/open-database.ts";
import { describe, IndexNotReady } from "./compare.ts";
import { ChainUnavailable, createCallReader } from "./read-calls.ts";
import { describeRepeated, requestTokenRepairs } from "./repair-tokens.ts";
import { type Report, verifyChain } from "./verify-chain.ts";

type ExitCode = 0 | 1 | 2;

type VerifyArguments = {
  /** The number of rows to compare on each chain. Undefined: all. */
  sample: number | undefined;
  /** Whether to request the repair of tokens that differ. */
  repair: boolean;
};

const usage = `Compares the index with the contracts on the chain, as of final blocks: balances, supplies, curves and reserves.

  npm run verify
  npm run verify -- --sample 10000
  npm run verify -- --repair

  --sample   compares only so many rows of each chain, chosen at random
  --repair   has npm start repair the tokens that differ, each once
  --help

Without settings of a chain, it reads the local stack (npm run dev) of DATA_DIR.

Exit codes: 0 if nothing differs, 1 if something does, 2 if the comparison wasn't possible.`;

/** Waits of up to 4 s lie between them: a restart of the only endpoint doesn't end the comparison. */
const rounds = 8;
/** Lines for each chain. */
const maxLines = 100;

const log = (line: string) => console.log(line);
const supervisor = createSupervisor({ log });
/** Whatever ends the comparison before it is complete, a signal too, leaves this. */
let exitCode: ExitCode = 2;

await supervisor.run(async () => {
  const options = readArguments(process.argv.slice(2));
  if (options === undefined) {
    log(usage);
    exitCode = 0;
    return void supervisor.stop();
  }
  const configured = readSettings(log);
  const found = configured.chains.length > 0 ? configured : await findLocalStack(configured);
  if (found === undefined) throw new StartError(noChainMessage);
  const settings = { ...found, chains: await checkChains(found.chains, log) };
  const pool = await openDatabase(supervisor, settings);
  exitCode = await verifyAll(pool, settings, options).finally(() => pool.end());
  void supervisor.stop();
});
process.exit(exitCode);

async function verifyAll(pool: pg.Pool, settings: Environment, options: VerifyArguments): Promise<ExitCode> {
  const schema = await findSchema(pool, settings);
  let code: ExitCode = 0;
  for (const chain of settings.chains) {
    const report = await verifyOne(pool, chain, schema, options);
    for (const line of linesOf(chain.id, report)) log(line);
    if (report.differences.length > 0) code = 1;
    if (options.repair) await repair(pool, schema, chain.id, report);
  }
  const chainIds = settings.chains.map(({ id }) => id);
  if (code === 0 && options.sample === undefined) await confirmRows(pool, schema, chainIds);
  return code;
}

async function repair(pool: pg.Pool, schema: string, chainId: number, report: Report): Promise<void> {
  const { differences } = report;
  if (differences.length === 0) return;
  const { requested, repeated } = await requestTokenRepairs(pool, { schema, chainId, differences });
  const count = requested.length === 1 ? "1 token" : `${requested.length} tokens`;
  log(
    requested.length > 0
      ? `chain ${chainId}: the repair of ${count} is requested; a running npm start begins when it can, otherwise the next one does`
      : `chain ${chainId}: no repair is requested that was not before. GET /status names those that are under way`,
  );
  for (const token of repeated.slice(0, maxLines)) log(describeRepeated(chainId, token));
}

async function verifyOne(
  pool: pg.Pool,
  chain: ChainSettings,
  schema: string,
  { sample }: VerifyArguments,
): Promise<Report> {
  const progress = showProgress(`chain ${chain.id}`);
  try {
    return await verifyChain({
      pool,
      schema,
      chain,
      sample,
      reader: createCallReader(chain.rpcUrls, { rounds }),
      signal: supervisor.signal,
      onProgress: progress.update,
    });
  } catch (error) {
    if (error instanceof IndexNotReady) throw new StartError(error.message);
    if (!(error instanceof ChainUnavailable)) throw error;
    throw new StartError(
      `chain ${chain.id} can't be read, so nothing is said about the index (PONDER_RPC_URL_${chain.id}): ${error.message}`,
      { code: "not-reachable" },
    );
  } finally {
    progress.end();
  }
}

function linesOf(chainId: number, { fromBlock, toBlock, balances, tokens, differences }: Report): string[] {
  const blocks = fromBlock === toBlock ? `block ${toBlock}` : `blocks ${fromBlock} to ${toBlock}`;
  const count = differences.length;
  const summary = count === 0 ? "no difference" : `${count} ${count === 1 ? "difference" : "differences"}`;
  return [
    ...differences.slice(0, maxLines).map(describe),
    ...(count > maxLines ? [`and ${count - maxLines} more`] : []),
    `chain ${chainId}, ${blocks}: ${balances} balances and ${tokens} tokens with their curves and pairs compared: ${summary}`,
  ];
}

/** Parses the command line. Returns undefined if it asks for help. Throws a StartError. */
function readArguments(args: string[]): VerifyArguments | undefined {
  const { sample, repair, help } = parseCommandLine(args, {
    options: {
      sample: { type: "string" },
      repair: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  }).values;
  if (help) return undefined;
  if (sample !== undefined && !/^[1-9]\d{0,8}$/.test(sample)) {
    throw new StartError(`--sample is a whole number from 1 to 999999999, not ${JSON.stringify(sample)}`);
  }
  return { sample: sample === undefined ? undefined : Number(sample), repair };
}
