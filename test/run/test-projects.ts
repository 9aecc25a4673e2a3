import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));

/** Whole services: Ponder, `npm start`, the local stack. */
const endToEnd = /^test\/(end-to-end|security)\//;

/** The modules that start an anvil or a Postgres. A file that uses the run's Postgres is recognised by its `inject`. */
const serverModules = /(^test\/chain\/anvil|^runtime\/postgres\/start-postgres)\.ts$/;
const injectsPostgres = /inject\("postgres\w*"\)/;

/** The files that have a larger size in `npm run test:long`, and those that run only there. */
export const soaks = [
  "test/soak/never-wrong.test.ts",
  "test/end-to-end/chain-access.test.ts",
  "test/end-to-end/chain-access-single.test.ts",
  "test/end-to-end/explorer-hostile.test.ts",
  "test/end-to-end/hot-reload.test.ts",
  "test/end-to-end/inspector.test.ts",
  "test/end-to-end/malformed-requests.test.ts",
  "test/end-to-end/mcp.test.ts",
  "test/end-to-end/quotes.test.ts",
  "test/end-to-end/random-market.test.ts",
  "test/end-to-end/rest-list.test.ts",
  "test/end-to-end/rest-outage.test.ts",
  "test/end-to-end/upgrade.test.ts",
  "test/security/sql-limits.test.ts",
  "contracts/launchpad-properties.test.ts",
  "salt-search/salt-search.test.ts",
  "src/api/images/hostile-uploads.test.ts",
  "src/api/tokens/list/order/list-order.test.ts",
];

/**
 * Returns all test files by project. Everything under test/end-to-end or test/security is end-to-end. Of the others, those whose
 * imports lead to a Postgres or an anvil are in `database`, and the rest are in `unit`.
 */
export function testFilesByProject() {
  const files = globSync("**/*.test.ts", {
    cwd: projectDir,
    exclude: (name) => /^(node_modules|\.data|\.git|soak)$/.test(path.basename(name)),
  });
  const by = Object.groupBy(files.sort(), (file) => {
    if (endToEnd.test(file)) return "endToEnd";
    return startsServers(file) ? "database" : "unit";
  });
  return { unit: by.unit ?? [], database: by.database ?? [], endToEnd: by.endToEnd ?? [] };
}

/** Whether a file starts servers, itself or in one of the project's modules that it imports. */
function startsServers(testFile: string): boolean {
  const files = new Set([testFile]);
  for (const file of files) {
    if (serverModules.test(file)) return true;
    const text = readFileSync(path.join(projectDir, file), "utf8");
    if (injectsPostgres.test(text)) return true;
    for (const [statement, imported = ""] of text.matchAll(
      /^(?:import|export|\}) .*?from "(\.[^"]+\.ts)";$/gm,
    )) {
      if (!statement.startsWith("import type")) files.add(path.join(path.dirname(file), imported));
    }
  }
  return false;
}
