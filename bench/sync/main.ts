import { startEmulatedEndpoint } from "../../test/chain/emulated-endpoint.ts";
import { runBenchmark } from "../shared/benchmark.ts";
import { cachedChain } from "../shared/cached-chain.ts";
import { startNode } from "../shared/node.ts";
import { someOf, toggle, whole } from "../shared/options.ts";
import { count, median, table } from "../shared/report.ts";
import { type ContenderName, contenders, installSubsquid, measure, type Sample } from "./contenders.ts";
import { type Comparison, compareTables } from "./tables.ts";

/* Measures what a first sync requests from its endpoint, and how long it takes. */

/** Both have fewer blocks than BNB Smart Chain would have, since every block up to the last trade has events. */
const chains = {
  /** One transaction per block, nearly two thirds of them swaps after graduation. */
  sparse: { tokens: 60, trades: 9_800, transactionsPerBlock: 1 },
  /** 250 transactions per block. */
  dense: { tokens: 1_000, trades: 20_000 },
};

/** The settings of the emulated endpoint in front of the node. The first one only counts requests. */
const endpoints = {
  direct: {},
  limited: { latencyMs: 60, requestsPerSecond: 50, blockRange: 2_000 },
};

type ChainName = keyof typeof chains;
type EndpointName = keyof typeof endpoints;

type Measured = { endpoint: EndpointName; contender: ContenderName; round: number; sample: Sample };

const flags = {
  only: someOf(Object.keys(contenders) as ContenderName[]),
  chain: someOf(Object.keys(chains) as ChainName[]),
  endpoint: someOf(Object.keys(endpoints) as EndpointName[]),
  rounds: whole(1),
  /** Seconds after which a run is stopped and extrapolated. */
  limit: whole(120, 20),
  full: toggle(),
};

await runBenchmark(flags, async (options, benchmark) => {
  const { only, rounds } = options;
  const limit = options.full ? Number.POSITIVE_INFINITY : options.limit;
  if (only.includes("subsquid")) installSubsquid();
  const { adminUrl } = await benchmark.startPostgres();
  const results = [];
  for (const name of options.chain) {
    const chain = await cachedChain(benchmark, chains[name]);
    const node = await startNode(benchmark, ["--load-state", chain.stateFile]);
    const measured: Measured[] = [];
    for (let round = 1; round <= rounds; round++) {
      // Later runs have a warmer machine, so the contenders take turns at going first.
      const first = (round - 1) % only.length;
      for (const contender of [...only.slice(first), ...only.slice(0, first)]) {
        for (const endpointName of options.endpoint) {
          const settings = endpoints[endpointName];
          const endpoint = await startEmulatedEndpoint({ upstream: node.rpcUrl, ...settings });
          const sample = await measure(benchmark, contender, adminUrl, { chain, endpoint, limit });
          await endpoint.stop();
          measured.push({ endpoint: endpointName, contender, round, sample });
          const { description } = contenders[contender];
          benchmark.log(`${name}, round ${round}, ${description}, ${endpointName}: ${describe(sample)}`);
        }
      }
    }
    await node.stop();
    const checksumsOf = (wanted: ContenderName) =>
      measured.flatMap(({ contender, sample: { checksums } }) =>
        contender === wanted && checksums !== undefined ? [checksums] : [],
      );
    const comparison = compareTables(checksumsOf("ours"), checksumsOf("ponder"));
    results.push({ name, blocks: chain.head, measured, comparison });
  }

  const isExtrapolated = results.some(({ measured }) => measured.some(({ sample }) => sample.share < 1));
  const areEqual = results.every(({ comparison }) => (comparison?.differences.length ?? 0) === 0);
  return {
    lines: [
      ...results.flatMap(({ name, blocks, measured, comparison }) => [
        `${name} chain: ${count(blocks)} blocks`,
        "",
        ...options.endpoint.flatMap((endpoint) => [
          ...formatTable(
            endpoint,
            only,
            measured.filter((run) => run.endpoint === endpoint),
          ),
          "",
        ]),
        formatComparison(comparison),
        "",
      ]),
      ...(isExtrapolated
        ? ["~ was stopped early and extrapolated from the share of blocks that it had synced"]
        : []),
    ],
    data: { results },
    failure: areEqual ? undefined : "our sync and Ponder's own produced different tables",
  };
});

function describe({ seconds, share }: Sample): string {
  const time = `${seconds.toFixed(1)} s`;
  return share < 1 ? `about ${time}, by the first ${(100 * share).toFixed(0)} %` : time;
}

/** Compares the contenders at an endpoint. */
function formatTable(endpoint: EndpointName, names: ContenderName[], runs: Measured[]): string[] {
  const rows = names.map((name) => {
    const own = runs.filter(({ contender }) => contender === name);
    const about = own.some(({ sample }) => sample.share < 1) ? "~" : "";
    const middle = (of: (sample: Sample) => number) => median(own.map(({ sample }) => of(sample)));
    const number = (of: (sample: Sample) => number) => about + count(middle(of));
    const decimal = (of: (sample: Sample) => number) => about + middle(of).toFixed(1);
    // A ratio for each round, because a temporarily slow machine slows down both sides of it.
    const ratioToOurs = (of: (sample: Sample) => number) => {
      const ratios = own.flatMap(({ round, sample }) => {
        const ours = runs.find((run) => run.contender === "ours" && run.round === round);
        return ours === undefined ? [] : [of(sample) / of(ours.sample)];
      });
      return ratios.length === 0 ? "" : about + median(ratios).toFixed(2);
    };
    return [
      contenders[name].description,
      number(({ traffic }) => traffic.requests),
      number(({ traffic }) => traffic.elements),
      number(({ traffic }) => traffic.refused),
      decimal(({ traffic }) => traffic.megabytes),
      decimal(({ seconds }) => seconds),
      decimal(({ startUp, seconds }) => startUp + seconds),
      ratioToOurs(({ seconds }) => seconds),
      ratioToOurs(({ traffic }) => traffic.elements),
    ];
  });
  return table([
    [endpoint, "HTTP", "elements", "429", "MB", "s", "from start", "s, ratio", "elements, ratio"],
    ...rows,
  ]);
}

function formatComparison(comparison: Comparison | undefined): string {
  if (comparison === undefined) {
    return "tables: not compared, since that needs complete runs of ours and of Ponder's own sync";
  }
  const { tables, rows, differences } = comparison;
  return differences.length > 0
    ? `tables that differ: ${differences.join("; ")}`
    : `tables: all ${tables} of ours and Ponder's own are equal, ${count(rows)} rows`;
}
