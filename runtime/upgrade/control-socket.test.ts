import { once } from "node:events";
import net from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
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
        answer({ kind: "done", text: "upgraded" });
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
