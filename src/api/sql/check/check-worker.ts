import { setFlagsFromString } from "node:v8";
import { parentPort } from "node:worker_threads";
import { RefusedStatement } from "./parse-tree.ts";
import { checkBounds } from "./statement-bounds.ts";

export type CheckRequest = { id: number; text: string; values: unknown[] };

/** `position` counts the statement's characters from 1. */
export type CheckReport = {
  id: number;
  /** Whether it asks for the plan of a query. */
  explains?: boolean;
  refused?: { detail: string; position?: number | undefined };
};

/**
 * A thread that parses clients' statements. The parser is C, compiled to WebAssembly: if a statement exhausts its stack, it may
 * hang or leave it broken, so a thread that fails in any other way than by a syntax error is replaced.
 */
const port = parentPort;
if (port === null) throw new Error("check-worker.ts runs in a worker thread");

// The grammar is one huge function. Once it has run for a while, V8 would compile it again for speed, and use 400 MiB for that. A
// function that was compiled while these flags are off stays as it is. They apply to the whole process, so they are on again after.
const tierUp = ["wasm-tier-up", "wasm-dynamic-tiering"];
for (const flag of tierUp) setFlagsFromString(`--no-${flag}`);
const { loadModule, parseSync, SqlError } = await import("libpg-query");
await loadModule();
parseSync("select 1");
for (const flag of tierUp) setFlagsFromString(`--${flag}`);

port.on("message", ({ id, text, values }: CheckRequest) => {
  port.postMessage({ id, ...check(text, values) } satisfies CheckReport);
});
port.postMessage("ready");

function check(text: string, values: unknown[]): Omit<CheckReport, "id"> {
  try {
    return checkBounds(parseSync(text).stmts ?? [], values);
  } catch (error) {
    if (error instanceof SqlError) {
      return { refused: { detail: error.message, position: (error.sqlDetails?.cursorPosition ?? 0) + 1 } };
    }
    if (error instanceof RefusedStatement) {
      const { message: detail, location } = error;
      if (location === undefined) return { refused: { detail } };
      return {
        refused: { detail, position: [...Buffer.from(text).subarray(0, location).toString()].length + 1 },
      };
    }
    throw error;
  }
}
