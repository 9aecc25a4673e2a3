import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testKey } from "../../local/anvil.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { type LaunchpadChain, startLaunchpadChain } from "../chain/launchpad-chain.ts";
import { runProgram } from "../service/program.ts";
import { type Service, startService } from "../service/service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* The example that agents start from: the script itself, against the running service. */

const script = path.join(projectDir, "examples/launch-token.mjs");

let chain: LaunchpadChain;
let service: Service;
let place: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  place = await temporaryFolder();
  service = await startService([chain], { env: { DATA_DIR: place.folder } });
  await service.indexer.untilReady();
});

afterAll(async () => {
  await service?.stop();
  await chain?.stop();
  await place?.remove();
});

test("goes from the manifest to a graduated token without a manual step", async () => {
  const program = runProgram(script, {
    env: { API_URL: service.indexer.url, RPC_URL: chain.rpcUrl, PRIVATE_KEY: testKey },
  });
  expect(await program.exited, program.output()).toBe(0);
  const mint = program.output().match(/ at (0x[0-9a-fA-F]{36}5afe)\n/)?.[1];
  const list = (await (await fetch(`${service.indexer.url}/api/tokens?board=listed`)).json()) as {
    tokens: object[];
  };
  expect(list.tokens).toMatchObject([
    { mint: mint?.toLowerCase(), name: "Example Otter", graduated: true, progress: 100, holderCount: 1 },
  ]);
  const metadata = (await (await fetch(`${service.indexer.url}/api/metadata/${mint}`)).json()) as {
    image: string;
  };
  const image = await fetch(`${service.indexer.url}/ipfs/${metadata.image.replace("ipfs://", "")}`);
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
});
