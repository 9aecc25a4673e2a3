import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));
const text = readFileSync(path.join(project, "SECURITY.md"), "utf8");

/** A test file in backticks, followed by titles in quotes. */
const citation = /`([\w./-]+\.ts)`((?:,? "[^"]+")+)/g;
const cited = [...text.matchAll(citation)].flatMap(([, file, titles = ""]) =>
  [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => [file, title] as [string, string]),
);

/** List entries and rows of tables, from the first section with promises on. */
const promises = text
  .slice(text.indexOf("## Where requests go"))
  .split(/\n(?=- |\||\n)/)
  .filter((part) => part.startsWith("- ") || /^\| (?!What)/.test(part));

test("SECURITY.md makes promises, and cites tests", () => {
  expect(promises.length).toBeGreaterThan(30);
  expect(cited.length).toBeGreaterThanOrEqual(promises.length);
});

test.each(promises)("a test holds: %s", (promise) => {
  expect(promise).toMatch(citation);
});

test.each(cited)("%s has the test: %s", (file, title) => {
  expect(existsSync(path.join(project, file))).toBe(true);
  // A title follows the parenthesis of `test(`, or that of the cases of `test.each(…)(`, perhaps on a line of its own.
  const source = readFileSync(path.join(project, file), "utf8");
  const isTitle = [`"${title}"`, `\`${title}\``].some((literal) =>
    source.replaceAll(/\(\s+/g, "(").includes(`(${literal}`),
  );
  expect(isTitle).toBe(true);
  // It runs in `npm test`.
  expect(file).not.toMatch(/^test\/(long|soak)\//);
  const inLongRun = source.match(/^( *)onlyInLongRun\(\(\) => \{\n.*?^\1\}\);$/gms) ?? [];
  expect(inLongRun.filter((text) => text.includes(title))).toEqual([]);
});
