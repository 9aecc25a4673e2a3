import { createRequire } from "node:module";

/** anvil's default mnemonic. Everyone knows its accounts: use them for tests only. */
export const anvilMnemonic = "test test test test test test test test test test test junk";

/** The first account of the mnemonic: public, hence safe to print. */
export const testKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/** The native binary. npm's wrapper script would not pass on a kill, which would leave anvil running. */
export function anvilBinary(): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const extension = process.platform === "win32" ? ".exe" : "";
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil${extension}`;
  return createRequire(import.meta.url).resolve(name);
}

/**
 * Anvil's arguments for a chain of any length. It keeps the states of its last 500 blocks in memory. Those of older blocks it would
 * write to the user's home, gigabytes of them, and leave them there; `folder` is where it makes a folder for them all the same.
 */
export function recentStates(folder: string): string[] {
  return ["--prune-history", "500", "--cache-path", folder];
}
