import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { testKey } from "../../local/anvil.ts";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { runProgram } from "../service/program.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";

/* The example script that agents start from, run against the service. */

const script = path.join(projectDir, "examples/launch-token.mjs");

let shared: SharedService;

beforeAll(async () => {
  shared = await sharedService();
});

test("goes from the manifest to a graduated token without a manual step", async () => {
  const { url } = shared.service.indexer;
  const program = runProgram(script, {
    env: { API_URL: url, RPC_URL: shared.chain.rpcUrl, PRIVATE_KEY: testKey },
  });
  expect(await program.exited, program.output()).toBe(0);
  const mint = program.output().match(/ at (0x[0-9a-fA-F]{36}5afe)\n/)?.[1];
  const list = (await (await fetch(`${url}/api/tokens?board=listed&mint=${mint}`)).json()) as {
    tokens: object[];
  };
  expect(list.tokens).toMatchObject([
    { mint: mint?.toLowerCase(), name: "Example Otter", graduated: true, progress: 100, holderCount: 1 },
  ]);
  const metadata = (await (await fetch(`${url}/api/metadata/${mint}`)).json()) as {
    image: string;
  };
  const image = await fetch(`${url}/ipfs/${metadata.image.replace("ipfs://", "")}`);
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
});
