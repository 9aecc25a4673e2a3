import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, open, rename, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "../../config/error-code.ts";
import { parseJson } from "../../config/parse.ts";
import { processIdentity, processIsAlive } from "../process/process-identity.ts";
import { StartError } from "../start-error.ts";
import { readIfExists } from "./data-home.ts";

export type InstanceLock = {
  /** Whether an earlier instance left its lock behind because it didn't stop cleanly. */
  foundStale: boolean;
  release(): Promise<void>;
};

/** `socket` is the name of a socket in the folder that it listens on: a pid says nothing to another container. */
type Holder = { pid: number; identity: string; socket?: string | undefined };

const ATTEMPTS = 10;

/** Locks a data folder for this process. Throws a StartError if another running instance of the service has the lock. */
export async function acquireInstanceLock(home: string, dataDir: string): Promise<InstanceLock> {
  const file = path.join(home, "instance.json");
  const listening = await listenIn(home);
  const own = JSON.stringify({
    pid: process.pid,
    identity: processIdentity(process.pid) ?? "",
    socket: listening?.name,
  } satisfies Holder);
  let foundStale = false;

  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await createFile(file, own)) {
        return {
          foundStale,
          release: async () => {
            if ((await readIfExists(file)) === own) await rm(file, { force: true });
            await listening?.close();
          },
        };
      }
      const text = await readIfExists(file);
      await assertHolderIsGone(text, home, dataDir);
      // The file is created before it is written, so an empty one may be about to be filled.
      if (text === "" && attempt < ATTEMPTS / 2) {
        await delay(20);
      } else if (text !== undefined) {
        foundStale = true;
        await discard(file, text, dataDir);
      }
    }
    throw new StartError(
      `another instance of this service is starting in ${dataDir}: wait for it or stop it`,
      { code: "in-use" },
    );
  } catch (error) {
    await listening?.close();
    throw error;
  }
}

/** The running process that holds the lock, if any. One in another container doesn't count: its Postgres can't be reached from here. */
export async function lockHolder(home: string): Promise<{ pid: number } | undefined> {
  const holder = parseHolder(await readIfExists(path.join(home, "instance.json")));
  return holder !== undefined && isVisible(holder) ? holder : undefined;
}

const isVisible = ({ pid, identity }: Holder) => processIsAlive(pid, identity);

async function assertHolderIsGone(text: string | undefined, home: string, dataDir: string): Promise<void> {
  const holder = parseHolder(text);
  if (holder === undefined) return;
  const isHere = isVisible(holder);
  if (!isHere && !(await isAnswered(home, holder.socket))) return;
  const where = isHere ? `(pid ${holder.pid})` : "in another container";
  throw new StartError(
    `another instance of this service ${where} uses the data in ${dataDir}: stop it, or set DATA_DIR to another folder`,
    { code: "in-use" },
  );
}

const socketName = /^instance-[0-9a-f]{12}\.sock$/;

/**
 * Listens on a socket in the folder for as long as this process lives. Two containers that share a volume don't see each other's
 * processes, nor each other's Postgres, and two of those would destroy the data; but sockets reach across.
 *
 * @returns undefined where there are no such containers, or the file system has no sockets
 */
async function listenIn(home: string): Promise<{ name: string; close(): Promise<void> } | undefined> {
  if (process.platform !== "linux") return undefined;
  const name = `instance-${randomBytes(6).toString("hex")}.sock`;
  const folder = await open(home, "r");
  const server = net.createServer((socket) => socket.destroy());
  const close = async () => {
    server.close();
    await rm(path.join(home, name), { force: true });
    await folder.close();
  };
  try {
    server.listen(shortPath(folder.fd, name));
    await once(server, "listening");
    // A later start may be another user's, who must see that nobody listens any more.
    await chmod(path.join(home, name), 0o666);
  } catch {
    await close();
    return undefined;
  }
  server.unref();
  return { name, close };
}

async function isAnswered(home: string, name: string | undefined): Promise<boolean> {
  if (name === undefined || !socketName.test(name)) return false;
  const folder = await open(home, "r");
  const socket = net.connect(shortPath(folder.fd, name));
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    return !["ECONNREFUSED", "ENOENT"].includes(codeOf(error));
  } finally {
    socket.destroy();
    await folder.close();
  }
}

/** A path to a file of an open folder. The folder's own may be longer than the 107 bytes that a socket's may have. */
const shortPath = (folder: number, name: string) => `/proc/self/fd/${folder}/${name}`;

async function discard(file: string, stale: string, dataDir: string): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  // Another start may have written its lock between our check and our rename.
  const taken = await readIfExists(aside);
  if (taken !== undefined && taken !== stale) await createFile(file, taken);
  await rm(aside, { force: true });
  const home = path.dirname(file);
  if (taken !== stale) return await assertHolderIsGone(taken, home, dataDir);
  const { socket = "" } = parseHolder(stale) ?? {};
  if (socketName.test(socket)) await rm(path.join(home, socket), { force: true });
}

async function createFile(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o644 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function parseHolder(text: string | undefined): Holder | undefined {
  const { pid = 0, identity, socket } = (parseJson(text ?? "") ?? {}) as Partial<Holder>;
  const isValid = Number.isInteger(pid) && pid > 0;
  return isValid ? { pid, identity: String(identity), socket: socket && String(socket) } : undefined;
}
