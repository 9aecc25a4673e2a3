import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { cp, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Address, getContractAddress, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import { deployLaunchpad } from "../../contracts/deploy.ts";
import { type Anvil, accounts, startAnvil } from "../../test/chain/anvil.ts";
import { onlyInLongRun, sized } from "../../test/run/long-run.ts";
import { programEnvironment } from "../../test/service/program-environment.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const cli = fileURLToPath(new URL("vanity.ts", import.meta.url));
const deployer: Address = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const hash: Hex = `0x${"22".repeat(32)}`;
const contract = ["--deployer", deployer, "--init-code-hash", hash];

/** Whatever a developer's .env.local says, no chain is configured: what is set already wins, and empty is unset. */
const noChains = Object.fromEntries(
  [56, 97].flatMap((id) =>
    ["PONDER_RPC_URL", "TOKEN_FACTORY_ADDRESS", "LAUNCHPAD_ADDRESS"].map((name) => [`${name}_${id}`, ""]),
  ),
);

/** Whether a worker of the process has run for 0.3 s, more than its start takes. By then the process listens to signals. */
function isSearching(pid: number | undefined): boolean {
  return readdirSync(`/proc/${pid}/task`).some((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    const [, name, ticks] = /\((.*)\) \w(?: \S+){10} (\d+)/.exec(stat) ?? [];
    return name?.startsWith("WorkerThread") && Number(ticks) >= 30;
  });
}

function run(args: string[], env: Record<string, string> = {}, folder = project) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [path.join(folder, path.relative(project, cli)), ...args],
      { env: { ...programEnvironment(), ...noChains, ...env } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

function read(stdout: string): { salt: Hex; address: Address } {
  const [, salt, address] = stdout.match(/^salt {5}(0x[0-9a-f]{64})\naddress {2}(0x[0-9a-f]{40})\n$/) ?? [];
  return { salt: salt as Hex, address: address as Address };
}

describe("without a chain", () => {
  test("prints salt and address, and nothing else where there is no terminal", async () => {
    const { code, stdout, stderr } = await run(["--prefix", "0xA", "--suffix", "fE", ...contract]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { salt, address } = read(stdout);
    expect(address).toMatch(/^0xa.*fe$/);
    const created = getContractAddress({ opcode: "CREATE2", from: deployer, salt, bytecodeHash: hash });
    expect(address).toBe(created.toLowerCase());
  });

  test("ends quietly when it is interrupted", async () => {
    const endless = [cli, "--suffix", "0".repeat(20), "--threads", "1", ...contract];
    const child = spawn(process.execPath, endless, {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        output += data;
      });
    }
    await expect.poll(() => isSearching(child.pid), { timeout: 20_000 }).toBe(true);
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect({ code, output }).toEqual({ code: 130, output: "" });
  });

  onlyInLongRun(() => {
    test("shows its help", async () => {
      const { code, stdout } = await run(["--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain("--init-code-hash");
    });
  });

  const refused: [string[], string][] = [
    [
      ["--suffix", "5afe", "--name", "A", "--symbol", "A"],
      "chain 56 is not configured: set PONDER_RPC_URL_56",
    ],
    [["--sufix", "5afe"], "there is no --sufix: did you mean --suffix?"],
  ];

  test.each(sized({ usual: refused.slice(0, 1), long: refused }))(
    "%j: one line, and exit code 2",
    async (args, message) => {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(message);
      expect(stderr.trimEnd()).not.toContain("\n");
    },
  );

  onlyInLongRun(() => {
    test("names a variable that .env.local sets twice", async () => {
      const { folder, remove } = await temporaryFolder();
      try {
        for (const name of ["abis", "chain-access", "config", "runtime", "salt-search", "package.json"])
          await cp(path.join(project, name), path.join(folder, name), { recursive: true });
        await symlink(path.join(project, "node_modules"), path.join(folder, "node_modules"));
        await writeFile(path.join(folder, ".env.local"), "START_BLOCK_56=1\nSTART_BLOCK_56=2\n");
        const { stderr } = await run(["--suffix", "5afe", "--name", "A", "--symbol", "A"], {}, folder);
        expect(stderr).toContain(".env.local sets START_BLOCK_56 more than once, in the lines 1, 2");
      } finally {
        await remove();
      }
    });
  });
});

describe("with a configured chain", () => {
  let anvil: Anvil;
  let variables: Record<string, string>;

  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 97 });
    const deployment = await deployLaunchpad({ rpcUrl: anvil.rpcUrl, account: accounts[0] as never });
    variables = {
      PONDER_RPC_URL_97: anvil.rpcUrl,
      TOKEN_FACTORY_ADDRESS_97: deployment.tokenFactory,
      LAUNCHPAD_ADDRESS_97: deployment.launchpad,
      START_BLOCK_97: String(deployment.startBlock),
    };
  });
  afterAll(() => anvil?.stop());

  const otter = ["--suffix", "5afe", "--name", "Brave Otter", "--symbol", "OTTER"];

  test("finds what the factory predicts", async () => {
    const { code, stdout, stderr } = await run(otter, variables);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { salt, address } = read(stdout);
    const predicted = await anvil.publicClient.readContract({
      address: variables.TOKEN_FACTORY_ADDRESS_97 as Address,
      abi: tokenFactoryAbi,
      functionName: "predictTokenAddress",
      args: ["Brave Otter", "OTTER", salt],
    });
    expect(predicted.toLowerCase()).toBe(address);
  });

  test("says what is wrong with the environment or the chain, without the endpoint", async () => {
    const wrong = await run(otter, { ...variables, START_BLOCK_97: "soon" });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("START_BLOCK_97 is wrong") });

    const noContract = { ...variables, TOKEN_FACTORY_ADDRESS_97: `0x${"12".repeat(20)}` };
    const unanswered = await run(otter, noContract);
    expect(unanswered).toMatchObject({ code: 1, stdout: "" });
    expect(unanswered.stderr).toContain("The chain can't be read");
    expect(unanswered.stderr).not.toContain(anvil.rpcUrl);
  });
});
