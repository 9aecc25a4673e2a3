import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import wabt from "wabt";
import type { KernelKind } from "./layout.ts";
import { moduleText } from "./module.ts";

/** Builds the kernels or, with `--check`, fails if the committed ones differ from what these sources produce. */
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
      `${name} is not what its sources produce: run \`npm run vanity:build\` and commit the result.`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(file, buffer);
    console.log(`wrote ${name}, ${buffer.length} bytes`);
  }
}
