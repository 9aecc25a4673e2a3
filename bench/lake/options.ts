import { type Question, questions } from "../../examples/analysis/questions.ts";
import { StartError } from "../../runtime/start-error.ts";
import { readFlags, wholeNumber } from "../shared/command-line.ts";

export type LakeBenchmarkOptions = {
  tokens: number;
  trades: number;
  databaseUrl: string | undefined;
  /** An existing lake of the database; undefined to export one. */
  lake: string | undefined;
  questions: readonly Question[];
  /** How often each engine runs each question, after a first time to warm up. The median counts. */
  runs: number;
  /** Whether to export the remaining tables, too. */
  all: boolean;
  json: string | undefined;
};

/** Reads the command line. Throws a StartError that names what is wrong. */
export function readOptions(): LakeBenchmarkOptions {
  const values = readFlags({
    tokens: { type: "string", default: "1000000" },
    trades: { type: "string", default: "10000000" },
    runs: { type: "string", default: "3" },
    lake: { type: "string" },
    questions: { type: "string" },
    all: { type: "boolean", default: false },
    "database-url": { type: "string" },
    json: { type: "string" },
  });
  return {
    tokens: wholeNumber("--tokens", values.tokens, 1_000),
    trades: wholeNumber("--trades", values.trades, 1_000),
    runs: wholeNumber("--runs", values.runs),
    lake: values.lake,
    questions: readQuestions(values.questions),
    all: values.all,
    databaseUrl: values["database-url"],
    json: values.json,
  };
}

function readQuestions(given: string | undefined): readonly Question[] {
  if (given === undefined) return questions;
  return given.split(",").map((name) => {
    const question = questions.find((candidate) => candidate === name);
    if (question === undefined)
      throw new StartError("failed", `--questions has ${name}: it takes ${questions.join(", ")}`);
    return question;
  });
}
