import { execFileSync } from "node:child_process";
import { appendFile, chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyPostgresHome } from "../../test/service/postgres-home.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { fileError, isDiskFull, StartError } from "../start-error.ts";
import { type PostgresOptions, startPostgres } from "./start-postgres.ts";

const isRoot = process.getuid?.() === 0;

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;

beforeEach(async () => {
  place = await temporaryFolder();
  dataDir = path.join(place.folder, "postgres");
});

afterEach(() => place.remove());

async function failure(options: Partial<PostgresOptions> = {}): Promise<StartError> {
  const sharedDir = path.join(place.folder, "shared");
  const error = await startPostgres({ dataDir, durable: false, sharedDir, ...options }).then(
    async (postgres) => {
      await postgres.stop();
      return new Error("it started");
    },
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StartError)) throw error;
  expect(error.message).not.toContain("\n");
  return error;
}

test("a disk with too little space is refused before anything is written", async () => {
  const error = await failure({ minimumFreeBytes: Number.MAX_SAFE_INTEGER });
  expect(error.code).toBe("disk-full");
  expect(error.message).toMatch(/has \d+ MB free and Postgres needs \d+ MB: free some, or set DATA_DIR/);
});

test("a disk that fills up while the database is created", async () => {
  if (isRoot && mountSmallDisk(place.folder)) {
    try {
      dataDir = path.join(place.folder, "disk", "postgres");
      const error = await failure({ minimumFreeBytes: 0 });
      expect(error.code).toBe("disk-full");
      expect(error.message).toContain("no space left on the disk of");
    } finally {
      execFileSync("umount", [path.join(place.folder, "disk")]);
    }
  } else {
    // Without the right to mount a small disk, a device that is always full gives the same error.
    const error = await writeFile("/dev/full", "x").catch((thrown: unknown) => fileError(thrown, dataDir));
    expect(error).toMatchObject({ name: "StartError", code: "disk-full" });
  }
});

test.each([
  'FATAL:  could not extend file "base/1/2691": No space left on device',
  'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10',
])("a full disk is known from what Postgres says: %s", (output) => {
  expect(isDiskFull(output)).toBe(true);
});

test("a folder that can't be written to", async () => {
  const locked = path.join(place.folder, "locked");
  await mkdir(locked, { mode: 0o555 });
  dataDir = path.join(locked, "postgres");
  // Permissions don't stop root, so root becomes another user for this test.
  if (isRoot) process.seteuid?.(65_534);
  try {
    const error = await failure();
    expect(error.code).toBe("not-writable");
    expect(error.message).toContain(`cannot write to ${dataDir} (permission denied)`);
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(locked, 0o755);
  }
});

test("a file where the folder should be", async () => {
  await writeFile(dataDir, "");
  expect((await failure()).message).toContain("where a folder is needed");
});

test("data of another major version", async () => {
  await copyPostgresHome(dataDir);
  await writeFile(path.join(dataDir, "cluster", "PG_VERSION"), "15\n");
  const error = await failure();
  expect(error.code).toBe("wrong-version");
  expect(error.message).toContain("was made by PostgreSQL 15 and this is 18");
});

test("a dangling link is not taken for an empty database", async () => {
  await symlink(path.join(place.folder, "gone"), dataDir);
  const error = await failure();
  expect(error.code).toBe("not-reachable");
  expect(error.message).toContain("is a link to a folder that is missing");
});

test("a server that can't start gives its reason and the path of its log", async () => {
  await copyPostgresHome(dataDir);
  await appendFile(path.join(dataDir, "cluster", "postgresql.conf"), "\nshared_buffers = 'plenty'\n");
  const error = await failure();
  expect(error.code).toBe("failed");
  expect(error.message).toMatch(/^Postgres cannot start: .*shared_buffers|configuration file/);
  expect(error.message).toContain(path.join(dataDir, "postgres.log"));
});

test("a password file that no longer matches the database", async () => {
  await copyPostgresHome(dataDir);
  await writeFile(path.join(dataDir, "admin-password"), "another");
  expect((await failure()).message).toContain("the file admin-password in the data folder is not the one");
});

function mountSmallDisk(folder: string): boolean {
  const disk = path.join(folder, "disk");
  try {
    execFileSync("mkdir", [disk]);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=20m,mode=755", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
