import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectMcp } from "../service/mcp-client.ts";
import { installNpmProgram } from "../service/npm-program.ts";
import { programEnvironment } from "../service/program-environment.ts";
import { encode, picture } from "../service/sample-images.ts";
import { type SharedService, sharedService } from "../service/shared-service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

/* /mcp through the MCP Inspector's command line, used as docs/agents.md describes. */

type Tool = { name: string; inputSchema: { required?: string[] } };

/** The Inspector's command line. */
let inspector: string;
let shared: SharedService;
/** The Inspector's home folder. */
let home: Awaited<ReturnType<typeof temporaryFolder>>;
let tools: Tool[];
let calls: Record<string, Record<string, unknown>>;

beforeAll(async () => {
  const installed = await installNpmProgram("@modelcontextprotocol/inspector@2.12.0");
  inspector = path.join(
    installed,
    "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
  );
  [shared, home] = await Promise.all([sharedService(), temporaryFolder()]);
  const { chain, service } = shared;
  const [creator, account] = chain.traders;
  const [name, symbol] = ["Inspected", "INSPECT"];
  const mint = await chain.create(creator, name, symbol);
  const { transactionHash: hash } = await chain.buy(account, mint, 10n ** 15n);
  await service.indexer.untilIndexed(56, await chain.head());
  // In strict mode, which fails on schemas that some clients refuse.
  ({ tools } = await inspect("tools/list", ["--strict"]));

  const registration = { mint, name, symbol, creator, burnPercent: 50 };
  const image = `data:image/png;base64,${(await encode(picture(), "png")).toString("base64")}`;
  calls = {
    find_tokens: { q: name, fields: ["holderCount"] },
    get_token: { mint },
    assess_token: { mint },
    get_candles: { mint, interval: "5m" },
    get_trades: { mint, limit: 1 },
    get_holders: { mint },
    get_traders: { mint, sort: "volume" },
    get_transfers: { mint },
    get_leaderboard: { by: "volume" },
    get_stats: {},
    get_daily_stats: { days: 7 },
    get_portfolio: { account },
    prepare_trade: { mint, side: "buy", amount: "0.001", account },
    prepare_launch: { name, symbol, firstBuy: "0.001", account },
    upload_image: { image },
    prepare_registration: registration,
    register_token: registration,
    wait_for_events: { mint, timeout: 0 },
    get_transaction: { hash },
    query_graphql: { query: "{ tokens(limit: 1) { items { address } } }" },
  };
});

afterAll(() => home?.remove());

/** Returns the JSON that the Inspector prints. Throws if it fails. */
async function inspect(method: string, args: string[] = []) {
  const target = [`${shared.service.indexer.url}/mcp`, "--transport", "http"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inspector, "--cli", ...target, "--method", method, ...args],
    { env: { ...programEnvironment(), HOME: home.folder } },
  );
  return JSON.parse(stdout);
}

test("lists every tool", async () => {
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(calls));
});

/** An argument as the Inspector takes it: JSON, or a string that isn't. */
const written = (value: unknown) =>
  typeof value === "string" && Number.isNaN(Number(value)) ? value : JSON.stringify(value);

test("calls every tool, and they work with another client", async () => {
  const left = Object.entries(calls).values();
  async function work() {
    for (const [name, args] of left) {
      const given = Object.entries(args).flatMap(([key, value]) => [
        "--tool-arg",
        `${key}=${written(value)}`,
      ]);
      const result = await inspect("tools/call", ["--tool-name", name, ...given]);
      const [text] = result.content;
      expect([name, result.isError ?? false, JSON.parse(text.text)]).toEqual([
        name,
        false,
        expect.any(Object),
      ]);
    }
  }
  await Promise.all([work(), work()]);

  const other = await connectMcp(shared.service.indexer.url);
  // It throws if the tool refuses, or if the result isn't what the tool's schema says.
  for (const [name, args] of Object.entries(calls)) await other.use(name, args);
  await other.close();
});
