import type { HDAccount } from "viem";
import { hdKeyToAccount, mnemonicToAccount } from "viem/accounts";
import { anvilMnemonic } from "./anvil.ts";

/** To get from the mnemonic to a key takes a processor 17 ms, and from there to an account one. */
let parent: ReturnType<HDAccount["getHdKey"]> | undefined;

/** The account of anvil's mnemonic with this index, of which anvil funds the first ten. */
export function anvilAccount(index: number): HDAccount {
  parent ??= mnemonicToAccount(anvilMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey();
  // viem's type is for paths from the root.
  return hdKeyToAccount(parent, { path: `m/${index}` as never });
}
