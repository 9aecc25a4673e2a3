import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { codeOf } from "../../config/error-code.ts";
import { StartError } from "../start-error.ts";

const execute = promisify(execFile);

/** The user that Postgres runs as if this process is root, since Postgres refuses to run as root. */
export type ServerUser = { name: string; uid: number; gid: number };

const OWN_NAME = "launchpad-indexer";

/**
 * Chooses a user for a Postgres that root starts: the owner of the data if it has one, else `postgres`, else a system user
 * created for this service, else `nobody`. Throws a StartError if the system has none of them.
 *
 * @param ownerUid The data's owner; 0 or undefined if there is no data or root owns it.
 */
export async function chooseServerUser(
  ownerUid: number | undefined,
  { names = ["postgres", OWN_NAME], create = createUser }: UserSource = {},
): Promise<ServerUser> {
  // initdb can't run as a user without a name, such as the owner of a folder mounted into a container.
  const owner = ownerUid ? await findUser(String(ownerUid)) : undefined;
  if (owner !== undefined) return owner;
  for (const name of names) {
    const user = await findUser(name);
    if (user !== undefined) return user;
  }
  const created = (await create(OWN_NAME)) ? await findUser(OWN_NAME) : undefined;
  const user = created ?? (await findUser("nobody"));
  if (user !== undefined) return user;
  throw new StartError(
    "Postgres refuses to run as root and no other user was found: add one named postgres, or set DATABASE_URL",
    { code: "unsupported" },
  );
}

type UserSource = { names?: string[]; create?: (name: string) => Promise<boolean> };

/** Whether a program succeeds as `user`: the only reliable test of what that user can reach. */
export async function succeedsAs(user: ServerUser, command: string, args: string[]): Promise<boolean> {
  const { uid, gid } = user;
  const child = spawn(command, args, { uid, gid, cwd: "/", stdio: "ignore" });
  try {
    const [code] = await once(child, "exit");
    return code === 0;
  } catch (error) {
    // The user can't reach the program; switching to the user worked.
    if (codeOf(error) === "EACCES" || codeOf(error) === "ENOENT") return false;
    throw new StartError(`cannot switch to the user ${user.name}: set DATABASE_URL instead`, {
      code: "unsupported",
      cause: error,
    });
  }
}

async function findUser(name: string): Promise<ServerUser | undefined> {
  try {
    // Such as "uid=102(postgres) gid=104(postgres) groups=104(postgres)".
    const { stdout } = await execute("id", [name]);
    const [, uid, realName = name, gid] = /^uid=(\d+)(?:\(([^)]*)\))? gid=(\d+)/.exec(stdout) ?? [];
    if (uid === undefined || Number(uid) === 0) return undefined;
    return { name: realName, uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}

async function createUser(name: string): Promise<boolean> {
  const options = [
    "--system",
    "--no-create-home",
    "--home-dir",
    "/nonexistent",
    "--shell",
    "/usr/sbin/nologin",
  ];
  return await execute("useradd", [...options, name]).then(
    () => true,
    () => false,
  );
}
