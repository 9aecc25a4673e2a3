import path from "node:path";
import type { Address } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launchTokenAbi } from "../../../abis/LaunchToken.ts";
import { projectDir } from "../../../runtime/ponder/ponder.ts";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../chain/emulated-endpoint.ts";
import type { LaunchpadChain } from "../../chain/launchpad-chain.ts";
import { installMulticall, removeMulticall } from "../../chain/multicall.ts";
import { onlyInLongRun } from "../../run/long-run.ts";
import { chainVariables } from "../../service/indexer.ts";
import { type Program, runProgram } from "../../service/program.ts";
import type { Service } from "../../service/service.ts";
import type { ComparedServed } from "./served.ts";

/** `npm run verify`. */
export function testCommand(served: () => ComparedServed): void {
  let chain: LaunchpadChain;
  let service: Service;
  /** The command's own. */
  let endpoint: EmulatedEndpoint;
  let graduated: Address;
  let mineUntilFinal: ComparedServed["mineUntilFinal"];

  beforeAll(async () => {
    ({ chain, service, graduated, mineUntilFinal } = served());
    endpoint = await startEmulatedEndpoint({ upstream: chain.rpcUrl });
    await removeMulticall(chain);
    await mineUntilFinal();
    await mineUntilFinal();
    await served().untilIndexed();
    // The service can't compare anything itself: all differences are found by the command.
    served().endpoint.set({ states: 5 });
  });

  afterEach(() => endpoint.restore());

  afterAll(() => endpoint?.stop());

  const startVerify = (args: string[] = [], env: Record<string, string> = {}): Program =>
    runProgram(path.join(projectDir, "verify/verify.ts"), {
      env: {
        DATABASE_URL: service.database.url,
        ...chainVariables({ ...chain.indexed(), rpcUrl: endpoint.url, webSocketUrl: undefined }),
        ...env,
      },
      args,
    });

  async function ended(program: Program) {
    return { code: await program.exited, output: program.output() };
  }

  /** Mines while the comparison runs, since it confirms a difference at a later block. */
  async function endedWhileMining(program: Program) {
    while (!program.hasExited()) {
      await mineUntilFinal();
      await service.indexer.untilIndexed(56, await chain.head());
    }
    return await ended(program);
  }

  async function countRows(table: "holder" | "token"): Promise<number> {
    const text = table === "holder" ? "select from onchain.holder" : "select from onchain.token";
    return (await service.database.query(text)).length;
  }

  onlyInLongRun(() => {
    test("nothing is found in a sound index while trading goes on", async () => {
      const program = startVerify();
      const [seller, buyer, other] = chain.traders;
      while (!program.hasExited()) {
        await chain.buyOnDex(buyer, graduated, 10n ** 14n);
        await chain.sellOnDex(seller, graduated, 10n ** 18n);
        await chain.transfer(seller, graduated, other, 1n);
        const token = await chain.create(other);
        await chain.buy(buyer, token, 10n ** 15n);
        await chain.testClient.mine({ blocks: 20 });
        // The node only keeps the state of its last blocks, so the index must not fall behind.
        await service.indexer.untilIndexed(56, await chain.head());
      }
      const { code, output } = await ended(program);
      expect(output).toMatch(/chain 56, block.*: \d+ balances and \d+ tokens .* compared: no difference/);
      expect(code).toBe(0);
    });

    test("an endpoint that refuses batches of more than 3 calls is asked in smaller ones, and every row is compared", async () => {
      await service.indexer.untilIndexed(56, await chain.head());
      endpoint.set({ batchSize: 3 });
      const [balances, tokens] = [await countRows("holder"), await countRows("token")];
      const { code, output } = await ended(startVerify());
      expect(output).toContain(
        `: ${balances} balances and ${tokens} tokens with their curves and pairs compared: no difference`,
      );
      expect(code).toBe(0);
    });

    // The chain keeps the contract.
    test("with Multicall3, hundreds of values are read in one request", async () => {
      await installMulticall(chain);
      await mineUntilFinal();
      await mineUntilFinal();
      await service.indexer.untilIndexed(56, await chain.head());
      endpoint.counts.reset();
      const [balances, tokens] = [await countRows("holder"), await countRows("token")];
      const { code, output } = await ended(startVerify());
      expect(output).toContain(
        `: ${balances} balances and ${tokens} tokens with their curves and pairs compared: no difference`,
      );
      expect(code).toBe(0);
      // Three are of the check of the settings.
      const most =
        3 + Math.ceil((6 * tokens) / 400) + Math.ceil(balances / 400) + Math.ceil(balances / 1_000);
      expect(endpoint.counts.byMethod().eth_call?.requests).toBeLessThanOrEqual(most);
    });
  });

  /** Makes the index one of an earlier version, whose rows may differ. */
  const forgetRowsVersion = () =>
    service.database.query("update onchain._ponder_meta set value = value - 'rows_version'");
  const hasRowsVersion = async () =>
    (await service.database.query("select from onchain._ponder_meta where value ? 'rows_version'")).length ===
    1;

  onlyInLongRun(() => {
    test("a comparison of everything that finds nothing confirms the index of another version", async () => {
      await forgetRowsVersion();
      expect(await ended(startVerify())).toMatchObject({ code: 0 });
      expect(await hasRowsVersion()).toBe(true);
    });

    test("a sample has so many rows, and confirms nothing", async () => {
      await forgetRowsVersion();
      const { code, output } = await ended(startVerify(["--sample", "40"]));
      expect(await hasRowsVersion()).toBe(false);
      expect(output).toContain(
        "36 balances and 4 tokens with their curves and pairs compared: no difference",
      );
      expect(code).toBe(0);
    });

    test("without an endpoint, without an index or with a wrong flag, the error says what to do", async () => {
      endpoint.set({ down: true });
      const [unreachable, unknownSchema, wrongFlag] = await Promise.all([
        ended(startVerify()),
        ended(startVerify([], { DATABASE_SCHEMA: "elsewhere", PONDER_RPC_URL_56: chain.rpcUrl })),
        ended(startVerify(["--sample", "some"])),
      ]);
      expect(unreachable.output).toContain(
        "chain 56 can't be read, so nothing is said about the index (PONDER_RPC_URL_56)",
      );
      expect(unknownSchema.output).toContain(
        "chain 56 has no index in the schema elsewhere: start the service",
      );
      expect(wrongFlag.output).toContain("--sample is a whole number");
      expect([unreachable.code, unknownSchema.code, wrongFlag.code]).toEqual([2, 2, 2]);
    });
  });

  /** The tokens whose repair was requested, the last one last. */
  async function requested(): Promise<string[]> {
    const requests = await service.database.query<{ token: string }>(
      "select token from offchain.repair_request where cause = 'difference' order by id",
    );
    return requests.map((request) => request.token);
  }

  // The last test, since it leaves a false index.
  test("false rows and missing holders are found and named, and --repair requests the repair of their tokens", async () => {
    const { falsify } = service.database;
    const earlier = await requested();
    const [first, second, third] = chain.traders.map((trader) => trader.toLowerCase());
    const [token, lost] = [await chain.create(chain.traders[0]), await chain.create(chain.traders[0])];
    for (const trader of chain.traders.slice(0, 3)) {
      await chain.buy(trader, token, 10n ** 15n);
      await chain.buy(trader, lost, 10n ** 15n);
    }
    await mineUntilFinal();
    await mineUntilFinal();
    await service.indexer.untilIndexed(56, await chain.head());
    const [balance, lostBalance, supply] = await Promise.all([
      chain.balanceOf(token, chain.traders[1]),
      chain.balanceOf(lost, chain.traders[2]),
      chain.publicClient.readContract({ address: token, abi: launchTokenAbi, functionName: "totalSupply" }),
    ]);
    await falsify("update onchain.holder set balance_raw = 7 where token = $1 and account = $2", [
      token.toLowerCase(),
      second,
    ]);
    await falsify("delete from onchain.holder where token = $1 and account = $2", [
      lost.toLowerCase(),
      third,
    ]);
    await falsify("update onchain.curve set tokens_sold = 5, graduated = true where token = $1", [
      token.toLowerCase(),
    ]);
    await falsify("update onchain.token set creator = $2 where address = $1", [lost.toLowerCase(), second]);
    await falsify("update onchain.dex_pair set bnb_reserves_wei = 3 where token = $1", [
      graduated.toLowerCase(),
    ]);
    const pair = (await chain.pairOf(graduated)).toLowerCase();

    const { code, output } = await endedWhileMining(startVerify(["--repair"]));
    const expectLine = (of: Address, what: string, ours: string, onChain: string) =>
      expect(output).toMatch(
        new RegExp(
          `chain 56: token ${of.toLowerCase()}: ${what} is ${ours} in the index, and ${onChain} on the chain \\(block \\d+\\)`,
        ),
      );
    expectLine(token, `balance of ${second}`, "7", String(balance));
    expectLine(token, "tokensSold", "5", "\\d+");
    expectLine(token, "graduated", "1", "0");
    expectLine(lost, "creator", `${second}`, `${first}`);
    expectLine(graduated, `bnbReserves of ${pair}`, "3", "\\d+");
    expectLine(token, "the sum of all balances", String(supply - balance + 7n), String(supply));
    expectLine(lost, "the sum of all balances", String(supply - lostBalance), String(supply));
    expect(output).toContain("compared: 7 differences");
    expect(code).toBe(1);
    expect(output).toContain("the repair of 3 tokens is requested");
    expect((await requested()).slice(earlier.length).sort()).toEqual(
      [token, lost, graduated].map((mint) => mint.toLowerCase()).sort(),
    );
  });
}
