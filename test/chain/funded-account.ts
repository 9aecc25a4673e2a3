import { parseEther } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { LaunchpadChain } from "./launchpad-chain.ts";

/** Creates an account with 10 BNB that no other test uses. It signs locally, and anvil sends its transactions too. */
export async function fundedAccount({
  testClient,
}: Pick<LaunchpadChain, "testClient">): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  await testClient.setBalance({ address: account.address, value: parseEther("10") });
  await testClient.impersonateAccount({ address: account.address });
  return account;
}
