import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { StartError } from "../../runtime/start-error.ts";
import type { Benchmark } from "../shared/benchmark.ts";
import { type App, project } from "../shared/ponder.ts";

/**
 * Extracts a commit of the project into the benchmark's folder, with this one's node_modules. Throws a StartError if there is no git,
 * no repository or no such commit.
 */
export async function extractCommit(
  revision: string,
  { folder, log }: Benchmark,
): Promise<{ app: App; commit: string }> {
  const [archive, then] = [path.join(folder, "then.tar"), path.join(folder, "then")];
  const commit = await run("git", "rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`);
  // Only of this folder, if the project is one of a larger repository.
  await run("git", "archive", "--output", archive, commit);
  await mkdir(then);
  await run("tar", "-xf", archive, "-C", then);

  await symlink(path.join(projectDir, "node_modules"), path.join(then, "node_modules"), "dir");
  const lockfile = (root: string) => readFile(path.join(root, "package-lock.json"), "utf8");
  if ((await lockfile(then).catch(() => "")) !== (await lockfile(projectDir))) {
    log(
      `${revision} needs other packages than the installed ones; it is measured with those that are installed`,
    );
  }
  return { app: project("then", then), commit };
}

async function run(command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: projectDir })).stdout.trim();
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const reason = stderr?.trim() || message;
    throw new StartError(`--against: ${command} ${args[0]} failed: ${reason}`, { cause: error });
  }
}
