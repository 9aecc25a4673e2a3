import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import solc from "solc";
import type { Abi } from "viem";

export interface CompiledContract {
  contractName: string;
  abi: Abi;
  bytecode: `0x${string}`;
}

interface SolcOutput {
  errors?: { severity: "error" | "warning" | "info"; errorCode: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
}

const require = createRequire(import.meta.url);

/** "Transient storage can break composability": the reentrancy guard clears its slot, as the warning demands. */
const transientStorageWarning = "2394";

const settings = {
  optimizer: { enabled: true, runs: 1_000 },
  evmVersion: "cancun",
  // Otherwise a changed comment would change the bytecode, and so every CREATE2 address.
  metadata: { bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
};

/** The compiler as block explorers name it: "v0.8.37+commit.…". */
export const compilerVersion = `v${solc.version().replace(/\.Emscripten.*$/, "")}`;

/**
 * Compiles every Solidity file under `directory`. Each file with a contract of its own name yields that contract, keyed by the
 * file's path within the directory ("test/LogEmitter.sol"); interfaces and libraries yield none.
 *
 * Returns the compiler's messages as well, and throws them if one is an error.
 */
export function compileContracts(directory: string): {
  contracts: Map<string, CompiledContract>;
  messages: string[];
} {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sol"))
    .map((path) => path.replaceAll(sep, "/"))
    .sort();
  const sources = Object.fromEntries(
    paths.map((path) => [`contracts/${path}`, { content: readFileSync(join(directory, path), "utf8") }]),
  );

  const input = JSON.stringify({ language: "Solidity", sources, settings });
  const output: SolcOutput = JSON.parse(solc.compile(input, { import: readImport }));
  const messages = (output.errors ?? []).filter(({ errorCode }) => errorCode !== transientStorageWarning);
  if (messages.some(({ severity }) => severity === "error")) {
    throw new Error(messages.map(({ formattedMessage }) => formattedMessage).join("\n"));
  }

  const contracts = new Map<string, CompiledContract>();
  for (const path of paths) {
    const contractName = path.slice(path.lastIndexOf("/") + 1, -".sol".length);
    const compiled = output.contracts?.[`contracts/${path}`]?.[contractName];
    // A library of internal functions has bytecode too, but no ABI.
    if (!compiled?.evm.bytecode.object || compiled.abi.length === 0) continue;
    contracts.set(path, { contractName, abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` });
  }
  return { contracts, messages: messages.map(({ formattedMessage }) => formattedMessage) };
}

/**
 * Returns the standard JSON input that compiles one file of `directory` and what it imports, for the verification of deployed
 * contracts.
 */
export function standardInput(directory: string, entry: string): object {
  const sources: Record<string, { content: string }> = {};
  const read = (path: string) => {
    const own = /^contracts\/(.+)/.exec(path)?.[1];
    const source = own ? { contents: readFileSync(join(directory, own), "utf8") } : readImport(path);
    if ("contents" in source) sources[path] = { content: source.contents };
    return source;
  };
  read(entry);
  // Selects no output: this only follows the imports.
  solc.compile(JSON.stringify({ language: "Solidity", sources }), { import: read });
  const sorted = Object.fromEntries(Object.entries(sources).sort(([one], [other]) => (one < other ? -1 : 1)));
  return { language: "Solidity", sources: sorted, settings };
}

function readImport(path: string): { contents: string } | { error: string } {
  const file = require.resolve
    .paths(path)
    ?.map((root) => join(root, path))
    .find(existsSync);
  return file ? { contents: readFileSync(file, "utf8") } : { error: `${path} is not installed` };
}
