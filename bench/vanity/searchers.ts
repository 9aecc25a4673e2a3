import { execFile, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createKeccak } from "hash-wasm";
import jsSha3 from "js-sha3";
import { type Address, bytesToHex, getContractAddress, type Hex, keccak256 } from "viem";
import { ignore } from "../../config/async.ts";
import { findSalt } from "../../salt-search/find-salt.ts";
import type { KernelKind } from "../../salt-search/kernel/layout.ts";
import { parsePattern } from "../../salt-search/pattern.ts";
import { createSaltPool } from "../../salt-search/pool.ts";
import { readProcessorTime, timed } from "../shared/process.ts";

/** A way to search for salts. */
export type Searcher = {
  name: string;
  /** Searches for about this many seconds. Resolves to the salts tried per second of processor time, that is, per fully used core. */
  rate(seconds: number): Promise<number>;
  /** Resolves to the milliseconds until a salt for 5afe is found. What lacks it is so slow that they are computed from the rate. */
  find?(): Promise<number>;
  close?(): Promise<void>;
};

const deployer: Address = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const toolsFolder = new URL("tools/", import.meta.url);

function randomHash(): Hex {
  return `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`;
}

/** The seconds of processor time that this process has used, with all its threads. */
function ownProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Our search as the API uses it, so that the work of `findSalt` besides hashing counts, too. */
export function ourSearcher(kind: KernelKind, threads: number): Searcher {
  // With the same priority as the others.
  const pool = createSaltPool({ workers: threads, kind, niceness: 0 });
  return {
    name: kind === "simd" ? "ours" : "ours, without SIMD",
    async rate(seconds) {
      const controller = new AbortController();
      const pattern = parsePattern({ suffix: "0".repeat(40) });
      const task = { deployer, initCodeHash: randomHash(), pattern };
      // It never finds anything: it is always aborted.
      const search = pool.search(task, controller).catch(ignore);
      const [before, startedAt] = [pool.tried(), ownProcessorTime()];
      await delay(1_000 * seconds);
      const rate = (pool.tried() - before) / (ownProcessorTime() - startedAt);
      controller.abort();
      await search;
      return rate;
    },
    async find() {
      const task = { deployer, initCodeHash: randomHash(), suffix: "5afe" };
      const [milliseconds] = await timed(() => findSalt({ ...task, pool }));
      return milliseconds;
    },
    close: () => pool.close(),
  };
}

/** Installs `cast`, which only this benchmark needs, from its lock file. Takes a second if it is installed already. */
function installCast(): void {
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", options, { cwd: fileURLToPath(toolsFolder), stdio: ["ignore", "ignore", "inherit"] });
}

/** Foundry's `cast create2`. It reports its time to a salt itself, so the start of the process doesn't count. */
export function castSearcher(threads: number): Searcher {
  installCast();
  // The native binary, without npm's wrapper script.
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const { resolve } = createRequire(new URL("package.json", toolsFolder));
  const cast = resolve(`@foundry-rs/cast-${process.platform}-${architecture}/bin/cast`);
  async function create2(suffix: string, ...more: string[]) {
    const task = ["--deployer", deployer, "--init-code-hash", randomHash(), "--ends-with", suffix];
    const { stdout } = await promisify(execFile)(cast, [
      ...["create2", ...task, "--threads", String(threads)],
      ...more,
    ]);
    // "Successfully found contract address in 28.372907ms"
    const [, amount, unit] = stdout.match(/contract address in ([\d.]+)(ns|µs|ms|s)$/m) ?? [];
    const factor = { ns: 1e-6, µs: 1e-3, ms: 1, s: 1e3 }[unit ?? ""];
    const [, salt] = stdout.match(/^Salt: 0x([0-9a-f]{64})/m) ?? [];
    if (factor === undefined || salt === undefined) throw new Error(`cast says something else:\n${stdout}`);
    return { milliseconds: Number(amount) * factor, salt };
  }
  const childrensProcessorMs = async () => (await readProcessorTime(process.pid)).children;
  return {
    name: "cast create2",
    async rate(seconds) {
      let [attempts, milliseconds] = [0, 0];
      const startedAt = await childrensProcessorMs();
      // Six digits take about five seconds, so that the start of the process is negligible.
      while (milliseconds < 1_000 * seconds) {
        // Starts at salt 0, so that the found salt shows how many were tried.
        const found = await create2("5afe5a", "--no-random");
        attempts += attemptsOf(found.salt);
        milliseconds += found.milliseconds;
      }
      return (1_000 * attempts) / ((await childrensProcessorMs()) - startedAt);
    },
    find: async () => (await create2("5afe")).milliseconds,
  };
}

/** cast counts in the last eight bytes, little-endian. Its threads interleave the numbers, so the salt counts the tries of all of them. */
function attemptsOf(salt: string): number {
  return Number(Buffer.from(salt.slice(48), "hex").readBigUInt64LE()) + 1;
}

/** The message that CREATE2 hashes: 0xff, deployer, salt, hash of the init code. */
const messageLength = 85;
const saltAt = 21;
const triesPerCheck = 64;

const matches = (digest: ArrayLike<number>) => digest[30] === 0x5a && digest[31] === 0xfe;
const hasher = await createKeccak(256);

/** Whether the message's salt gives an address that ends in 5afe, in the fastest way that each package offers. */
const packages = {
  "viem, getContractAddress": (message: Uint8Array) =>
    getContractAddress({
      opcode: "CREATE2",
      from: bytesToHex(message.subarray(1, saltAt)),
      salt: bytesToHex(message.subarray(saltAt, saltAt + 32)),
      bytecodeHash: bytesToHex(message.subarray(saltAt + 32)),
    })
      .toLowerCase()
      .endsWith("5afe"),
  "viem, keccak256 of bytes": (message: Uint8Array) => matches(keccak256(message, "bytes")),
  "js-sha3": (message: Uint8Array) => matches(jsSha3.keccak256.digest(message)),
  "hash-wasm": (message: Uint8Array) => matches(hasher.init().update(message).digest("binary")),
};

/** The simplest search with each of the published packages, salt by salt. They share nothing between threads: one shows the rate. */
export const packageSearchers = Object.entries(packages).map(([name, test]): Searcher => {
  const message = crypto.getRandomValues(new Uint8Array(messageLength));
  message[0] = 0xff;
  const counter = new DataView(message.buffer);
  return {
    name,
    async rate(seconds) {
      const [startedAt, end] = [ownProcessorTime(), performance.now() + 1_000 * seconds];
      let tried = 0;
      while (performance.now() < end) {
        for (let index = 0; index < triesPerCheck; index++) {
          counter.setUint32(saltAt + 28, tried++);
          test(message);
        }
      }
      return tried / (ownProcessorTime() - startedAt);
    },
  };
});
