import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
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

type Holder = { pid: number; identity: string };

const ATTEMPTS = 10;

/** Locks a data folder for this process. Throws a StartError if another running instance of the service has the lock. */
export async function acquireInstanceLock(home: string, dataDir: string): Promise<InstanceLock> {
  const file = path.join(home, "instance.json");
  const own = JSON.stringify({
    pid: process.pid,
    identity: processIdentity(process.pid) ?? "",
  } satisfies Holder);
  let foundStale = false;

  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await createFile(file, own)) {
      return {
        foundStale,
        release: async () => {
          if ((await readIfExists(file)) === own) await rm(file, { force: true });
        },
      };
    }
    const text = await readIfExists(file);
    assertHolderIsGone(text, dataDir);
    // The file is created before it is written, so an empty one may be about to be filled.
    if (text === "" && attempt < ATTEMPTS / 2) {
      await delay(20);
    } else if (text !== undefined) {
      foundStale = true;
      await discard(file, text, dataDir);
    }
  }
  throw new StartError(`another instance of this service is starting in ${dataDir}: wait for it or stop it`, {
    code: "in-use",
  });
}

/** The running process that holds the lock, if any. */
export async function lockHolder(home: string): Promise<{ pid: number } | undefined> {
  return aliveHolder(await readIfExists(path.join(home, "instance.json")));
}

function aliveHolder(text: string | undefined): Holder | undefined {
  const holder = parseHolder(text);
  return holder !== undefined && processIsAlive(holder.pid, holder.identity) ? holder : undefined;
}

function assertHolderIsGone(text: string | undefined, dataDir: string): void {
  const holder = aliveHolder(text);
  if (holder === undefined) return;
  throw new StartError(
    `another instance of this service (pid ${holder.pid}) uses the data in ${dataDir}: stop it, or set DATA_DIR to another folder`,
    { code: "in-use" },
  );
}

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
  if (taken !== stale) assertHolderIsGone(taken, dataDir);
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
  const { pid = 0, identity } = (parseJson(text ?? "") ?? {}) as Partial<Holder>;
  return Number.isInteger(pid) && pid > 0 ? { pid, identity: String(identity) } : undefined;
}
