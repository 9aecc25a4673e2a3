import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import wabt from "wabt";
import type { KernelKind } from "./layout.ts";
import { moduleText } from "./module.ts";

/** Writes the kernels, or says with `--check` whether they are what these sources make. */
const { parseWat } = await wabt();

for (const kind of ["simd", "scalar"] satisfies KernelKind[]) {
  const file = fileURLToPath(new URL(`${kind}.wasm`, import.meta.url));
  const name = relative(process.cwd(), file);
  const parsed = parseWat(`${kind}.wat`, moduleText(kind), { simd: true });
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  if (existsSync(file) && readFileSync(file).equals(buffer)) continue;
  if (process.argv.includes("--check")) {
    console.error(
      `${name} is not what its sources make: run \`npm run vanity:build\` and commit what it writes.`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(file, buffer);
    console.log(`wrote ${name}, ${buffer.length} bytes`);
  }
}
