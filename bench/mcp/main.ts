import { StartError } from "../../runtime/start-error.ts";
import { readFlags, wholeNumber } from "../shared/command-line.ts";
import { describeMachine, formatMachine } from "../shared/machine.ts";
import { median } from "../shared/quantile.ts";

/* Measures how much longer a tool takes than the REST request behind it, on a running service. */

const maxExtraMs = 3;
const inFlight = 4;
/** The number of calls to one API before it is the other's turn. */
const callsPerTurn = 50;

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

/** What clients of each protocol revision send in addition to the call. */
const revisions: Record<string, (tool: string) => { headers: Record<string, string>; params: object }> = {
  "2026-07-28": (tool) => ({
    headers: { "mcp-method": "tools/call", "mcp-name": tool },
    params: {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  }),
  "2025-11-25": () => ({ headers: {}, params: {} }),
};

type Api = { name: string; ask: (pair: Pair) => Promise<string> };

const rest: Api = { name: "REST", ask: async ({ path }) => await (await fetch(at(path))).text() };
const mcpApis = Object.entries(revisions).map(([revision, sent]): Api => {
  const accepted = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return {
    name: `MCP ${revision}`,
    async ask({ tool, input }) {
      const { headers, params } = sent(tool);
      const call = { name: tool, arguments: input, ...params };
      const response = await fetch(at("/mcp"), {
        method: "POST",
        headers: { ...accepted, "mcp-protocol-version": revision, ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
      });
      return await response.text();
    },
  };
});

/** Makes this many calls with several in flight, and adds their milliseconds to `taken`. */
async function measure({ ask }: Api, pair: Pair, count: number, taken: number[]): Promise<void> {
  let left = count;
  async function work() {
    while (left-- > 0) {
      const before = performance.now();
      const text = await ask(pair);
      taken.push(performance.now() - before);
      if (/"isError":true|"error":\{|"status":\d/.test(text)) {
        throw new StartError("failed", `${pair.tool} was refused: run the service with RATE_LIMIT=off`);
      }
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work));
}

console.log(
  `${formatMachine(describeMachine())}; ${inFlight} in flight, ${rounds} calls, medians in milliseconds`,
);
for (const pair of pairs) {
  const apis = [rest, ...mcpApis].map((api) => ({ api, taken: [] as number[] }));
  for (const { api } of apis) await measure(api, pair, 20, []);
  // The APIs take turns, so that other load on the machine affects all of them.
  for (let begun = 0; begun < rounds; begun += callsPerTurn) {
    for (const { api, taken } of apis)
      await measure(api, pair, Math.min(callsPerTurn, rounds - begun), taken);
  }
  const [alone = 0, ...others] = apis.map(({ taken }) => median(taken));
  const results = mcpApis.map(({ name }, index) => {
    const more = (others[index] ?? 0) - alone;
    if (more > maxExtraMs) process.exitCode = 1;
    return `${name} ${others[index]?.toFixed(1)} (${more.toFixed(1)} more)`;
  });
  console.log(`${pair.tool}: REST ${alone.toFixed(1)}, ${results.join(", ")}`);
}
