import { type Address, getContractAddress, type Hex, hexToBytes } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tokenFactoryAbi } from "../abis/TokenFactory.ts";
import { deployLaunchpad, type LaunchpadDeployment } from "../contracts/deploy.ts";
import { type Anvil, accounts, startAnvil } from "../test/chain/anvil.ts";
import { createInitCodeHasher } from "./find-salt.ts";
import { createSaltPool } from "./pool.ts";
import { checkTokenText, createSaltService, TokenTextError } from "./salt-service.ts";

const pool = createSaltPool({ workers: 1 });
let anvil: Anvil;
let deployment: LaunchpadDeployment;

beforeAll(async () => {
  anvil = await startAnvil();
  const [account] = accounts;
  if (account === undefined) throw new Error("anvil has no account");
  deployment = await deployLaunchpad({ rpcUrl: anvil.rpcUrl, account });
});

afterAll(async () => {
  await pool.close();
  await anvil?.stop();
});

const factory = () => ({ address: deployment.tokenFactory, abi: tokenFactoryAbi }) as const;
const readCreationCode = () =>
  anvil.publicClient.readContract({ ...factory(), functionName: "tokenCreationCode" });

function serviceOf(parts: Partial<Parameters<typeof createSaltService>[0]> = {}) {
  return createSaltService({
    pool,
    tokenFactories: new Map([[56, deployment.tokenFactory]]),
    readCreationCode,
    ...parts,
  });
}

const otter = { chainId: 56, name: "Brave Otter", symbol: "OTTER", suffix: "5afe" };

describe("on a chain", () => {
  test.each([
    ["Brave Otter", "OTTER"],
    ["勇敢なカワウソ 🦦", "🦦"],
    ["x".repeat(64), "y".repeat(16)],
    ["ひ".repeat(21), "é".repeat(8)],
    ["\0", "\u{10ffff}"],
  ])("the token %j (%j) is created at the address that was found", async (name, symbol) => {
    const [walletClient] = anvil.walletClients;
    if (walletClient === undefined) throw new Error("anvil has no account");
    const creator = walletClient.account.address;
    const { salt, address } = await serviceOf().find({ ...otter, name, symbol, creator });
    expect(address).toMatch(/5afe$/);
    expect(salt.startsWith(creator.toLowerCase())).toBe(true);
    const hash = await walletClient.writeContract({
      ...factory(),
      functionName: "createTokenWithSalt",
      args: [name, symbol, 30, salt],
      gas: 8_000_000n,
    });
    const { status } = await anvil.publicClient.waitForTransactionReceipt({ hash });
    expect(status).toBe("success");
    const [recorded] = await anvil.publicClient.readContract({
      ...factory(),
      functionName: "tokens",
      args: [address],
    });
    expect(recorded).toBe(creator);
    expect(await anvil.publicClient.getCode({ address })).not.toBeUndefined();
  });

  test("hashes the init code that the factory uses", async () => {
    const hashInitCode = createInitCodeHasher();
    const creationCode = hexToBytes(await readCreationCode());
    for (const [name, symbol] of [
      ["Name", "SYM"],
      ["ひ".repeat(21), "é"],
    ] as const) {
      const salt: Hex = `0x${"07".repeat(32)}`;
      const predicted = await anvil.publicClient.readContract({
        ...factory(),
        functionName: "predictTokenAddress",
        args: [name, symbol, salt],
      });
      const bytecodeHash = hashInitCode(creationCode, name, symbol);
      const from = deployment.tokenFactory;
      expect(getContractAddress({ opcode: "CREATE2", from, salt, bytecodeHash })).toBe(predicted);
    }
  });
});

test("without a creator, a salt is bound to nobody", async () => {
  const { salt } = await serviceOf().find({ ...otter, suffix: "5a" });
  expect(salt).toMatch(/^0x0{40}[0-9a-f]{24}$/);
});

test("a known address is not returned", async () => {
  const asked: [number, Address][] = [];
  const service = serviceOf({
    isKnown: async (chainId, address) => asked.push([chainId, address]) < 3,
  });
  const { address } = await service.find({ ...otter, suffix: "5a" });
  expect(asked).toHaveLength(3);
  expect(asked[2]).toEqual([56, address]);
});

test("the creation code is read once, and again after a failure", async () => {
  let reads = 0;
  const service = serviceOf({
    readCreationCode: async () => {
      if (++reads === 1) throw new Error("no endpoint");
      return await readCreationCode();
    },
  });
  const query = { ...otter, suffix: "5a" };
  await expect(service.find(query)).rejects.toThrow("no endpoint");
  await Promise.all([service.find(query), service.find(query)]);
  await service.find(query);
  expect(reads).toBe(2);
});

test("a chain without a factory is refused", async () => {
  await expect(serviceOf().find({ ...otter, chainId: 97 })).rejects.toThrow("no TokenFactory on chain 97");
});

describe("checkTokenText", () => {
  test.each([
    ["", "A", "The name must have 1 to 64 bytes of UTF-8; it has 0"],
    ["x".repeat(65), "A", "The name must have 1 to 64 bytes of UTF-8; it has 65"],
    ["ひ".repeat(22), "A", "The name must have 1 to 64 bytes of UTF-8; it has 66"],
    ["A", "", "The symbol must have 1 to 16 bytes of UTF-8; it has 0"],
    ["A", `${"é".repeat(8)}x`, "The symbol must have 1 to 16 bytes of UTF-8; it has 17"],
    ["\ud83e", "A", "The name is not well-formed Unicode"],
  ])("refuses %j, %j", (name, symbol, message) => {
    expect(() => checkTokenText(name, symbol)).toThrow(TokenTextError);
    expect(() => checkTokenText(name, symbol)).toThrow(message);
  });
});
