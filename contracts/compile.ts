import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compileContracts } from "./compiler.ts";
import { driftedFiles, generatedFiles } from "./generated-files.ts";

const root = join(import.meta.dirname, "..");

try {
  const { contracts, messages } = compileContracts(import.meta.dirname);
  for (const message of messages) console.error(message);

  const files = generatedFiles(contracts);
  const drifted = driftedFiles(root, files);
  if (process.argv.includes("--check")) {
    for (const path of drifted) console.error(`${path} is not what the contracts compile to`);
    if (drifted.length > 0) {
      console.error("Run `npm run contracts:build` and commit the result.");
      process.exitCode = 1;
    }
  } else {
    for (const path of drifted) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, files.get(path) ?? "");
      console.log(`wrote ${path}`);
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
