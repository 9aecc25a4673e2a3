import fc from "fast-check";
import { afterAll, vi } from "vitest";
import { closeSharedByFile } from "./end-of-file.ts";
import { seed } from "./seed.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

// The files of a worker share modules and therefore these globals:
const globals = globalThis as { PONDER_NAMESPACE_BUILD?: object; pristine?: object };
// the schema of Ponder's tables, which ponder.schema.ts reads from here,
globals.PONDER_NAMESPACE_BUILD = { schema: "onchain" };
// and the original classes that Hono's server for Node replaces when a file imports it.
globals.pristine ??= { Request, Response };
Object.assign(globalThis, globals.pristine);
// The explorer's modules show English, whatever the language of this machine.
Object.defineProperty(navigator, "languages", { value: ["en"], configurable: true });

afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await closeSharedByFile();
});
