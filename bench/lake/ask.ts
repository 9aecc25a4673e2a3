import { availableParallelism } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import pg from "pg";
import {
  type AnswerRow,
  askLake,
  askPostgres,
  openLake,
  type Question,
} from "../../examples/analysis/questions.ts";
import { onchainSchema } from "../api/seed/ponder-tables.ts";

/** Times in milliseconds. */
export type QuestionTimes = {
  question: Question;
  rows: number;
  isEqual: boolean;
  postgres: number[];
  parquet: number[];
};

/**
 * Runs each question on Postgres and on the files: once to warm up, which doesn't count, and then several times in turn. Compares
 * the answers.
 */
export async function askAll({
  databaseUrl,
  folder,
  questions,
  runs,
  log,
}: {
  databaseUrl: string;
  folder: string;
  questions: readonly Question[];
  runs: number;
  log: (line: string) => void;
}): Promise<QuestionTimes[]> {
  const client = new pg.Client({ connectionString: databaseUrl, options: `-c search_path=${onchainSchema}` });
  await client.connect();
  const instance = await DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) });
  const duckdb = await instance.connect();
  try {
    const scope = await openLake(duckdb, folder);
    const asked: QuestionTimes[] = [];
    for (const question of questions) {
      const postgres: number[] = [];
      const parquet: number[] = [];
      let answers: AnswerRow[][] = [];
      for (let run = 0; run <= runs; run++) {
        const ofLake = await timed(parquet, () => askLake(duckdb, question));
        const ofPostgres = await timed(postgres, () => askPostgres(client, question, scope));
        answers = [ofLake, ofPostgres];
      }
      const [rows, isEqual] = [answers[0]?.length ?? 0, isDeepStrictEqual(answers[0], answers[1])];
      asked.push({ question, rows, isEqual, postgres: postgres.slice(1), parquet: parquet.slice(1) });
      log(`  ${question}: ${formatTimes(postgres)} on Postgres, ${formatTimes(parquet)} on Parquet`);
    }
    return asked;
  } finally {
    duckdb.closeSync();
    instance.closeSync();
    await client.end();
  }
}

const formatTimes = ([first, ...others]: number[]) =>
  `${others.map(Math.round).join(", ")} ms (the first time ${Math.round(first ?? 0)})`;

async function timed<Result>(times: number[], work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}
