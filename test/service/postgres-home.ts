import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";

/** Fills `dataDir` as the first start of the embedded Postgres does, which takes much longer. */
export async function copyPostgresHome(dataDir: string): Promise<void> {
  await mkdir(path.dirname(dataDir), { recursive: true });
  // With owners and modes, which Node's own copy would not keep.
  await promisify(execFile)("cp", ["-a", inject("postgresHome"), dataDir]);
}
