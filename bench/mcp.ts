import { StartError } from "../runtime/start-error.ts";
import { runBenchmark } from "./shared/benchmark.ts";
import { request } from "./shared/load.ts";
import { textOr, whole } from "./shared/options.ts";
import { median } from "./shared/report.ts";
import { measureInTurn } from "./shared/rounds.ts";

/* Measures how much longer a tool takes than the REST request behind it, on a running service. */

const maxExtraMs = 3;
const inFlight = 4;
/** The number of calls to one API before it is the other's turn. */
const callsPerTurn = 50;
/** Calls to each API before those that count. */
const warmUpCalls = 20;

type Pair = { tool: string; input: Record<string, unknown>; path: string };

type Api = { name: string; ask: (pair: Pair) => ReturnType<typeof request> };

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

await runBenchmark({ url: textOr("http://localhost:42069"), rounds: whole(300) }, async ({ url, rounds }) => {
  const apis = [restOf(url), ...Object.keys(revisions).map((revision) => mcpOf(url, revision))];
  const lines = [`${inFlight} in flight, ${rounds} calls, medians in milliseconds`];
  const medians: Record<string, number[]> = {};
  const slow: string[] = [];
  for (const pair of await choosePairs(url)) {
    for (const api of apis) await measure(api, pair, warmUpCalls);
    const compared = await measureInTurn(apis, Math.ceil(rounds / callsPerTurn), (api, turn) =>
      measure(api, pair, Math.min(callsPerTurn, rounds - (turn - 1) * callsPerTurn)),
    );
    const [rest = 0, ...ofMcp] = apis.map((api) => median(compared.of(api).flat()));
    const results = ofMcp.map(
      (taken, index) => `${apis[index + 1]?.name} ${taken.toFixed(1)} (${(taken - rest).toFixed(1)} more)`,
    );
    if (Math.max(...ofMcp) - rest > maxExtraMs) slow.push(pair.tool);
    lines.push(`${pair.tool}: REST ${rest.toFixed(1)}, ${results.join(", ")}`);
    medians[pair.tool] = [rest, ...ofMcp];
  }
  const failure = slow.length === 0 ? undefined : `more than ${maxExtraMs} ms longer: ${slow.join(", ")}`;
  return { lines, data: { medians }, failure };
});

async function choosePairs(url: string): Promise<Pair[]> {
  const { text } = await request(new URL("/api/tokens?limit=1", url));
  const [token] = (JSON.parse(text) as { tokens: { mint: string }[] }).tokens;
  if (token === undefined) throw new StartError(`${url} lists no token: start npm run dev first`);
  const { mint } = token;
  return [
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
}

function restOf(url: string): Api {
  return { name: "REST", ask: ({ path }) => request(new URL(path, url)) };
}

function mcpOf(url: string, revision: string): Api {
  const accepted = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return {
    name: `MCP ${revision}`,
    async ask({ tool, input }) {
      const { headers, params } = revisions[revision]?.(tool) ?? {};
      const call = { name: tool, arguments: input, ...params };
      return await request(new URL("/mcp", url), {
        method: "POST",
        headers: { ...accepted, "mcp-protocol-version": revision, ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
      });
    },
  };
}

/** Makes this many calls with several in flight. Resolves to their milliseconds. */
async function measure({ ask }: Api, pair: Pair, calls: number): Promise<number[]> {
  const times: number[] = [];
  let left = calls;
  async function work() {
    while (left-- > 0) {
      const { text, milliseconds } = await ask(pair);
      times.push(milliseconds);
      if (/"isError":true|"error":\{/.test(text)) throw new Error(`${pair.tool} failed: ${text}`);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work));
  return times;
}
