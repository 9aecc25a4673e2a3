import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmulatedEndpoint, startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import {
  graduatingAmount,
  type LaunchpadChain,
  startLaunchpadChain,
} from "../../test/chain/launchpad-chain.ts";
import { sized } from "../../test/run/long-run.ts";
import { createDatabase } from "../../test/service/database.ts";
import { startFillingGate, storedRows } from "../fixtures/filling-gate.ts";
import type { PortalBehaviour, PortalChain } from "../fixtures/portal-answer.ts";
import { readPortalChain } from "../fixtures/portal-chain.ts";
import { startPortalServer } from "../fixtures/portal-server.ts";
import { eventTopics } from "../sources/events.ts";
import type { Hex, Log } from "../sources/log.ts";
import type { EndpointStatus } from "./endpoint-status.ts";

/** The number of blocks at the head that are not final yet. */
const notFinal = 30;

let chain: LaunchpadChain;
let portalChain: PortalChain;
let toBlock: number;
/** The account that sends a token to someone else. */
let sender: Hex;
/** The endpoint of a run without a portal, and the tables' contents after it. */
let without: EmulatedEndpoint;
let expected: Record<string, unknown>;

beforeAll(async () => {
  chain = await startLaunchpadChain();
  const [creator, buyer] = chain.traders;
  sender = buyer;
  const token = await chain.create(creator, "Twin", "TWIN");
  await chain.buy(buyer, token, graduatingAmount);
  await chain.buyOnDex(buyer, token, 10n ** 15n);
  await chain.addLiquidity(buyer, token, 10n ** 24n, 10n ** 15n);
  const pair = await chain.pairOf(token);
  await chain.removeLiquidity(buyer, token, pair, (await chain.balanceOf(pair, buyer)) / 2n);
  await chain.transfer(buyer, token, creator, 1n);
  await chain.trade(4, { blocks: 20, actionsPerBlock: sized({ usual: 24, long: 60 }), creations: 0.02 });
  await chain.testClient.mine({ blocks: notFinal });
  portalChain = await readPortalChain(chain);
  toBlock = Number(await chain.head()) - notFinal;
  without = await endpoint();
  expected = await fill({ rpc: without });
});

afterAll(async () => {
  await chain?.stop();
});

async function endpoint(): Promise<EmulatedEndpoint> {
  return await startEmulatedEndpoint({ upstream: chain.rpcUrl, latencyMs: 5 });
}

type FillOptions = {
  /** Undefined: without a portal. */
  behaviour?: PortalBehaviour;
  isAway?: boolean;
  share?: number;
  lines?: string[];
  status?: EndpointStatus[];
  rpc?: EmulatedEndpoint;
};

/** Fills a database and returns its contents. */
async function fill(options: FillOptions): Promise<Record<string, unknown>> {
  const { behaviour, isAway, share = 0, lines = [], status = [], rpc = await endpoint() } = options;
  const database = await createDatabase();
  const portal = await startPortalServer(portalChain);
  if (isAway) await portal.stop();
  portal.set(behaviour ?? {});
  // No use waiting long for a portal that hangs.
  const idleMs = behaviour?.hangs === undefined ? 20_000 : 300;
  const gate = startFillingGate({
    chain,
    database,
    rpcUrls: [rpc.url],
    portal: behaviour && { url: portal.url, idleMs, secondOpinionShare: share },
    lines,
  });
  try {
    expect(await gate.fill(toBlock)).toEqual([]);
    status.push(...gate.status());
    return await storedRows(database);
  } finally {
    await gate.stop();
    await database.drop();
    await Promise.all([rpc.stop(), isAway || portal.stop()]);
  }
}

/** Counts the calls that a portal is meant to save: logs and headers. */
function savedCalls({ counts }: EmulatedEndpoint): number[] {
  const methods = ["eth_getLogs", "eth_getBlockByNumber"];
  return methods.map((method) => counts.byMethod()[method]?.elements ?? 0);
}

test("a portal fills the same tables, and the endpoint is only asked for two headers: the last final one, and one to compare", async () => {
  const withPortal = await endpoint();
  const [lines, status]: [string[], EndpointStatus[]] = [[], []];
  expect(await fill({ rpc: withPortal, behaviour: {}, lines, status })).toEqual(expected);
  expect(savedCalls(withPortal)).toEqual([0, 2]);
  expect(savedCalls(without)[0]).toBeGreaterThan(1);
  // A slow machine's progress is told.
  expect(lines.filter((line) => !/^history \d+ %/.test(line))).toEqual([]);
  expect(status).toMatchObject([{ name: "endpoint 1" }, { name: "portal", state: "healthy", failed: 0 }]);
  expect(status[1]?.requests).toBeGreaterThan(1);
});

const isTransferOfFifthBlock = ({ topics: [topic], blockNumber }: Log) =>
  topic === eventTopics.transfer && Number(blockNumber) % 5 === 0;
/** The launchpad itself is the sender. */
const isMintOfGraduation = ({ topics: [topic, from] }: Log) =>
  topic === eventTopics.mint && from?.endsWith(chain.deployment.launchpad.slice(2).toLowerCase()) === true;
const isSync = ({ topics: [topic] }: Log) => topic === eventTopics.sync;
/** No other event reveals it. */
const isPlainTransfer = ({ topics: [topic, from] }: Log) =>
  topic === eventTopics.transfer && from?.endsWith(sender.slice(2).toLowerCase()) === true;

const behaviours: [string, PortalBehaviour, number?][] = [
  ["ends its answers early", { blocksPerAnswer: 40 }],
  ["ends in the middle of a line", { isCut: true }],
  ["does not answer", { hangs: "at once" }],
  ["falls silent", { hangs: "midway" }],
  ["does not know the dataset", { status: 404 }],
  ["refuses the query", { status: 400 }],
  ["takes no more requests", { status: 429, retryAfter: 60 }],
  ["is overloaded", { status: 503, retryAfter: 1 }],
  ["sends a line that is not a block", { garbage: "<html>" }],
  ["is on another chain", { isOtherChain: true }],
  ["is behind", { head: 40 }],
  ["lacks all logs", { lacks: () => true }],
  ["lacks the transfers of some trades", { lacks: isTransferOfFifthBlock }],
  ["lacks the first liquidity of pairs", { lacks: isMintOfGraduation }],
  ["lacks the reserves after trades and liquidity changes", { lacks: isSync }],
  ["lacks a log that nothing else reveals, and is compared", { lacks: isPlainTransfer }, 1],
];
/** In `npm test` one of each kind. */
const usual = /middle|falls silent|requests|another chain|transfers|nothing else/;

test.concurrent.each(sized({ usual: behaviours.filter(([name]) => usual.test(name)), long: behaviours }))(
  "with a portal that %s, the tables are the same",
  async (_, behaviour, share = 0) => {
    expect(await fill({ behaviour, share })).toEqual(expected);
  },
);

test("with a portal that is away, the tables are the same, and one line says why", async () => {
  const lines: string[] = [];
  expect(await fill({ behaviour: {}, isAway: true, lines })).toEqual(expected);
  expect(lines).toEqual([
    "portal fails: connection failed: ECONNREFUSED. History is read from the RPC endpoints meanwhile",
  ]);
});
