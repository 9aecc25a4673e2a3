import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));

/** Whole services: Ponder, `npm start`, the local stack. */
const endToEnd = /^test\/(end-to-end|security)\//;

/** What starts a Postgres or an anvil, or asks for the run's Postgres. */
const servers = /(^test\/chain\/anvil|^runtime\/postgres\/start-postgres)\.ts$/;
const asksForPostgres = /inject\("postgres\w*"\)/;

/** The files whose full size is for `npm run test:long`. */
export const soaks = [
  "test/end-to-end/chain-access.test.ts",
  "test/end-to-end/explorer-hostile.test.ts",
  "test/end-to-end/hot-reload.test.ts",
  "test/end-to-end/malformed-requests.test.ts",
  "test/end-to-end/mcp.test.ts",
  "test/end-to-end/random-market.test.ts",
  "test/end-to-end/upgrade.test.ts",
  "contracts/launchpad-properties.test.ts",
  "salt-search/salt-search.test.ts",
  "src/api/images/hostile-uploads.test.ts",
];

/**
 * Every test file by its project. Whatever is under test/end-to-end or test/security is end-to-end; of the others, those whose
 * imports lead to a Postgres or an anvil are in `database`, and all the rest is in `unit`.
 */
export function testFilesByProject() {
  const files = globSync("**/*.test.ts", {
    cwd: projectDir,
    exclude: (name) => /^(node_modules|\.data|\.git)$/.test(path.basename(name)),
  });
  const by = Object.groupBy(files.sort(), (file) => {
    if (endToEnd.test(file)) return "endToEnd";
    return startsServers(file) ? "database" : "unit";
  });
  return { unit: by.unit ?? [], database: by.database ?? [], endToEnd: by.endToEnd ?? [] };
}

/** Follows what a file imports of the project. */
function startsServers(testFile: string): boolean {
  const files = new Set([testFile]);
  for (const file of files) {
    if (servers.test(file)) return true;
    const text = readFileSync(path.join(projectDir, file), "utf8");
    if (asksForPostgres.test(text)) return true;
    for (const [statement, imported = ""] of text.matchAll(
      /^(?:import|export|\}) .*?from "(\.[^"]+\.ts)";$/gm,
    )) {
      if (!statement.startsWith("import type")) files.add(path.join(path.dirname(file), imported));
    }
  }
  return false;
}
