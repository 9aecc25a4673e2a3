import fc from "fast-check";
import { afterAll, vi } from "vitest";
import { endFile } from "./end-of-file.ts";
import { seed } from "./seed.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

// The files of a worker share what they import, and so these globals:
const globals = globalThis as { PONDER_NAMESPACE_BUILD?: object; pristine?: object };
// where Ponder puts its tables, which it tells the schema file this way;
globals.PONDER_NAMESPACE_BUILD = { schema: "onchain" };
// and those that Hono's server for Node replaces when some file imports it.
globals.pristine ??= { Request, Response };
Object.assign(globalThis, globals.pristine);

afterAll(async () => {
  vi.restoreAllMocks();
  await endFile();
});
