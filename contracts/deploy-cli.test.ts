import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, parseEnv } from "node:util";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchpadAbi } from "../abis/Launchpad.ts";
import { readEnvironment } from "../config/env.ts";
import { type Anvil, accounts, startAnvil } from "../test/chain/anvil.ts";
import { programEnvironment } from "../test/service/program-environment.ts";
import { deployLaunchpad, type LaunchpadDeployment } from "./deploy.ts";
import { type DeploymentFile, deployFromEnvironment } from "./deploy-from-environment.ts";
import { artifact } from "./test/outcomes.ts";

/** Anvil's first account, whose key is public knowledge. */
const key = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const nobody = "0x00000000000000000000000000000000000000aa";

let anvil: Anvil;
let deployed: LaunchpadDeployment;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deployment-"));
  anvil = await startAnvil({ chainId: 97 });
  deployed = await deployLaunchpad({ rpcUrl: anvil.rpcUrl, account: accounts[1] as never });
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await anvil?.stop();
});

type Variables = Record<string, string | undefined>;

const variablesFor = ({ rpcUrl }: Anvil) => ({ RPC_URL: rpcUrl, DEPLOYER_PRIVATE_KEY: key });

/** What the program does and prints, without a process for it. */
const deploy = async (variables: Variables, to = anvil) =>
  (await deployFromEnvironment({ ...variablesFor(to), ...variables })).lines.join("\n");

function run(variables: Variables) {
  const env = { ...programEnvironment(), ...variablesFor(anvil), ...variables };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, "deploy-cli.ts")],
      // It writes a file.
      { env, cwd: folder },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const dexVariables = () => ({
  DEX_FACTORY: deployed.dexFactory,
  DEX_ROUTER: deployed.router,
  WBNB: deployed.wbnb,
});

test("deploys no DEX where PancakeSwap is missing, unless told to", async () => {
  const nonce = () => anvil.publicClient.getTransactionCount({ address: accounts[0]?.address as never });
  const before = await nonce();
  const { code, stdout, stderr } = await run({});
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("Chain 97: PancakeSwap V2 is not at 0x6725F303b657a9451d8BA641348b6761A6CC7a17");
  expect(stderr).toContain("DEPLOY_DEX=1");
  expect(await nonce()).toBe(before);
});

test("deploys a DEX to a development chain, and nothing to a chain without a known PancakeSwap", async () => {
  const [development, ethereum] = await Promise.all([
    startAnvil({ chainId: 31_337 }),
    startAnvil({ chainId: 1 }),
  ]);
  try {
    expect(await deploy({}, development)).toContain("# DEX deployed too: ");
    await expect(deploy({}, ethereum)).rejects.toThrow("Chain 1: it has no PancakeSwap V2 that we know");
  } finally {
    await Promise.all([development.stop(), ethereum.stop()]);
  }
});

