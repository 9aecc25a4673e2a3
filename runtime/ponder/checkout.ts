import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

/**
 * Keeps Ponder from writing `ponder-env.d.ts`, the types for editors, at each start: the program's folder may belong to another
 * user, or be read-only.
 */
export function leaveCheckoutAlone(): void {
  const { writeFileSync } = fs;
  fs.writeFileSync = (file, ...rest) => {
    if (typeof file === "string" && path.basename(file) === "ponder-env.d.ts") return;
    writeFileSync(file, ...rest);
  };
  syncBuiltinESMExports();
}
