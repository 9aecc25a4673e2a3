import type { HDAccount } from "viem";
import { hdKeyToAccount, mnemonicToAccount } from "viem/accounts";
import { anvilMnemonic } from "./anvil.ts";

/** Cached, since deriving the parent key from the mnemonic takes 17 ms of processor time; an account then takes 1 ms. */
let parent: ReturnType<HDAccount["getHdKey"]> | undefined;

/** The account with this index of anvil's mnemonic. Anvil funds the first ten. */
export function anvilAccount(index: number): HDAccount {
  parent ??= mnemonicToAccount(anvilMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey();
  // viem's type only allows paths from the root.
  return hdKeyToAccount(parent, { path: `m/${index}` as never });
}
