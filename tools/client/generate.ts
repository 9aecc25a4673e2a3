import { readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { printSchema } from "graphql";
import openapiTypescript, { astToString } from "openapi-typescript";

/* Generates what the client has from the OpenAPI document and from the GraphQL schema; with `--check`, compares it. */

// Ponder provides this module when it runs the service.
const schema = new URL("../../ponder.schema.ts", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => next(specifier === "ponder:schema" ? schema : specifier, context),
});

const { servedDocument } = await import("../../test/service/served-document.ts");
const { createGraphql } = await import("../../src/api/graphql/create-graphql.ts");
const { readApiSchema } = await import("../../src/api/graphql/tables.ts");
const tables = await import("../../ponder.schema.ts");

const apiTypes = await openapiTypescript(JSON.parse(await servedDocument()));
/** An id has the chain in it. A row of a view is one token, as are those of `token`. */
function keyFields(key: string[]): string[] {
  if (key.includes("id")) return ["id"];
  return key.length > 0 ? key : ["chainId", "address"];
}
const keysByType = [...readApiSchema(tables).tables.values()].map(
  ({ name, key }) => `  ${name}: ${JSON.stringify(keyFields(key)).replaceAll(",", ", ")},\n`,
);

const isCheck = process.argv.includes("--check");
let isSame = true;
write(
  new URL("../../client/src/api-types.ts", import.meta.url),
  `// Generated from the OpenAPI document: \`npm run client:generate\`.\n\n${astToString(apiTypes)}`,
);
write(
  new URL("../../client/src/graphql-keys.ts", import.meta.url),
  `// Generated from ponder.schema.ts: \`npm run client:generate\`.

/**
 * The fields that identify a row of each GraphQL type, for caches that normalise. An \`id\` is unique over chains. An address is not:
 * both chains may have it.
 */
export const graphqlKeys = {
${keysByType.join("")}} as const;
`,
);
write(
  new URL("../../client/schema.graphql", import.meta.url),
  `# Generated from ponder.schema.ts: \`npm run client:generate\`.\n\n${printSchema(createGraphql(tables).schema)}\n`,
);
// The routes keep workers and timers running, as in a service.
process.exit(isSame ? 0 : 1);

function write(file: URL, text: string): void {
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(
      `${fileURLToPath(file)} differs from what the service has: run \`npm run client:generate\``,
    );
    isSame = false;
  }
}
