import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const projectDir = fileURLToPath(new URL("../..", import.meta.url));

/** Whole services: Ponder, `npm start`, the local stack. */
const endToEnd = /^test\/(end-to-end|security)\//;

/** The modules that start an anvil or a Postgres. A file that uses the run's Postgres is recognised by its `inject`. */
const serverModules = /(^test\/chain\/anvil|^runtime\/postgres\/start-postgres)\.ts$/;
const injectsPostgres = /inject\("postgres\w*"\)/;

/**
 * Returns all test files by project. Everything under test/end-to-end or test/security is end-to-end. Of the others, those whose
 * imports lead to a Postgres or an anvil are in `database`, and the rest are in `unit`. `long` are the files of `npm run test:long`:
 * those whose imports lead to `sized` or `onlyInLongRun` (`variations`), and
 * those that `npm test` doesn't run, in test/long (`processes`) and test/soak.
 */
export function testFilesByProject() {
  const files = globSync("**/*.test.ts", {
    cwd: projectDir,
    exclude: (name) => /^(node_modules|\.data|\.git|long|soak)$/.test(path.basename(name)),
  });
  const by = Object.groupBy(files.sort(), (file) => {
    if (endToEnd.test(file)) return "endToEnd";
    return leadsTo(file, startsServer) ? "database" : "unit";
  });
  return {
    unit: by.unit ?? [],
    database: by.database ?? [],
    endToEnd: by.endToEnd ?? [],
    long: {
      processes: globSync("test/long/*.test.ts", { cwd: projectDir }),
      soak: globSync("test/soak/*.test.ts", { cwd: projectDir }),
      variations: files.filter((file) => leadsTo(file, isLongRun)),
    },
  };
}

const startsServer = (file: string, text: string) => serverModules.test(file) || injectsPostgres.test(text);
const isLongRun = (file: string) => file === "test/run/long-run.ts";

/** Whether a file, or one of the project's modules that it imports, is one of those. */
function leadsTo(testFile: string, isOne: (file: string, text: string) => boolean): boolean {
  const files = new Set([testFile]);
  for (const file of files) {
    const { text, imports } = readModule(file);
    if (isOne(file, text)) return true;
    for (const imported of imports) files.add(imported);
  }
  return false;
}

const modules = new Map<string, { text: string; imports: string[] }>();

/** Reads a file and the paths of the project's modules that it imports. Each is read once, although most test files lead to it. */
function readModule(file: string) {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(projectDir, file), "utf8");
  const imports = [...text.matchAll(/^(?:import|export|\}) .*?from "(\.[^"]+\.ts)";$/gm)]
    .filter(([statement]) => !statement.startsWith("import type"))
    .map(([, imported = ""]) => path.join(path.dirname(file), imported));
  const module = { text, imports };
  modules.set(file, module);
  return module;
}
