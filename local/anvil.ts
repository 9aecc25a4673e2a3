import { createRequire } from "node:module";
import type { HDAccount } from "viem";
import { hdKeyToAccount, mnemonicToAccount } from "viem/accounts";

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

/** Cached, since deriving the parent key from the mnemonic takes 17 ms of processor time; an account then takes 1 ms. */
let parent: ReturnType<HDAccount["getHdKey"]> | undefined;

/** The account with this index of anvil's mnemonic. Anvil funds the first ten. */
export function anvilAccount(index: number): HDAccount {
  parent ??= mnemonicToAccount(anvilMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey();
  // viem's type only allows paths from the root.
  return hdKeyToAccount(parent, { path: `m/${index}` as never });
}
