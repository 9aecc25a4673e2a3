import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  formatTransactionReceipt,
  getAddress,
  type Hex,
  numberToHex,
  type RpcTransactionReceipt,
} from "viem";
import { dexFactoryAbi } from "../../abis/DexFactory.ts";
import { dexPairAbi } from "../../abis/DexPair.ts";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { accounts, startAnvil } from "../../test/chain/anvil.ts";
import { deployLaunchpad } from "../deploy.ts";
import { artifact, createdToken } from "./outcomes.ts";

export const forever = 2n ** 64n;
export const billion = 1_000_000_000n * 10n ** 18n;
export const milliBnb = 10n ** 15n;
/** What graduates a token. */
export const fullPrice = 50n * milliBnb;

/** Ample: an estimate is exact, and falls short by a few units when the next block is in the next second. */
const gasLimit = 16_000_000n;

const [deployer, creator, ...traders] = accounts.map(({ address }) => address) as [
  Address,
  Address,
  ...Address[],
];

export { creator, deployer };
export const [alice, bob, carol] = traders as [Address, Address, Address];

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** An anvil with the launchpad on it, and the few actions that every contract test is made of. */
export async function startHarness() {
  const anvil = await startAnvil();
  const { publicClient, testClient } = anvil;
  const deployment = await deployLaunchpad({ rpcUrl: anvil.rpcUrl, account: anvil.accounts[0] as never });
  const { tokenFactory, launchpad } = deployment;

  /** Sends from an account that anvil has unlocked, and returns once mined. A revert throws, with its reason. */
  async function send(from: Address, to: Address | null, data: Hex = "0x", value = 0n) {
    const gas = numberToHex(gasLimit);
    const request = { from, ...(to && { to }), data, value: numberToHex(value), gas };
    const method = "eth_sendTransactionSync";
    const response: unknown = await testClient.request({ method, params: [request] } as never);
    const receipt = formatTransactionReceipt(response as RpcTransactionReceipt);
    if (receipt.status === "reverted") {
      // A receipt has no reason, and a revert has changed no state: the same call tells.
      await publicClient.call({ account: from, to, data, value });
      throw new Error("a reverted transaction, called once more, did not revert");
    }
    return receipt;
  }

  async function createToken({ burnPercent = 50, name = "Token", symbol = "TKN", from = creator } = {}) {
    const args = [name, symbol, burnPercent] as const;
    const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createToken", args });
    return createdToken(await send(from, tokenFactory, data));
  }

  async function createTokenWithSalt(salt: Hex, { burnPercent = 50, name = "Token", symbol = "TKN" } = {}) {
    const args = [name, symbol, burnPercent, salt] as const;
    const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createTokenWithSalt", args });
    return createdToken(await send(creator, tokenFactory, data));
  }

  const predictTokenAddress = (salt: Hex, { name = "Token", symbol = "TKN" } = {}) =>
    publicClient.readContract({
      address: tokenFactory,
      abi: tokenFactoryAbi,
      functionName: "predictTokenAddress",
      args: [name, symbol, salt],
    });

  function buy(token: Address, value: bigint, from = alice, minTokensOut = 0n, deadline = forever) {
    const args = [token, minTokensOut, deadline] as const;
    return send(from, launchpad, encodeFunctionData({ abi: launchpadAbi, functionName: "buy", args }), value);
  }

  function sell(token: Address, amount: bigint, from = alice, minBnbOut = 0n, deadline = forever) {
    const args = [token, amount, minBnbOut, deadline] as const;
    return send(from, launchpad, encodeFunctionData({ abi: launchpadAbi, functionName: "sell", args }));
  }

  /** For ERC-20 functions of any token, WBNB included. */
  function callToken(
    from: Address,
    token: Address,
    functionName: "transfer" | "approve" | "burn",
    args: never,
  ) {
    return send(from, token, encodeFunctionData({ abi: launchTokenAbi, functionName, args }));
  }

  const approve = (token: Address, from = alice, spender = launchpad) =>
    callToken(from, token, "approve", [spender, 2n ** 256n - 1n] as never);
  const transfer = (token: Address, from: Address, to: Address, amount: bigint) =>
    callToken(from, token, "transfer", [to, amount] as never);

  const balanceOf = (token: Address, account: Address) =>
    publicClient.readContract({
      address: token,
      abi: launchTokenAbi,
      functionName: "balanceOf",
      args: [account],
    });

  async function curve(token: Address) {
    const [
      virtualBnbReserves,
      virtualTokenReserves,
      realTokenReserves,
      tokensSold,
      totalToSell,
      burnPercent,
      graduated,
    ] = await publicClient.readContract({
      address: launchpad,
      abi: launchpadAbi,
      functionName: "curves",
      args: [token],
    });
    return {
      virtualBnbReserves,
      virtualTokenReserves,
      realTokenReserves,
      tokensSold,
      totalToSell,
      burnPercent,
      graduated,
    };
  }

  const pairOf = (token: Address) =>
    publicClient.readContract({
      address: deployment.dexFactory,
      abi: dexFactoryAbi,
      functionName: "getPair",
      args: [token, deployment.wbnb],
    });

  const pairTokens = (pair: Address) =>
    Promise.all([
      publicClient.readContract({ address: pair, abi: dexPairAbi, functionName: "token0" }),
      publicClient.readContract({ address: pair, abi: dexPairAbi, functionName: "token1" }),
    ]);

  /** Deploys a contract of `contracts/test` or `contracts`, by the path of its artifact. */
  async function deploy(path: string, args: unknown[], value = 0n): Promise<Address> {
    const { abi, bytecode } = artifact(path);
    const { contractAddress } = await send(deployer, null, encodeDeployData({ abi, bytecode, args }), value);
    return getAddress(contractAddress as Address);
  }

  return {
    ...anvil,
    ...deployment,
    send,
    createToken,
    createTokenWithSalt,
    predictTokenAddress,
    buy,
    sell,
    approve,
    transfer,
    balanceOf,
    curve,
    pairOf,
    pairTokens,
    deploy,
  };
}
