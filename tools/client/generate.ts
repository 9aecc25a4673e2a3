import { readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import openapiTypescript, { astToString } from "openapi-typescript";

/* Generates the client's types from the OpenAPI document; with `--check`, compares them. */

const file = fileURLToPath(new URL("../../client/src/api-types.ts", import.meta.url));
const header = "// Generated from the OpenAPI document: `npm run client:generate`.\n\n";

// Ponder provides this module when it runs the service.
const schema = new URL("../../ponder.schema.ts", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => next(specifier === "ponder:schema" ? schema : specifier, context),
});

const { servedDocument } = await import("../../test/service/served-document.ts");
const types = header + astToString(await openapiTypescript(JSON.parse(await servedDocument())));

const isCheck = process.argv.includes("--check");
const isSame = readFileSync(file, "utf8") === types;
if (!isCheck) writeFileSync(file, types);
else if (!isSame) {
  console.error("client/src/api-types.ts doesn't match the OpenAPI document: run `npm run client:generate`");
}
// The routes keep workers and timers running, as in a service.
process.exit(isCheck && !isSame ? 1 : 0);
