import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { build } from "vite";
import { config, outDir } from "./vite.ts";

/**
 * Builds the explorer into web/dist: `npm ci` does it, and `npm run web:build`. With --watch, again after each change of a source.
 */
const isWatching = process.argv.includes("--watch");

await build({
  ...config,
  build: { ...config.build, watch: isWatching ? {} : null },
  plugins: [{ name: "compress", closeBundle: compressAll }],
});

/** Writes each asset in brotli and gzip beside it, at their best, so that nobody waits for it when it is asked for. */
async function compressAll(): Promise<void> {
  const assets = path.join(outDir, "assets");
  await Promise.all(
    (await readdir(assets)).map(async (name) => {
      const bytes = await readFile(path.join(assets, name));
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes),
        promisify(gzip)(bytes, { level: 9 }),
      ]);
      await writeFile(path.join(assets, `${name}.br`), br);
      await writeFile(path.join(assets, `${name}.gz`), gz);
    }),
  );
}
