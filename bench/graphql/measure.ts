import pg from "pg";
import type { Fixture } from "../api/fixture.ts";
import type { FixtureSize } from "../api/seed/size.ts";
import { startApi } from "../api/servers.ts";
import type { Processes } from "../index/processes.ts";
import type { LoadTarget, Times } from "../shared/load/load.ts";
import { runLoad } from "../shared/load/run-load.ts";
import type { Question, QuestionInput } from "./question.ts";
import { tokenQuestions } from "./questions/tokens.ts";
import { tradingQuestions } from "./questions/trading.ts";
import { chooseSubjects } from "./subjects.ts";
import { countTableScans } from "./table-scans.ts";
import { verify } from "./verify.ts";

export type Outcome = {
  name: string;
  graphql: Times;
  sql: Times;
  /** The number of rows that were compared, all of them equal. */
  verified: number;
};

export type Measured = {
  outcomes: Outcome[];
  /** Large tables that GraphQL scanned completely, and how often. */
  scans: { table: string; times: number }[];
};

export type MeasureOptions = FixtureSize & {
  inFlight: number;
  seconds: number;
  warmUp: number;
  /** Only questions whose names contain this text are asked; undefined for all. */
  only: string | undefined;
  profile: string | undefined;
};

/** Measures each question in GraphQL and then in SQL, on the same database with the same load. */
export async function measure(
  processes: Processes,
  fixture: Fixture,
  options: MeasureOptions,
  log: (line: string) => void,
): Promise<Measured> {
  const { databaseUrl } = fixture;
  const api = await startApi(processes, fixture, { cacheMegabytes: undefined, profile: options.profile });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const subjects = await chooseSubjects(client, api.port, options);
    const questions = [...tokenQuestions, ...tradingQuestions]
      .filter(({ name }) => name.includes(options.only ?? ""))
      .map((question) => ({ question, asked: question.asked(subjects) }));
    const verified: number[] = [];
    for (const { question, asked } of questions) {
      verified.push(await verify(client, api.port, question, asked));
    }

    const ask = async (target: LoadTarget) => {
      const { inFlight, seconds, warmUp } = options;
      return (await runLoad(processes, { target, inFlight, seconds, warmUpSeconds: warmUp })).times;
    };
    const graphql: Times[] = [];
    const before = await countTableScans(client);
    for (const { question, asked } of questions) {
      log(`GraphQL: ${question.name}`);
      graphql.push(await ask({ kind: "http", port: api.port, requests: httpRequests(question, asked) }));
    }
    const after = await countTableScans(client);

    const outcomes: Outcome[] = [];
    for (const [index, { question, asked }] of questions.entries()) {
      log(`SQL: ${question.name}`);
      const sql = await ask({ kind: "sql", databaseUrl, requests: sqlRequests(question, asked) });
      outcomes.push({
        name: question.name,
        sql,
        graphql: graphql[index] as Times,
        verified: verified[index] as number,
      });
    }
    const scans = [...after]
      .map(([table, times]) => ({ table, times: times - (before.get(table) ?? 0) }))
      .filter(({ times }) => times > 0);
    return { outcomes, scans };
  } finally {
    await client.end();
    await api.stop();
  }
}

const httpRequests = ({ name, graphql }: Question, asked: QuestionInput[]) =>
  asked.map(({ variables }) => ({
    group: name,
    path: "/graphql",
    body: JSON.stringify({ query: graphql, variables }),
  }));

const sqlRequests = ({ name, sql }: Question, asked: QuestionInput[]) =>
  asked.map(({ values }) => ({ group: name, text: sql, values }));
