import { createHash } from "node:crypto";
import { constants } from "node:fs";
import {
  access,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rmdir,
  stat,
  symlink,
} from "node:fs/promises";
import path from "node:path";
import { codeOf, fileError, StartError } from "../start-error.ts";
import { makePublicFolder } from "./binaries.ts";
import { chooseServerUser, type ServerUser, succeedsAs } from "./server-user.ts";

/** The real folder of the data, and who runs Postgres in it (undefined: the user of this process). */
export type DataHome = { home: string; user: ServerUser | undefined };

/** Everyone may enter the folder, and only its owner may list it. */
const PASS_THROUGH = 0o711;

/**
 * Makes or finds the folder that holds the data. For root, whose Postgres runs as another user, a folder out of
 * that user's reach (under /root, say) becomes a link into `sharedDir`, where the data then is. Throws a StartError
 * when the data cannot be where it should be.
 */
export async function prepareDataHome(
  dataDir: string,
  sharedDir: string,
  log: (line: string) => void,
): Promise<DataHome> {
  try {
    return process.getuid?.() === 0
      ? await prepareAsRoot(dataDir, sharedDir, log)
      : await prepareAsUser(dataDir);
  } catch (error) {
    throw fileError(error, dataDir);
  }
}

async function prepareAsUser(dataDir: string): Promise<DataHome> {
  await assertLinkLeadsSomewhere(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await access(dataDir, constants.W_OK | constants.X_OK);
  const home = await realpath(dataDir);
  const owner = await ownerOf(path.join(home, "cluster"));
  if (owner !== undefined && owner !== process.getuid?.()) {
    throw new StartError(
      "not-writable",
      `the data in ${dataDir} belongs to another user (uid ${owner}): run as that user or as root, or set DATA_DIR to a folder of your own`,
    );
  }
  return { home, user: undefined };
}

async function prepareAsRoot(
  dataDir: string,
  sharedDir: string,
  log: (line: string) => void,
): Promise<DataHome> {
  const isLink = await assertLinkLeadsSomewhere(dataDir);
  const owner = (await ownerOf(path.join(dataDir, "cluster"))) || (await ownerOf(dataDir));
  const user = await chooseServerUser(owner);

  if ((await ownerOf(dataDir)) === undefined) {
    const parent = path.dirname(dataDir);
    await mkdir(parent, { recursive: true });
    if (!(await canEnter(user, parent))) return { home: await moveOut(dataDir, sharedDir, user, log), user };
    await mkdir(dataDir);
    await chmod(dataDir, PASS_THROUGH);
  }
  const home = await realpath(dataDir);
  if (await canEnter(user, home)) return { home, user };
  if (!isLink && (await readdir(dataDir)).length === 0) {
    await rmdir(dataDir);
    return { home: await moveOut(dataDir, sharedDir, user, log), user };
  }
  throw new StartError(
    "not-reachable",
    `Postgres runs as the user ${user.name}, who cannot enter ${home}: move it or set DATA_DIR to a folder that ${user.name} can enter`,
  );
}

async function moveOut(
  dataDir: string,
  sharedDir: string,
  user: ServerUser,
  log: (line: string) => void,
): Promise<string> {
  await makePublicFolder(sharedDir);
  const where = path.join(await realpath(path.dirname(dataDir)), path.basename(dataDir));
  const prefix = `data-${createHash("sha256").update(where).digest("hex").slice(0, 12)}-`;
  const unlinked = (await readdir(sharedDir)).filter((name) => name.startsWith(prefix));
  for (const name of unlinked) {
    log(
      `an earlier database of ${dataDir} is no longer linked from there; if you do not need it, delete ${path.join(sharedDir, name)}`,
    );
  }
  // A new folder every time: whoever deleted the link wanted an empty database, but the old data may still be needed.
  const home = await mkdtemp(path.join(sharedDir, prefix));
  await chmod(home, PASS_THROUGH);
  await symlink(home, dataDir);
  if (!(await canEnter(user, home))) {
    throw new StartError(
      "not-reachable",
      `Postgres runs as the user ${user.name}, who can enter neither ${dataDir} nor ${home}: set DATA_DIR to a folder that ${user.name} can enter`,
    );
  }
  log(
    `Postgres runs as the user ${user.name}, who cannot enter ${dataDir}: its data is in ${home}, linked from there`,
  );
  return home;
}

/** Whether `dataDir` is a link. Throws for a dangling one: starting anew would hide that the data is missing. */
async function assertLinkLeadsSomewhere(dataDir: string): Promise<boolean> {
  const isLink = await lstat(dataDir).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  if (!isLink) return false;
  await stat(dataDir).catch(async (error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
    throw new StartError(
      "not-reachable",
      `${dataDir} is a link to a folder that is missing: bring the folder back, or delete the link to start with an empty database`,
    );
  });
  return true;
}

async function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  return await succeedsAs(user, "/bin/sh", ["-c", 'cd "$1"', "sh", folder]);
}

async function ownerOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).uid;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
