import { StartError } from "../../runtime/start-error.ts";
import { readFlags, wholeNumber } from "../shared/command-line.ts";
import { describeMachine, formatMachine } from "../shared/machine.ts";
import { median } from "../shared/quantile.ts";

/* How much longer a tool takes than the request of REST that it stands for, on a service that runs already. */

const mostMilliseconds = 3;
const inFlight = 4;

type Pair = { tool: string; input: Record<string, unknown>; path: string };

const flags = readFlags({
  url: { type: "string", default: "http://localhost:42069" },
  rounds: { type: "string", default: "300" },
});
const rounds = wholeNumber("--rounds", flags.rounds);
const at = (path: string) => new URL(path, flags.url);

const { tokens } = (await (await fetch(at("/api/tokens?limit=1"))).json()) as { tokens: { mint: string }[] };
const [token] = tokens;
if (token === undefined)
  throw new StartError("failed", `${flags.url} lists no token: start npm run dev first`);
const { mint } = token;

const pairs: Pair[] = [
  { tool: "find_tokens", input: { limit: 20 }, path: "/api/tokens?limit=20" },
  { tool: "get_token", input: { mint }, path: `/api/token/${mint}` },
  { tool: "get_stats", input: {}, path: "/api/stats" },
  {
    tool: "get_candles",
    input: { mint, limit: 48 },
    path: `/api/token/${mint}/candles?interval=1h&limit=48`,
  },
  { tool: "get_trades", input: { mint, limit: 10 }, path: `/api/trades?mint=${mint}&limit=10` },
  { tool: "get_holders", input: { mint, limit: 20 }, path: `/api/token/${mint}/holders?limit=20` },
];

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

async function callTool({ tool, input }: Pair): Promise<string> {
  const params = { name: tool, arguments: input };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  return await (await fetch(at("/mcp"), { method: "POST", headers, body })).text();
}

const askRest = async ({ path }: Pair): Promise<string> => await (await fetch(at(path))).text();

/** Milliseconds of each call, with so many in flight. */
async function measure(call: (pair: Pair) => Promise<string>, pair: Pair): Promise<number[]> {
  const taken: number[] = [];
  let left = rounds;
  async function work() {
    while (left-- > 0) {
      const before = performance.now();
      const text = await call(pair);
      taken.push(performance.now() - before);
      if (/too_many_requests|"isError":true/.test(text)) {
        throw new StartError("failed", `${pair.tool} was refused: run the service with RATE_LIMIT=off`);
      }
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work));
  return taken;
}

console.log(
  `${formatMachine(describeMachine())}; ${inFlight} in flight, ${rounds} calls, medians in milliseconds`,
);
for (const pair of pairs) {
  // Both ways are warm, and take turns.
  for (const call of [askRest, callTool]) for (let count = 0; count < 20; count++) await call(pair);
  const rest = median(await measure(askRest, pair));
  const tool = median(await measure(callTool, pair));
  const more = tool - rest;
  console.log(`${pair.tool}: REST ${rest.toFixed(1)}, MCP ${tool.toFixed(1)}, ${more.toFixed(1)} more`);
  if (more > mostMilliseconds) process.exitCode = 1;
}
