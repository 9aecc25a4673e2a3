import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EnvironmentError, readEnvironment } from "./env.ts";

const addresses = {
  tokenFactory: "0xAbCdEf0123456789abcdef0123456789ABCDEF01",
  launchpad: "0x00000000000000000000000000000000000000b0",
};
const deployment = { chainId: 56, ...addresses, startBlock: 123, router: "whatever" };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "deployment-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Reads an environment with a file of this content, which is text or JSON. */
function read(content: unknown, more: Record<string, string> = {}) {
  const file = path.join(folder, "deployment.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return readEnvironment({ PONDER_RPC_URL_56: "https://rpc.example", DEPLOYMENT_56: file, ...more });
}

function problemsOf(content: unknown, more?: Record<string, string>): string[] {
  try {
    read(content, more);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
  throw new Error("expected an EnvironmentError");
}

test("a deployment file replaces both addresses and the start block", () => {
  expect(read(deployment).chains).toMatchObject([
    { id: 56, ...addresses, tokenFactory: addresses.tokenFactory.toLowerCase(), startBlock: 123 },
  ]);
});

test("a file that an editor has begun with a byte order mark is read too", () => {
  expect(read(`\ufeff${JSON.stringify(deployment)}\r\n`).chains).toMatchObject([{ startBlock: 123 }]);
});

test.each([
  [{ ...deployment, chainId: 97 }, "is of chain 97"],
  [{ ...deployment, launchpad: "0x12" }, "has a wrong launchpad"],
  [{ ...deployment, startBlock: undefined }, "has a wrong startBlock"],
  [{ ...deployment, startBlock: -1 }, "has a wrong startBlock"],
  ["TOKEN_FACTORY_ADDRESS_56=0x12", "is not JSON"],
  ["[]", "has a wrong form"],
])("%j is refused, in one line: it %s", (content, problem) => {
  expect(problemsOf(content, { BNB_USD_FEED_ADDRESS_56: addresses.launchpad })).toEqual([
    `DEPLOYMENT_56 is wrong: the file that it names ${problem}`,
  ]);
});

test("a missing file is refused, and so are a file and variables, and a file without an endpoint", () => {
  expect(problemsOf(deployment, { DEPLOYMENT_56: path.join(folder, "none.json") })).toEqual([
    "DEPLOYMENT_56 is wrong: the file that it names can't be read (ENOENT)",
  ]);
  expect(problemsOf(deployment, { START_BLOCK_56: "7" })).toEqual([
    "DEPLOYMENT_56 and START_BLOCK_56 are both set: take out one of them",
  ]);
  expect(problemsOf(deployment, { PONDER_RPC_URL_56: "" })).toEqual([
    expect.stringMatching(/^PONDER_RPC_URL_56 is missing: .* or take out /),
  ]);
});
