import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runProgram } from "../../test/service/program.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import { projectDir } from "../ponder/ponder.ts";
import { controlPath, openControlSocket, type UpgradeRequest } from "./control-socket.ts";

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let stopping: AbortController;
let requests: UpgradeRequest[];

beforeEach(async () => {
  place = await temporaryFolder();
  stopping = new AbortController();
  requests = [];
  await openControlSocket(
    {
      dataDir: place.folder,
      log: (line) => expect(line).toBe(""),
      async onUpgrade(request, answer) {
        requests.push(request);
        answer({ kind: "done", text: "up\u2028graded" });
      },
    },
    stopping.signal,
  );
});
afterEach(async () => {
  stopping.abort();
  await place.remove();
});

/** Sends a line, and returns the answers. */
async function send(line: string): Promise<string> {
  const socket = net.connect(controlPath(place.folder));
  await once(socket, "connect");
  socket.write(`${line}\n`);
  return await text(socket);
}

test.each(["", "nonsense", "null", "[]", "{}", '{"program":1,"folder":"/new"}'])(
  "the line %o is refused, and the next request is accepted",
  async (line) => {
    expect(JSON.parse(await send(line))).toMatchObject({ kind: "failed" });
    const request = { program: "node", folder: "/new", to: "onchain_2" };
    expect(JSON.parse(await send(JSON.stringify(request)))).toMatchObject({ kind: "done" });
    expect(requests).toEqual([request]);
  },
);

test("npm run upgrade prints what it is told, whatever characters that has", async () => {
  const program = runProgram(path.join(projectDir, "runtime/upgrade.ts"), {
    env: { DATA_DIR: place.folder },
  });
  expect(await program.exited).toBe(0);
  expect(program.output()).toBe("up\u2028graded\n");
  expect(requests).toEqual([{ program: expect.any(String), folder: projectDir }]);
});

test("a version that takes over receives the requests once the one before has let go of them", async () => {
  const next = new AbortController();
  const lines: string[] = [];
  const open = (patienceMs: number) =>
    openControlSocket(
      {
        dataDir: place.folder,
        log: (line) => void lines.push(line),
        onUpgrade: async (_, answer) => answer({ kind: "done", text: "by the next" }),
        patienceMs,
      },
      next.signal,
    );
  await open(0);
  expect(lines).toEqual([expect.stringContaining("another npm start uses the same DATA_DIR")]);
  const opening = open(60_000);
  stopping.abort();
  await opening;
  const request = JSON.stringify({ program: "node", folder: "/new" });
  expect(JSON.parse(await send(request))).toMatchObject({ text: "by the next" });
  expect(requests).toEqual([]);
  next.abort();
});

test("a stop ends the wait for the version before, without asking it again and again", async () => {
  const stopped = new AbortController();
  const connections: net.Socket[] = [];
  const elsewhere = await temporaryFolder();
  const server = net.createServer((socket) => void connections.push(socket));
  await once(server.listen(controlPath(elsewhere.folder)), "listening");
  const options = { dataDir: elsewhere.folder, log: () => {}, onUpgrade: async () => {}, patienceMs: 60_000 };
  const opening = openControlSocket(options, stopped.signal);
  await expect.poll(() => connections.length).toBeGreaterThan(0);
  const before = connections.length;
  stopped.abort();
  await opening;
  expect(connections.length).toBeLessThanOrEqual(before + 1);
  server.close();
  await elsewhere.remove();
});
