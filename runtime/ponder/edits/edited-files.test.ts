import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/service/temporary-folder.ts";
import { importFromPonder, recompileEditedFiles } from "./edit-ponder.ts";

test("a file that is edited while it is being compiled is compiled again for later requests", async () => {
  await recompileEditedFiles();
  const { ViteNodeServer } = await importFromPonder("vite-node", "dist/server.mjs");
  const { createServer } = await importFromPonder("vite", "dist/node/index.js");

  const { folder, remove } = await temporaryFolder();
  const file = path.join(folder, "edited.ts");
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const vite = await createServer({
    root: folder,
    configFile: false,
    appType: "custom",
    logLevel: "silent",
    optimizeDeps: { noDiscovery: true },
    server: { hmr: false, watch: null, middlewareMode: true },
    plugins: [
      {
        name: "slow at first",
        async transform(code: string) {
          if (!code.includes("old")) return;
          begun.resolve();
          await released.promise;
        },
      },
    ],
  });
  try {
    await vite.pluginContainer.buildStart({});
    const server = new ViteNodeServer(vite);
    await writeFile(file, 'export const text = "old";');
    const before = server.fetchModule(file, "ssr");
    await begun.promise;

    await writeFile(file, 'export const text = "new";');
    vite.watcher.emit("change", file);
    const isInvalidated = () =>
      [...(vite.moduleGraph.getModulesByFile(file) ?? [])].some(
        ({ lastInvalidationTimestamp }) => lastInvalidationTimestamp > 0,
      );
    await expect.poll(isInvalidated).toBe(true);
    // Without this, one would wait for the other forever.
    setImmediate(() => released.resolve());
    expect((await server.fetchModule(file, "ssr")).code).toContain("new");
    expect((await before).code).toContain("old");
  } finally {
    released.resolve();
    await vite.close();
    await remove();
  }
});
