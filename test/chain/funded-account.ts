import { parseEther } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { LaunchpadChain } from "./launchpad-chain.ts";

/** An account that signs for itself and that nobody else uses, with 10 BNB. */
export async function fundedAccount({
  testClient,
}: Pick<LaunchpadChain, "testClient">): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  await testClient.setBalance({ address: account.address, value: parseEther("10") });
  return account;
}
