import { readFileSync, writeFileSync } from "node:fs";
import { readComments } from "./read-comments.ts";

/* Writes the schemas' comments to the file that GraphQL takes its descriptions from; with --check, compares them. */

const read = (name: string) => ({
  name,
  text: readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"),
});
const target = new URL("../../src/api/graphql/descriptions.json", import.meta.url);

try {
  const offchain = readComments(read("offchain/schema.ts")).found;
  const { found, missing } = readComments(read("ponder.schema.ts"), offchain);
  if (missing.length > 0) throw new Error(`ponder.schema.ts has no comment on ${missing.join(", ")}.`);
  const text = `${JSON.stringify(found, null, 2)}\n`;
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (text !== readFileSync(target, "utf8")) {
    console.error(
      "src/api/graphql/descriptions.json doesn't match the schemas' comments. Run `npm run graphql:build` and commit it.",
    );
    process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
