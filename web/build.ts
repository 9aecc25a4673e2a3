import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { build } from "vite";
import { config, outDir } from "./vite.ts";

/**
 * Builds the explorer into web/dist, for `npm ci` and `npm run web:build`. With --watch, rebuilds it whenever a source changes.
 */
const isWatching = process.argv.includes("--watch");

await build({
  ...config,
  build: { ...config.build, watch: isWatching ? {} : null },
  plugins: [...(config.plugins ?? []), { name: "compress", closeBundle: compressAll }],
});

/** Writes a brotli and a gzip file beside each asset, so that nothing has to be compressed when it is requested. */
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
