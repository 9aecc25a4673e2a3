import { execFile } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { codeOf, StartError } from "../../runtime/start-error.ts";
import { type App, project } from "./apps.ts";

export type OtherCommit = { app: App; commit: string };

type Options = {
  /** The folder for its files. It must not exist yet. */
  folder: string;
  log(line: string): void;
  /** Registers a callback to run after every process has ended. */
  onExit(callback: () => Promise<void>): void;
};

/**
 * Checks out a commit of the project into another folder, with this one's node_modules, until the benchmark ends. Throws a
 * StartError if there is no git, no repository or no such commit.
 */
export async function checkOut(revision: string, { folder, log, onExit }: Options): Promise<OtherCommit> {
  // The project may be a folder of a larger repository.
  const prefix = await git("rev-parse", "--show-prefix").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") throw failed("--against needs git, which is not installed", error);
    throw failed(`--against needs the git repository of the project, which ${projectDir} is not`, error);
  });
  const commit = await git("rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`).catch(
    (error: unknown) => {
      throw failed(`--against: the repository has no commit ${revision}`, error);
    },
  );
  onExit(async () => {
    await git("worktree", "remove", "--force", folder).catch(() => git("worktree", "prune"));
  });
  await git("worktree", "add", "--detach", folder, commit).catch((error: unknown) => {
    throw failed(`git cannot check out ${revision}: ${messageOf(error)}`, error);
  });

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
  const { stdout } = await promisify(execFile)("git", args, { cwd: projectDir });
  return stdout.trim();
}

function messageOf(error: unknown): string {
  const { stderr } = error as { stderr?: string };
  return stderr?.trim() || String(error);
}

function failed(message: string, cause: unknown): StartError {
  return new StartError("failed", message, { cause });
}
