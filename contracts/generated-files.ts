import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Abi } from "viem";
import { type CompiledContract, compilerVersion, standardInput } from "./compiler.ts";

const require = createRequire(import.meta.url);

/** Our ABIs by name, with the contract of each. */
const ownAbis = {
  TokenFactory: "TokenFactory.sol",
  Launchpad: "Launchpad.sol",
  LaunchToken: "LaunchToken.sol",
  PriceFeed: "local/LocalPriceFeed.sol",
  PriceFeedProxy: "local/LocalPriceFeedProxy.sol",
};

/** The DEX's published interfaces by the names used here, with the source of each ABI. */
const dexAbis = {
  DexPair: "@uniswap/v2-core/build/IUniswapV2Pair.json",
  DexFactory: "@uniswap/v2-core/build/IUniswapV2Factory.json",
  DexRouter: "@uniswap/v2-periphery/build/IUniswapV2Router02.json",
  Wbnb: "@uniswap/v2-periphery/build/WETH9.json",
};

/** What verifies the deployed contracts: TokenFactory's sources include those of Launchpad and LaunchToken. */
const verification = {
  "contracts/artifacts/standard-input.json": () =>
    standardInput(import.meta.dirname, "contracts/TokenFactory.sol"),
  "contracts/artifacts/compiler.json": () => ({ version: compilerVersion }),
};

/** Generates files from the compiled contracts: contents by path within the project. */
export function generatedFiles(contracts: Map<string, CompiledContract>): Map<string, string> {
  const files = new Map<string, string>();
  for (const [path, contract] of contracts) {
    files.set(
      `contracts/artifacts/${path.replace(/\.sol$/, ".json")}`,
      `${JSON.stringify(contract, null, 2)}\n`,
    );
  }
  for (const [path, content] of Object.entries(verification)) {
    files.set(path, `${JSON.stringify(content(), null, 2)}\n`);
  }
  for (const [name, path] of Object.entries(ownAbis)) {
    const contract = contracts.get(path);
    if (!contract) throw new Error(`contracts/${path} has no contract of its name`);
    files.set(`abis/${name}.ts`, abiModule(name, contract.abi, `contracts/${path}`));
  }
  for (const [name, artifact] of Object.entries(dexAbis)) {
    const { abi }: { abi: Abi } = require(artifact);
    files.set(`abis/${name}.ts`, abiModule(name, abi, artifact));
  }
  return files;
}

/** Returns the paths of `files` that are missing on disk, or whose content differs. */
export function driftedFiles(root: string, files: Map<string, string>): string[] {
  return [...files]
    .filter(([path, content]) => {
      const file = join(root, path);
      return !existsSync(file) || readFileSync(file, "utf8") !== content;
    })
    .map(([path]) => path);
}

function abiModule(name: string, abi: Abi, source: string): string {
  const constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}Abi`;
  return [
    `// Generated from ${source} by \`npm run contracts:build\`. Do not edit.`,
    `export const ${constant} = ${JSON.stringify(abi, null, 2)} as const;`,
    "",
  ].join("\n");
}
