import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";

/** Fills `dataDir` with what the embedded Postgres leaves after its first start. A copy is much quicker than such a start. */
export async function copyPostgresHome(dataDir: string): Promise<void> {
  await mkdir(path.dirname(dataDir), { recursive: true });
  // Keeps owners and modes, which Node's own copy would not.
  await promisify(execFile)("cp", ["-a", inject("postgresHome"), dataDir]);
}
