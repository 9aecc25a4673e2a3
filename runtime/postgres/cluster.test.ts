import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { createCluster } from "./cluster.ts";

test("what ended initdb is said, not what it was doing", async () => {
  const place = await temporaryFolder();
  onTestFinished(() => place.remove());
  const initdb = path.join(place.folder, "initdb");
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
  const home = path.join(place.folder, "postgres");
  await mkdir(home);
  const created = createCluster({
    home,
    user: undefined,
    binaries: { initdb, postgres: "", version: "18.4.0" },
    password: "secret",
    durable: false,
    reaper: undefined,
    signal: undefined,
  });
  await expect(created).rejects.toThrow(
    "child process was terminated by signal 9: Killed; initdb: removing data directory",
  );
});
