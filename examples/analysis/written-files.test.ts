import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { dbtSources } from "./dbt/build.ts";
import { buildDashboard } from "./grafana/build.ts";
import { buildMetabase } from "./metabase/build.ts";
import { otherEngines, translateQuestion } from "./questions/build.ts";
import { sharedQuestions } from "./questions.ts";

/* The files that commands write from the views and the questions are current. */

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("dbt's declaration of the views", async () => {
  expect(await read("dbt/sources.yml"), "run npm run analysis:dbt").toBe(dbtSources());
});

test.each(otherEngines)("the questions for %s", async (engine) => {
  for (const question of sharedQuestions) {
    const text = await read(`questions/${engine}/${question}.sql`);
    expect(text, "run npm run analysis:engines").toBe(await translateQuestion(question, engine));
  }
});

test("Grafana's dashboard", async () => {
  const dashboard = JSON.parse(await read("grafana/dashboard.json"));
  expect(dashboard, "run npm run analysis:dashboard").toEqual(await buildDashboard());
});

test("Metabase's questions", async () => {
  const questions = JSON.parse(await read("metabase/questions.json"));
  expect(questions, "run npm run analysis:metabase").toEqual(await buildMetabase());
});
