import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Lists the packages that a file and its imports within the project load. Type imports don't exist at run time. */
function packagesOf(entry: string): string[] {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    for (const [statement, imported = ""] of text.matchAll(/^(?:import|export|\}) .*?from "([^"]+)";$/gm)) {
      if (statement.startsWith("import type")) continue;
      if (imported.startsWith(".")) files.add(path.join(path.dirname(file), imported));
      else if (!imported.startsWith("node:")) packages.add(imported);
    }
  }
  expect(files.size).toBeGreaterThan(50);
  return [...packages].sort();
}

test("the gate's thread loads only what it needs, since each start of the service waits for it", () => {
  const worker = fileURLToPath(new URL("worker.ts", import.meta.url));
  // viem and zod would take longer to load than everything else together.
  expect(packagesOf(worker)).toEqual(["lru-cache", "ox/Hash", "ox/Hex", "ox/Rlp", "pg", "ws"]);
});
