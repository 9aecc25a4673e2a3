import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testKey } from "../../local/anvil.ts";
import { projectDir } from "../../runtime/ponder.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../support/launchpad-chain.ts";
import { runProgram } from "../support/program.ts";
import { type Service, startService } from "../support/service.ts";

/* The example that agents start from: the script itself, against the running service. */

const script = path.join(projectDir, "examples/launch-token.mjs");

let chain: LaunchpadChain;
let service: Service;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  service = await startService([chain]);
  await service.indexer.untilReady();
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
});

test("goes from the manifest to a graduated token without a manual step", async () => {
  const program = runProgram(script, {
    env: { API_URL: service.indexer.url, RPC_URL: chain.rpcUrl, PRIVATE_KEY: testKey },
  });
  expect(await program.exited, program.output()).toBe(0);
  const mint = program.output().match(/ at (0x[0-9a-fA-F]{40})/)?.[1];
  const list = (await (await fetch(`${service.indexer.url}/api/tokens?board=listed`)).json()) as {
    tokens: object[];
  };
  expect(list.tokens).toMatchObject([
    { mint: mint?.toLowerCase(), name: "Example Otter", graduated: true, progress: 100, holderCount: 1 },
  ]);
});

test("the README shows it as it is", () => {
  const readme = readFileSync(path.join(projectDir, "README.md"), "utf8");
  expect(readme).toContain(readFileSync(script, "utf8").trim());
});
