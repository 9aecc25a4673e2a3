import { mnemonicToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { anvilAccount, anvilMnemonic } from "./anvil.ts";

test.each([0, 9])("account %i matches the mnemonic", (addressIndex) => {
  const expected = mnemonicToAccount(anvilMnemonic, { addressIndex });
  expect(anvilAccount(addressIndex).address).toBe(expected.address);
});
