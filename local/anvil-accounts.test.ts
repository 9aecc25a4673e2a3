import { mnemonicToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { anvilMnemonic } from "./anvil.ts";
import { anvilAccount } from "./anvil-accounts.ts";

test.each([0, 9])("account %i matches the mnemonic", (addressIndex) => {
  const expected = mnemonicToAccount(anvilMnemonic, { addressIndex });
  expect(anvilAccount(addressIndex).address).toBe(expected.address);
});