test("deploys, and prints the service's environment with the DEX as a comment", async () => {
  const { code, stdout, stderr } = await run({ DEPLOY_DEX: "1" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines.filter((line) => !line.startsWith("#")).map((line) => line.split("=")[0])).toEqual([
    "TOKEN_FACTORY_ADDRESS_97",
    "LAUNCHPAD_ADDRESS_97",
    "START_BLOCK_97",
  ]);
  expect(stdout).toMatch(/^# DEX deployed too: DEX_FACTORY=0x\w{40} DEX_ROUTER=0x\w{40} WBNB=0x\w{40}$/m);

  const launchpad = stdout.match(/^LAUNCHPAD_ADDRESS_97=(.*)$/m)?.[1] as `0x${string}`;
  const factory = await anvil.publicClient.readContract({
    address: launchpad,
    abi: launchpadAbi,
    functionName: "factory",
  });
  expect(stdout).toContain(`TOKEN_FACTORY_ADDRESS_97=${factory}\n`);

  // The service reads the file in place of the variables.
  const file = join(
    folder,
    stdout.match(/^# In place .*: DEPLOYMENT_97=(deployment-97-\d+\.json)$/m)?.[1] ?? "",
  );
  const chains = (variables: Variables) =>
    readEnvironment({ PONDER_RPC_URL_97: anvil.rpcUrl, ...variables }).chains;
  expect(chains({ DEPLOYMENT_97: file })).toEqual(chains(parseEnv(stdout)));

  // What explorers need to verify the contracts is what they were created with.
  const deployment: DeploymentFile = JSON.parse(readFileSync(file, "utf8"));
  expect(stdout).toContain(`# constructor arguments of both: ${deployment.constructorArguments}`);
  const { transactions } = await anvil.publicClient.getBlock({
    blockNumber: BigInt(deployment.startBlock),
    includeTransactions: true,
  });
  const { bytecode } = artifact("TokenFactory");
  expect(transactions.map(({ input }) => input)).toContain(`${bytecode}${deployment.constructorArguments}`);
});

test("refuses a chain other than the expected one, before anything is paid", async () => {
  await expect(deploy({ ...dexVariables(), EXPECT_CHAIN_ID: "56" })).rejects.toThrow(
    "EXPECT_CHAIN_ID is 56, and RPC_URL leads to chain 97",
  );
  expect(await deploy({ ...dexVariables(), EXPECT_CHAIN_ID: "97" })).toContain("TOKEN_FACTORY_ADDRESS_97=");
});

test("uses a given DEX, and accepts a key without 0x", async () => {
  const printed = await deploy({ ...dexVariables(), DEPLOYER_PRIVATE_KEY: key.slice(2) });
  expect(printed).toContain(`# DEX in use: DEX_FACTORY=${deployed.dexFactory}`);
});

test("uses the chain's PancakeSwap if there is one", async () => {
  const pancakeSwap = {
    dexFactory: "0x6725F303b657a9451d8BA641348b6761A6CC7a17",
    router: "0xD99D1c33F9fC3444f8101754aBC46c52416550D1",
    wbnb: "0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd",
  } as const;
  for (const part of ["dexFactory", "router", "wbnb"] as const) {
    const code = (await anvil.publicClient.getCode({ address: deployed[part] })) ?? "0x";
    // The router's code contains the addresses of the other two.
    const bytecode = code
      .replaceAll(deployed.dexFactory.slice(2).toLowerCase(), pancakeSwap.dexFactory.slice(2).toLowerCase())
      .replaceAll(deployed.wbnb.slice(2).toLowerCase(), pancakeSwap.wbnb.slice(2).toLowerCase());
    await anvil.testClient.setCode({ address: pancakeSwap[part], bytecode: bytecode as `0x${string}` });
  }
  for (const variables of [{}, { DEPLOY_DEX: "1" }]) {
    expect(await deploy(variables)).toContain(
      `# DEX in use: DEX_FACTORY=${pancakeSwap.dexFactory} DEX_ROUTER=${pancakeSwap.router} WBNB=${pancakeSwap.wbnb}`,
    );
  }
});

const wrong: [string, () => Variables, string][] = [
  ["no RPC_URL", () => ({ RPC_URL: undefined }), "RPC_URL must be set"],
  ["an invalid RPC_URL", () => ({ RPC_URL: "localhost:8545" }), "RPC_URL is not an http or https URL"],
  ["an RPC_URL where nobody is", () => ({ RPC_URL: "http://127.0.0.1:1" }), "RPC_URL: no Ethereum node"],
  ["no key", () => ({ DEPLOYER_PRIVATE_KEY: " " }), "DEPLOYER_PRIVATE_KEY must be set"],
  [
    "a short key",
    () => ({ DEPLOYER_PRIVATE_KEY: key.slice(0, -2) }),
    "DEPLOYER_PRIVATE_KEY is not a private key",
  ],
  [
    "a zero key",
    () => ({ DEPLOYER_PRIVATE_KEY: "0".repeat(64) }),
    "DEPLOYER_PRIVATE_KEY is not a private key",
  ],
  ["an account without BNB", () => ({ DEPLOYER_PRIVATE_KEY: generatePrivateKey() }), "exceeds the balance"],
  ["an unclear EXPECT_CHAIN_ID", () => ({ EXPECT_CHAIN_ID: "bsc" }), "EXPECT_CHAIN_ID is not a chain id"],
  ["half a DEX", () => ({ DEX_FACTORY: nobody }), "DEX_ROUTER must be set"],
  ["an unclear DEPLOY_DEX", () => ({ DEPLOY_DEX: "yes" }), "DEPLOY_DEX must be 1"],
  [
    "a DEX to use and one to deploy",
    () => ({ ...dexVariables(), DEPLOY_DEX: "1" }),
    "DEPLOY_DEX must be left out",
  ],
  ["an invalid address", () => ({ ...dexVariables(), WBNB: "0x12" }), "WBNB is not an address"],
  ["an address of nothing", () => ({ ...dexVariables(), WBNB: nobody }), "WBNB: there is no contract"],
  [
    "a contract that is not a router",
    () => ({ ...dexVariables(), DEX_ROUTER: deployed.wbnb }),
    "is not a Uniswap V2 router",
  ],
  [
    "a factory of no router",
    () => ({ ...dexVariables(), DEX_FACTORY: deployed.wbnb }),
    "DEX_FACTORY: DEX_ROUTER works",
  ],
];

test.each(wrong)("fails with one line about %s, and never shows the key", async (_, variables, message) => {
  const failure: Error = await deploy(variables()).then(
    () => expect.unreachable("deployed"),
    (error) => error,
  );
  expect(failure.message).toContain(message);
  expect(failure.message).not.toContain("\n");
  expect(inspect(failure)).not.toContain(key.slice(2, 20));
});

test("as a program, ends with one line about what is wrong, and never shows the key", async () => {
  const { code, stdout, stderr } = await run({ DEPLOYER_PRIVATE_KEY: `${key.slice(0, -2)}zz` });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toContain("DEPLOYER_PRIVATE_KEY is not a private key");
  expect(stderr).not.toContain(key.slice(2, 20));
});
