import { cpSync, symlinkSync } from "node:fs";
import path from "node:path";
import { projectDir } from "../../runtime/ponder/ponder.ts";

const excluded = new Set([".git", ".data", ".ponder", "node_modules", "test", "ponder-env.d.ts"]);

/** Copies the program to a folder that doesn't exist yet, and links our installed packages into it. */
export function copyProgram(to: string): void {
  cpSync(projectDir, to, {
    recursive: true,
    filter: (file) => !excluded.has(path.relative(projectDir, file)),
  });
  symlinkSync(path.join(projectDir, "node_modules"), path.join(to, "node_modules"));
}
