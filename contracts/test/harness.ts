import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  formatTransactionReceipt,
  getAddress,
  type Hex,
  numberToHex,
  type RpcTransactionReceipt,
  type TransactionReceipt,
  zeroAddress,
  zeroHash,
} from "viem";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { executing } from "../../test/chain/agent.ts";
import { accounts, startAnvil } from "../../test/chain/anvil.ts";
import { deployFirstPancakeDex, deployPancakeDex } from "../../test/chain/pancake-dex.ts";
import { deployLaunchpad } from "../deploy.ts";
import { artifact, createdToken } from "./outcomes.ts";
import { createReads } from "./reads.ts";

export const forever = 2n ** 64n;
export const billion = 1_000_000_000n * 10n ** 18n;
export const milliBnb = 10n ** 15n;
/** The price of a whole curve, which graduates its token. */
export const fullPrice = 50n * milliBnb;

/** The curve of a token with half of its supply burned: R is 5e26, it starts at 9/5 R and sells 3/5 R. */
export const halfBurned = {
  startTokens: (billion * 9n) / 10n,
  totalToSell: (billion * 3n) / 10n,
  startBnb: 100n * milliBnb,
};

/** Ample, because an estimate is exact, and falls short by a few units if the next block is in the next second. */
const gasLimit = 16_000_000n;

const [deployer, creator, ...traders] = accounts.map(({ address }) => address) as [
  Address,
  Address,
  ...Address[],
];

export { creator, deployer };
export const [alice, bob, carol] = traders as [Address, Address, Address];

/** The DEXes that tokens graduate to: the pair's bytecode and fee differ. */
const deployDex = {
  "Uniswap V2": undefined,
  "PancakeSwap V2": deployPancakeDex,
  "PancakeSwap's first version": deployFirstPancakeDex,
};
type Dex = keyof typeof deployDex;
export const dexes = Object.keys(deployDex) as Dex[];

