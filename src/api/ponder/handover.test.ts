import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { waitingVariable } from "../../../config/process-environment.ts";

/** An API that waits for its port until it is told to close. */
const api = `
import http from "node:http";
import { offerHandover } from ${JSON.stringify(new URL("handover.ts", import.meta.url).href)};
const server = http.createServer();
offerHandover(server);
server.listen(1);
process.once("message", () => server.close((error) => process.send({ closed: error?.code ?? "well" })));`;

test("a server that still waits for its port closes without an error, and its process ends", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", api], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, [waitingVariable]: "on" },
  });
  const exited = once(child, "exit");
  try {
    expect(await once(child, "message")).toMatchObject([{ kind: "private" }, undefined]);
    child.send({ kind: "close" });
    expect(await once(child, "message")).toMatchObject([{ closed: "well" }, undefined]);
    expect(await exited).toEqual([0, null]);
  } finally {
    child.kill();
  }
});
