import { execFile } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { StartError } from "../../runtime/start-error.ts";
import type { Benchmark } from "../shared/benchmark.ts";
import { type App, project } from "../shared/indexer.ts";

/**
 * Checks out a commit of the project into a new folder, with this one's node_modules, until the benchmark ends. Throws a
 * StartError if there is no git, no repository or no such commit.
 */
export async function checkOut(
  revision: string,
  folder: string,
  { log, onExit }: Benchmark,
): Promise<{ app: App; commit: string }> {
  // The project may be a folder of a larger repository.
  const prefix = await git("rev-parse", "--show-prefix");
  const commit = await git("rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`);
  onExit(async () => {
    await git("worktree", "remove", "--force", folder).catch(() => git("worktree", "prune"));
  });
  await git("worktree", "add", "--detach", folder, commit);

  const app = project("then", path.join(folder, prefix));
  await symlink(path.join(projectDir, "node_modules"), path.join(app.folder, "node_modules"), "dir");
  const lockfile = (root: string) => readFile(path.join(root, "package-lock.json"), "utf8");
  if ((await lockfile(app.folder).catch(() => "")) !== (await lockfile(projectDir))) {
    log(
      `${revision} needs other packages than the installed ones; it is measured with those that are installed`,
    );
  }
  return { app, commit };
}

async function git(...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)("git", args, { cwd: projectDir })).stdout.trim();
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new StartError(`--against: git ${args[0]} failed: ${stderr?.trim() || message}`, {
      cause: error,
    });
  }
}
