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
  questions,
} from "../../examples/analysis/questions.ts";
import { onchainSchema } from "../api/seed/ponder-tables.ts";
import { median } from "../shared/quantile.ts";

/** Median times in milliseconds. */
export type Asked = { question: Question; rows: number; isEqual: boolean; postgres: number; parquet: number };

/** Asks each question of Postgres and of the files, several times in turn, and compares the answers. */
export async function askAll({
  databaseUrl,
  folder,
  runs,
  log,
}: {
  databaseUrl: string;
  folder: string;
  runs: number;
  log: (line: string) => void;
}): Promise<Asked[]> {
  const client = new pg.Client({ connectionString: databaseUrl, options: `-c search_path=${onchainSchema}` });
  await client.connect();
  const instance = await DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) });
  const duckdb = await instance.connect();
  try {
    const scope = await openLake(duckdb, folder);
    const asked: Asked[] = [];
    for (const question of questions) {
      const times = { postgres: [] as number[], parquet: [] as number[] };
      let answers: AnswerRow[][] = [];
      for (let run = 0; run < runs; run++) {
        const ofLake = await timed(times.parquet, () => askLake(duckdb, question));
        const ofPostgres = await timed(times.postgres, () => askPostgres(client, question, scope));
        answers = [ofLake, ofPostgres];
      }
      const result = {
        question,
        rows: answers[0]?.length ?? 0,
        isEqual: isDeepStrictEqual(answers[0], answers[1]),
        postgres: median(times.postgres),
        parquet: median(times.parquet),
      };
      log(
        `  ${question}: ${Math.round(result.postgres)} ms on Postgres, ${Math.round(result.parquet)} ms on Parquet`,
      );
      asked.push(result);
    }
    return asked;
  } finally {
    duckdb.closeSync();
    instance.closeSync();
    await client.end();
  }
}

async function timed<Result>(times: number[], work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  times.push(performance.now() - startedAt);
  return result;
}
