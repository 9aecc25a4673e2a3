import type { Edit } from "./edit.ts";

const start = "ponder/dist/esm/bin/commands/start.js";
const config = "ponder/dist/esm/build/config.js";
const serveFirst = JSON.stringify(new URL("../serve-first.ts", import.meta.url).href);

/**
 * Lets the API listen while no RPC endpoint answers. Ponder asks the chain for its last final block before it opens the database, and
 * creates its server last of all.
 */
export const serveFirstEdits: Edit[] = [
  {
    file: config,
    from: "const finalizedBlocks = await Promise.all(chains.map((chain) => {",
    to: "const finalizedBlocks = chains.map((chain) => {",
  },
  {
    file: config,
    from: `            timestamp: block.timestamp,
        })));
    }));`,
    to: `            timestamp: block.timestamp,
        })));
    });
    // Awaited, with the errors, by whoever uses them.
    for (const block of finalizedBlocks) block.catch(() => {});
    if (common.options.command !== "start") await Promise.all(finalizedBlocks);`,
  },
  {
    file: config,
    from: "finalizedBlocksWithSources.push(finalizedBlocks[i]);",
    to: `finalizedBlocksWithSources.push(common.options.command === "start" ? finalizedBlocks[i] : await finalizedBlocks[i]);`,
  },
  {
    file: start,
    from: "import { createServer } from '../../server/index.js';",
    to: `import { createServer } from '../../server/index.js';\nimport { serveFirst } from ${serveFirst};`,
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