type SignedPermit = {
  owner: Address;
  spender: Address;
  value: bigint;
  deadline: bigint;
  v: number;
  r: Hex;
  s: Hex;
};

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** Starts an anvil with the launchpad on it, and provides the few actions that every contract test consists of. */
export async function startHarness(dexName: Dex = "Uniswap V2") {
  const anvil = await startAnvil();
  const { publicClient, testClient, rpcUrl } = anvil;
  const account = anvil.accounts[0] as never;
  const dex = await deployDex[dexName]?.({ rpcUrl, account });
  const deployment = await deployLaunchpad({ rpcUrl, account, dex });
  const { tokenFactory, launchpad } = deployment;

  const robots = new Set<Address>();
  let sent = 0;

  /** Puts a contract at an address. Whatever is then sent from it, the contract calls; the deployer has it do so. */
  async function addRobot(address: Address): Promise<void> {
    const code = await publicClient.getCode({ address: await deploy("test/Agent", []) });
    await testClient.setCode({ address, bytecode: code ?? "0x" });
    await testClient.setBalance({ address, value: 10_000n * 10n ** 18n });
    robots.add(address);
  }

  /** Sends from an account that anvil has unlocked, or a robot, and returns once mined. A revert throws, with its reason. */
  async function send(
    from: Address,
    to: Address | null,
    data: Hex = "0x",
    value = 0n,
    gas: bigint = gasLimit,
  ): Promise<TransactionReceipt> {
    if (robots.has(from) && to !== null) {
      const call = { target: to, value, data, token: zeroAddress, percent: 0n, offset: 0n };
      return send(deployer, from, executing([call]), 0n, gas);
    }
    sent += 1;
    const request = { from, ...(to && { to }), data, value: numberToHex(value), gas: numberToHex(gas) };
    const method = "eth_sendTransactionSync";
    const response: unknown = await testClient.request({ method, params: [request] } as never);
    const receipt = formatTransactionReceipt(response as RpcTransactionReceipt) as TransactionReceipt;
    if (receipt.status === "reverted") {
      // A receipt has no reason, but a revert changes no state, so repeating the call reveals it.
      await publicClient.call({ account: from, to, data, value, gas });
      throw new Error("a reverted transaction, called once more, did not revert");
    }
    return receipt;
  }

  async function createToken({ burnPercent = 50, name = "Token", symbol = "TKN", from = creator } = {}) {
    const args = [name, symbol, burnPercent] as const;
    const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createToken", args });
    return createdToken(await send(from, tokenFactory, data));
  }

  async function createTokenWithSalt(
    salt: Hex,
    { burnPercent = 50, name = "Token", symbol = "TKN", from = creator } = {},
  ) {
    const args = [name, symbol, burnPercent, salt] as const;
    const data = encodeFunctionData({ abi: tokenFactoryAbi, functionName: "createTokenWithSalt", args });
    return createdToken(await send(from, tokenFactory, data));
  }

  /** Returns the receipt: the token is in it, and so is the trade. With a recipient, by `createFor`. */
  async function createTokenAndBuy(
    value: bigint,
    {
      burnPercent = 50,
      name = "Token",
      symbol = "TKN",
      salt = zeroHash as Hex,
      from = alice,
      minTokensOut = 0n,
      recipient = undefined as Address | undefined,
    } = {},
  ) {
    const args = [name, symbol, burnPercent, salt, minTokensOut] as const;
    const call =
      recipient === undefined
        ? ({ functionName: "createTokenAndBuy", args } as const)
        : ({ functionName: "createFor", args: [...args, recipient] } as const);
    return send(from, tokenFactory, encodeFunctionData({ abi: tokenFactoryAbi, ...call }), value);
  }

  function buy(token: Address, value: bigint, from = alice, minTokensOut = 0n, deadline = forever) {
    const args = [token, minTokensOut, deadline] as const;
    return send(from, launchpad, encodeFunctionData({ abi: launchpadAbi, functionName: "buy", args }), value);
  }

  /** `buyFor`, whose limit is absolute. */
  function buyFor(token: Address, value: bigint, recipient: Address, from = alice, minTokensOut = 0n) {
    const args = [token, recipient, minTokensOut, forever] as const;
    const data = encodeFunctionData({ abi: launchpadAbi, functionName: "buyFor", args });
    return send(from, launchpad, data, value);
  }

  function buyExactOut(token: Address, tokensOut: bigint, value: bigint, from = alice, recipient = from) {
    const args = [token, recipient, tokensOut, forever] as const;
    const data = encodeFunctionData({ abi: launchpadAbi, functionName: "buyExactOut", args });
    return send(from, launchpad, data, value);
  }

  function sellTo(token: Address, amount: bigint, recipient: Address, from = alice, minBnbOut = 0n) {
    const args = [token, recipient, amount, minBnbOut, forever] as const;
    return send(from, launchpad, encodeFunctionData({ abi: launchpadAbi, functionName: "sellTo", args }));
  }

  function sell(token: Address, amount: bigint, from = alice, minBnbOut = 0n, deadline = forever) {
    const args = [token, amount, minBnbOut, deadline] as const;
    return send(from, launchpad, encodeFunctionData({ abi: launchpadAbi, functionName: "sell", args }));
  }

  function permit(
    token: Address,
    { owner, spender, value, deadline, v, r, s }: SignedPermit,
    from = deployer,
  ) {
    const args = [owner, spender, value, deadline, v, r, s] as const;
    return send(from, token, encodeFunctionData({ abi: launchTokenAbi, functionName: "permit", args }));
  }

  function sellWithPermit(
    token: Address,
    { value, deadline, v, r, s }: SignedPermit,
    from = alice,
    minBnbOut = 0n,
  ) {
    const args = [token, value, minBnbOut, deadline, v, r, s] as const;
    const data = encodeFunctionData({ abi: launchpadAbi, functionName: "sellWithPermit", args });
    return send(from, launchpad, data);
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

  const approve = (token: Address, from = alice, spender = launchpad, amount = 2n ** 256n - 1n) =>
    callToken(from, token, "approve", [spender, amount] as never);
  const transfer = (token: Address, from: Address, to: Address, amount: bigint) =>
    callToken(from, token, "transfer", [to, amount] as never);

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
    /** How many transactions were sent, reverted ones included. */
    sent: () => sent,
    addRobot,
    createToken,
    createTokenWithSalt,
    createTokenAndBuy,
    buy,
    buyFor,
    buyExactOut,
    sell,
    sellTo,
    permit,
    sellWithPermit,
    approve,
    transfer,
    ...createReads(publicClient, deployment),
    deploy,
  };
}
