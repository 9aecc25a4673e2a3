import { type Address, encodeFunctionData, getAddress, parseEther, parseEventLogs, zeroAddress } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { launchTokenAbi } from "../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../abis/TokenFactory.ts";
import { alice, deployer, fullPrice, type Harness, milliBnb, startHarness } from "./test/harness.ts";
import { robot } from "./test/market-invariants.ts";
import { boundSalt, createdToken, expectRevert } from "./test/outcomes.ts";
import { signPermit } from "./test/permits.ts";

/* The caller is who counts, not who sent the transaction: here a contract, `robot`, for which the deployer sends them all. */

let chain: Harness;

beforeAll(async () => {
  chain = await startHarness();
  await chain.addRobot(robot);
});

afterAll(() => chain?.stop());

const bnbOf = (address: Address) => chain.publicClient.getBalance({ address });

/** Returns by how much the robot's BNB changes, which pays for no gas. */
async function spending(run: () => Promise<unknown>): Promise<bigint> {
  const before = await bnbOf(robot);
  await run();
  return (await bnbOf(robot)) - before;
}

test("a contract that creates tokens is their creator, with addresses of its own", async () => {
  const ofDeployer = await chain.predictNextTokenAddress(deployer);
  for (let count = 0; count < 2; count++) {
    const next = await chain.predictNextTokenAddress(robot);
    const token = await chain.createToken({ from: robot });
    expect(token).toBe(next);
    expect(await chain.creatorOf(token)).toBe(robot);
  }
  expect(await chain.predictNextTokenAddress(deployer)).toBe(ofDeployer);

  const bound = await chain.createTokenWithSalt(boundSalt(robot, 1), { from: robot });
  expect(await chain.creatorOf(bound)).toBe(robot);
  const foreign = boundSalt(deployer, 1);
  await expectRevert(chain.createTokenWithSalt(foreign, { from: robot }), "SaltOfAnotherAccount", [
    deployer,
    robot,
  ]);
});

test("a contract that creates and buys gets the tokens and the rest of its BNB, or its recipient gets the tokens", async () => {
  for (const recipient of [undefined, alice]) {
    let token: Address = zeroAddress;
    const paid = await spending(async () => {
      const receipt = await chain.createTokenAndBuy(2n * fullPrice, {
        from: robot,
        ...(recipient && { recipient }),
      });
      token = createdToken(receipt);
      const logs = parseEventLogs({ abi: [...tokenFactoryAbi, ...launchpadAbi], logs: receipt.logs });
      const of = (name: string) => logs.find(({ eventName }) => eventName === name)?.args;
      expect(of("TokenCreated")).toMatchObject({ creator: robot });
      expect(of("CurveOpened")).toMatchObject({ creator: robot });
      expect(of("Trade")).toMatchObject({ trader: recipient ?? robot });
    });
    expect(paid).toBe(-fullPrice);
    expect(await chain.balanceOf(token, recipient ?? robot)).toBe((await chain.curve(token)).totalToSell);
    expect(await chain.creatorOf(token)).toBe(robot);
  }
});

test("a contract that buys and sells pays, is paid, and gets back what is too much", async () => {
  const token = await chain.createToken({ from: alice });
  expect(await spending(() => chain.buy(token, milliBnb, robot))).toBe(-milliBnb);
  const bought = await chain.balanceOf(token, robot);
  expect(bought).toBe((await chain.curve(token)).tokensSold);
  expect(await spending(() => chain.buyFor(token, milliBnb, alice, robot))).toBe(-milliBnb);
  expect(await chain.balanceOf(token, robot)).toBe(bought);
  const exact = await spending(() => chain.buyExactOut(token, 10n ** 18n, milliBnb, robot));
  expect(exact).toBeLessThan(0n);
  expect(exact).toBeGreaterThan(-milliBnb);
  expect(await chain.balanceOf(token, robot)).toBe(bought + 10n ** 18n);

  await chain.approve(token, robot);
  const curveBefore = await bnbOf(chain.launchpad);
  const received = await spending(() => chain.sell(token, bought / 4n, robot));
  expect(received).toBe(curveBefore - (await bnbOf(chain.launchpad)));
  expect(await spending(() => chain.sellTo(token, bought / 4n, alice, robot))).toBe(0n);

  // The signature of whoever sends the transaction is not the contract's.
  const permit = await signPermit(chain, token, { owner: deployer, value: bought / 4n });
  expect(await spending(() => chain.sellWithPermit(token, permit, robot))).toBeGreaterThan(0n);
  const nonce = { address: token, abi: launchTokenAbi, functionName: "nonces", args: [deployer] } as const;
  expect(await chain.publicClient.readContract(nonce)).toBe(0n);
  expect(await chain.balanceOf(token, robot)).toBe(bought + 10n ** 18n - 3n * (bought / 4n));

  const ofToken = { abi: launchpadAbi, eventName: "Trade", args: { token }, fromBlock: 0n } as const;
  const trades = await chain.publicClient.getContractEvents({ address: chain.launchpad, ...ofToken });
  expect(trades.map(({ args }) => args.trader)).toEqual([robot, alice, robot, robot, robot, robot]);
});

test("refusals name the contract that calls", async () => {
  const token = await chain.createToken();
  const open = encodeFunctionData({ abi: launchpadAbi, functionName: "openCurve", args: [token, robot, 50] });
  await expectRevert(chain.send(robot, chain.launchpad, open), "NotFactory", [robot]);
  const lock = encodeFunctionData({
    abi: launchTokenAbi,
    functionName: "lockPair",
    args: [getAddress(alice)],
  });
  await expectRevert(chain.send(robot, token, lock), "NotLaunchpad", [robot]);
  await expectRevert(
    chain.buyExactOut(token, 10n ** 24n, parseEther("0.000000001"), robot),
    "InsufficientInput",
  );
});
