import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { childrensProcessorTime } from "./processor-time.ts";
import { deployer, randomHash, type Searcher } from "./searcher.ts";
import { castBinary } from "./tools.ts";

const run = promisify(execFile);

/** Foundry's `cast create2`. It reports its time to a salt itself, so the start of the process doesn't count. */
export function castSearcher(threads: number): Searcher {
  const cast = castBinary();
  const create2 = async (suffix: string, ...more: string[]) => {
    const task = ["--deployer", deployer, "--init-code-hash", randomHash(), "--ends-with", suffix];
    const { stdout } = await run(cast, ["create2", ...task, "--threads", String(threads), ...more]);
    return { milliseconds: timeOf(stdout), salt: saltOf(stdout) };
  };
  return {
    name: "cast create2",
    async rate(seconds) {
      let [attempts, milliseconds] = [0, 0];
      const startedAt = childrensProcessorTime();
      // Six digits take about five seconds, so that the start of the process is negligible.
      while (milliseconds < 1_000 * seconds) {
        // Starts at salt 0, so that the found salt shows how many were tried.
        const found = await create2("5afe5a", "--no-random");
        attempts += attemptsOf(found.salt);
        milliseconds += found.milliseconds;
      }
      return attempts / (childrensProcessorTime() - startedAt);
    },
    find: async () => (await create2("5afe")).milliseconds,
    close: async () => {},
  };
}

/** "Successfully found contract address in 28.372907ms" */
function timeOf(output: string): number {
  const [, amount, unit] = output.match(/contract address in ([\d.]+)(ns|µs|ms|s)$/m) ?? [];
  const factor = { ns: 1e-6, µs: 1e-3, ms: 1, s: 1e3 }[unit ?? ""];
  if (amount === undefined || factor === undefined) throw new Error(`cast says something else:\n${output}`);
  return Number(amount) * factor;
}

function saltOf(output: string): string {
  const [, salt] = output.match(/^Salt: 0x([0-9a-f]{64})/m) ?? [];
  if (salt === undefined) throw new Error(`cast says something else:\n${output}`);
  return salt;
}

/** cast counts in the last eight bytes, little-endian. Its threads interleave the numbers, so the salt counts the tries of all of them. */
function attemptsOf(salt: string): number {
  return Number(Buffer.from(salt.slice(48), "hex").readBigUInt64LE()) + 1;
}
