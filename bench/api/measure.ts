import { isStanding, type Sort, sorts, toOrder } from "../../src/api/tokens/list/order/sorts.ts";
import type { Processes } from "../index/processes.ts";
import type { HttpRequest, LoadResult } from "../shared/load/load.ts";
import { runLoad } from "../shared/load/run-load.ts";
import { ask } from "./client.ts";
import type { Fixture } from "./fixture.ts";
import { type Combination, combinations, pathOf, type Selection, searches, selections } from "./requests.ts";
import { createdTokens, type FixtureSize } from "./seed/size.ts";
import { bigCreator } from "./seed/tokens.ts";
import { type Server, startApi } from "./servers.ts";
import { verify } from "./verify.ts";
import { startWriter } from "./writer.ts";

/** The times of a process's first answers, in milliseconds, and its memory in MiB. */
type ColdStart = {
  /** The very first answer, for which the whole list is read. */
  firstAnswer: number;
  residentAfter: number;
  /** The first answer in each order that is not always kept sorted. */
  sorts: { sort: Sort; milliseconds: number }[];
  /** The first answer to each search, and the number of tokens found. */
  searches: { q: string; total: number; milliseconds: number }[];
};

export type Phase = {
  name: string;
  inFlight: number;
  ours: LoadResult;
  bare: LoadResult;
  cold: ColdStart;
  peakMemory: number;
  verified: number;
  /** The number of blocks written during the measurement. */
  blocks: number;
};

export type PhaseOptions = FixtureSize & {
  name: string;
  inFlight: number;
  cacheMegabytes: number | undefined;
  seconds: number;
  warmUp: number;
  changing: boolean;
  profile: string | undefined;
};

/** Measures the service and then the bare route, on the same database with the same load. */
export async function measure(
  processes: Processes,
  fixture: Fixture,
  bare: Server,
  options: PhaseOptions,
): Promise<Phase> {
  const { name, inFlight, seconds, warmUp, changing } = options;
  const api = await startApi(processes, fixture, options);
  const cold = await coldStart(api);
  const all = combinations(await readTotals(api.port));
  const load = { inFlight, seconds, warmUpSeconds: warmUp };

  const writer = changing ? await startWriter(fixture.databaseUrl, createdTokens(options)) : undefined;
  const ours = await runLoad(processes, {
    ...load,
    target: { kind: "http", port: api.port, requests: all.map(toRequest) },
  });
  const blocks = (await writer?.stop())?.blocks ?? 0;
  const peakMemory = (await api.memory()).peak;
  const verified = await verify(api.port, fixture.databaseUrl, all);
  await api.stop();

  const ofBare = await runLoad(processes, {
    ...load,
    target: { kind: "http", port: bare.port, requests: [{ path: "/", group: "bare" }] },
  });
  return { name, inFlight, ours, bare: ofBare, cold, peakMemory, verified, blocks };
}

async function coldStart(api: Server): Promise<ColdStart> {
  const newest = { board: "all", creator: undefined, sort: "newest", page: 1, limit: 20 } as const;
  const first = await ask(api.port, { ...newest, q: undefined });
  const residentAfter = (await api.memory()).resident;
  const ordered: ColdStart["sorts"] = [];
  for (const sort of sorts.filter((candidate) => !isStanding(toOrder(candidate, "24h")))) {
    const { milliseconds } = await ask(api.port, { ...newest, q: undefined, sort });
    ordered.push({ sort, milliseconds });
  }
  const found: ColdStart["searches"] = [];
  for (const q of searches) {
    if (q === undefined) continue;
    const { total, milliseconds } = await ask(api.port, { ...newest, q });
    found.push({ q, total, milliseconds });
  }
  return { firstAnswer: first.milliseconds, residentAfter, sorts: ordered, searches: found };
}

async function readTotals(port: number): Promise<(selection: Selection) => number> {
  const totals = new Map<string, number>();
  for (const selection of selections) {
    const { total } = await ask(port, { ...selection, sort: "newest", page: 1, limit: 1 });
    totals.set(JSON.stringify(selection), total);
  }
  return ({ board, q, creator }) => totals.get(JSON.stringify({ board, q, creator })) ?? 0;
}

function toRequest(combination: Combination): HttpRequest {
  const { q, creator } = combination;
  const by = creator === undefined ? "" : creator === bigCreator ? " by the big creator" : " by a small one";
  return { path: pathOf(combination), group: `${q ?? "no q"}${by}` };
}
