import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { findBinaries } from "./binaries.ts";
import { createCluster } from "./cluster.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
/** The program that is run. */
let initdb: string;

beforeEach(async () => {
  place = await temporaryFolder();
  initdb = path.join(place.folder, "initdb");
});

afterEach(() => place.remove());

async function create(): Promise<void> {
  const home = path.join(place.folder, "postgres");
  await mkdir(home);
  await createCluster({
    home,
    user: undefined,
    binaries: { initdb, postgres: "", version: "18.4.0" },
    password: "secret",
    durable: false,
    reaper: undefined,
    signal: undefined,
  });
}

test("what ended initdb is said, not what it was doing", async () => {
  await writeFile(
    initdb,
    `#!/bin/sh
printf 'creating configuration files ... ok\\nrunning bootstrap script ... '
echo 'child process was terminated by signal 9: Killed' >&2
echo 'initdb: removing data directory' >&2
exit 1
`,
  );
  await chmod(initdb, 0o755);
  await expect(create()).rejects.toThrow(
    "child process was terminated by signal 9: Killed; initdb: removing data directory",
  );
});

test("after an installation without npm's scripts, which link the libraries, it is said what to run", async () => {
  const packaged = await findBinaries(undefined, place.folder);
  await copyFile(packaged.initdb, initdb);
  await expect(create()).rejects.toThrow("npm ci --ignore-scripts=false");
});
