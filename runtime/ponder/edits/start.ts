import { findPackageJSON } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Edit } from "./edit.ts";

const start = "ponder/dist/esm/bin/commands/start.js";
const config = "ponder/dist/esm/build/config.js";
const serveFirst = new URL("../serve-first.ts", import.meta.url);

/**
 * Lets the API listen while no RPC endpoint answers. Ponder asks the chain for its last final block before it opens the database, and
 * creates its server last of all.
 */
export const serveFirstEdits: Edit[] = [
  {
    file: config,
    from: "const finalizedBlocks = await Promise.all(chains.map((chain) => {",
    to: "const finalizedBlocks = await finalBlocks(common, chains.map((chain) => {",
    imports: { names: ["finalBlocks"], from: serveFirst },
  },
  {
    file: start,
    from: `const rpcDiagnosticResult = await build.rpcDiagnostic({
        configBuild: configBuildResult.result,
    });
    if (rpcDiagnosticResult.status === "error") {
        common.logger.error({
            msg: "Build failed",
            stage: "diagnostic",
            error: rpcDiagnosticResult.error,
        });
        await exit({ code: 75 });
        return;
    }`,
    to: `const rpcDiagnosed = build.rpcDiagnostic({
        configBuild: configBuildResult.result,
    });`,
  },
  {
    file: start,
    from: `const crashRecoveryCheckpoint = await database.migrate({
        buildId: indexingBuildResult.result.buildId,
        chains: indexingBuildResult.result.chains,
        finalizedBlocks: indexingBuildResult.result.finalizedBlocks,
    });
    await database.migrateSync();
    const apiResult`,
    to: `let crashRecoveryCheckpoint;
    const migrate = async () => {
        crashRecoveryCheckpoint = await database.migrate({
            buildId: indexingBuildResult.result.buildId,
            chains: indexingBuildResult.result.chains,
            finalizedBlocks: indexingBuildResult.result.finalizedBlocks,
        });
        await database.migrateSync();
    };
    const answers = Promise.all([rpcDiagnosed, ...indexingBuildResult.result.finalizedBlocks]);
    const first = await serveFirst({
        answers,
        schema: namespaceResult.result.schema,
        buildId: indexingBuildResult.result.buildId,
        adminQB: database.adminQB,
        migrate,
    });
    const connect = async () => {
        const failed = (error) => [{ status: "error", error }];
        const [rpcDiagnosticResult, ...finalizedBlocks] = await answers.catch(failed);
        if (rpcDiagnosticResult.status === "error") {
            common.logger.error({
                msg: "Build failed",
                stage: "diagnostic",
                error: rpcDiagnosticResult.error,
            });
            await exit({ code: 75 });
            return false;
        }
        indexingBuildResult.result.finalizedBlocks = finalizedBlocks;
        if (!first.isMigrated) await migrate();
        return true;
    };
    if (!first.isServed && !(await connect())) return;
    const apiResult`,
    imports: { names: ["serveFirst"], from: serveFirst },
  },
  {
    file: start,
    from: "metrics.ponder_settings_info.set({",
    to: `if (first.isServed) {
        await createServer({ common, database, apiBuild: apiBuildResult.result });
        if (!(await connect())) return;
        first.onAnswer();
    }
    metrics.ponder_settings_info.set({`,
  },
  {
    file: start,
    from: "createServer(app);",
    to: "if (!first.isServed) createServer(app);",
  },
];

const viem = path.dirname(findPackageJSON("viem", import.meta.url) ?? "");
const chain = (name: string) =>
  `import { ${name} } from ${JSON.stringify(pathToFileURL(path.join(viem, `_esm/chains/definitions/${name}.js`)).href)};`;

/** Leaves out what takes half a second of each start and has no use for this service. */
export const unusedPackages: Edit[] = [
  // All 700 chains, to find the configured ones.
  {
    file: "ponder/dist/esm/utils/chains.js",
    from: 'import * as _chains from "viem/chains";',
    to: `${chain("bsc")} ${chain("bscTestnet")} const _chains = { bsc, bscTestnet };`,
  },
  // Ponder's GraphQL server. Ours is in src/api/graphql.
  { file: "ponder/dist/esm/index.js", from: "export { graphql } from './graphql/middleware.js';", to: "" },
];

/** Makes Node itself run our files. Not in development, where edits cause reloads. */
export const withoutVite: Edit[] = [
  {
    file: "ponder/dist/esm/build/index.js",
    from: `import { createServer } from "vite";
import { ViteNodeRunner } from "vite-node/client";
import { ViteNodeServer } from "vite-node/server";
import { installSourcemapsSupport } from "vite-node/source-map";
import { normalizeModuleId, toFilePath } from "vite-node/utils";
import viteTsconfigPathsPlugin from "vite-tsconfig-paths";`,
    to: 'import { normalizeModuleId, toFilePath } from "vite-node/utils";',
    imports: {
      names: [
        "createServer",
        "ViteNodeRunner",
        "ViteNodeServer",
        "installSourcemapsSupport",
        "viteTsconfigPathsPlugin",
      ],
      from: new URL("../without-vite.ts", import.meta.url),
    },
  },
];

/** Lets a reload in development finish before a further edit invalidates parts of it. */
export const reloads: Edit[] = [
  // An edit during a reload left functions registered twice, or not at all, and the build failed until the next edit.
  {
    file: "ponder/dist/esm/build/index.js",
    from: 'viteDevServer.watcher.on("change", onFileChange);',
    to: `let executing;
            for (const name of ["executeConfig", "executeSchema", "executeIndexingFunctions", "executeApi"]) {
                const execute = build[name];
                build[name] = (...given) => (executing = execute(...given));
            }
            viteDevServer.watcher.on("change", async (file) => {
                for (let seen; seen !== executing;) {
                    seen = executing;
                    await seen.catch(() => {});
                }
                await onFileChange(file);
            });`,
  },
];

const database = "ponder/dist/esm/database/index.js";

/**
 * Has signs of life told in Postgres' time, in which others see how old they are: the clocks of machines differ. The first one comes at
 * once, since the start itself notes the machine's time.
 */
export const heartbeat: Edit[] = [
  { file: database, from: "heartbeatInterval = setInterval(async () => {", to: "const beat = async () => {" },
  {
    file: database,
    from: `}, common.options.databaseHeartbeatInterval);
            return result.crashRecoveryCheckpoint;`,
    to: `};
            heartbeatInterval = setInterval(beat, common.options.databaseHeartbeatInterval);
            await beat();
            return result.crashRecoveryCheckpoint;`,
  },
  {
    file: database,
    from: `value: sql \`jsonb_set(value, '{heartbeat_at}', \${heartbeat})\`,`,
    to: "value: sql `jsonb_set(value, '{heartbeat_at}', to_jsonb(floor(extract(epoch from clock_timestamp()) * 1000)))`,",
  },
];
