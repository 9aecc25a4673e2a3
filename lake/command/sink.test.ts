import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectDir } from "../../runtime/ponder/ponder.ts";
import { startHttpServer } from "../../test/doubles/http-server.ts";
import { runProgram } from "../../test/service/program.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";

test("a password that is not in the address is read from the file that CLICKHOUSE_PASSWORD_FILE names", async () => {
  const passwords: unknown[] = [];
  const server = await startHttpServer(async ({ headers }) => {
    passwords.push(headers["x-clickhouse-key"]);
    return { status: 403, body: "Code: 516. DB::Exception: Authentication failed" };
  });
  const { folder, remove } = await temporaryFolder();
  onTestFinished(async () => {
    await server.close();
    await remove();
  });
  const file = path.join(folder, "password");
  writeFileSync(file, "mounted\n");
  const sink = runProgram(path.join(projectDir, "lake/command/sink.ts"), {
    args: ["--to", `clickhouse://analyst@${new URL(server.url).host}/launchpad`],
    env: { CLICKHOUSE_PASSWORD_FILE: file },
  });
  expect(await sink.exited).toBe(1);
  expect(sink.output()).toContain("refuses user analyst");
  expect(passwords).toEqual(["mounted"]);
});
