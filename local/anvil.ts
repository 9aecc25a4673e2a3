import { createRequire } from "node:module";

/** anvil's default mnemonic. Its accounts are public: use them for tests only. */
export const anvilMnemonic = "test test test test test test test test test test test junk";

/** The private key of the mnemonic's first account. It is public, so it may be printed. */
export const testKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/** The path of the native binary. npm's wrapper script doesn't forward signals, so killing it would leave anvil running. */
export function anvilBinary(): string {
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const extension = process.platform === "win32" ? ".exe" : "";
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil${extension}`;
  return createRequire(import.meta.url).resolve(name);
}

/**
 * The arguments that make anvil prune old states. It keeps those of its last 500 blocks in memory; without pruning it would
 * write gigabytes of older ones to the user's home and leave them there. Anvil creates its cache folder even so, in `folder`.
 */
export function pruneArguments(folder: string): string[] {
  return ["--prune-history", "500", "--cache-path", folder];
}
