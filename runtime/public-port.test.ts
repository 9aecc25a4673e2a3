import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { freePort } from "./checks/host.ts";
import { projectDir } from "./ponder/ponder.ts";
import { channelOf } from "./process/channel.ts";
import { createPublicPort, starting } from "./public-port.ts";

/** An API that takes any listening socket it is sent. */
const api = `
import http from "node:http";
process.once("message", (_, handle) => {
  http.createServer((_, response) => response.end("the API")).listen({ _handle: handle });
});
process.send("up");`;

let child: ReturnType<typeof startApi> | undefined;
const startApi = () =>
  spawn(process.execPath, ["--input-type=module", "--eval", api], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
afterEach(() => void child?.kill());

/** Asks over a connection of its own. */
async function ask(port: number, pathname = "/ready") {
  const request = http.get({ host: "127.0.0.1", port, path: pathname, agent: false });
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const text = (await response.toArray()).join("");
  return { status: response.statusCode, headers: response.headers, text };
}

test("while a process starts, each path answers 503 with the reason and when to come again, and /health 200", async () => {
  const port = await freePort();
  const publicPort = createPublicPort("127.0.0.1", port);
  await publicPort.hold(starting);
  expect((await ask(port, "/health")).status).toBe(200);
  const { status, headers, text } = await ask(port);
  expect([status, headers["retry-after"], headers["content-type"]]).toEqual([
    503,
    "5",
    "application/problem+json",
  ]);
  expect(JSON.parse(text)).toEqual({ type: "about:blank", status: 503, ...starting });
  // By this header the proxy asks another process instead.
  const caddyfile = readFileSync(path.join(projectDir, "deploy/proxy/Caddyfile"), "utf8");
  expect(caddyfile).toContain(`status 503\n\t\t\theader X-Api-Starting ${headers["x-api-starting"]}\n`);

  await publicPort.hold({ ...starting, code: "chain_unavailable" });
  expect(JSON.parse((await ask(port)).text).code).toBe("chain_unavailable");
  await expect(createPublicPort("127.0.0.1", port).hold(starting)).rejects.toThrow("EADDRINUSE");

  child = startApi();
  await once(child, "message");
  const given = publicPort.giveTo(channelOf(child));
  // No connection is refused or cut off on the way.
  for (let answer = "", answers = 0; answer !== "the API" || answers < 20; answers++) {
    const { status, text } = await ask(port);
    answer = text;
    expect([status === 503, answer === "the API"]).toEqual([answer !== "the API", status === 200]);
  }
  await given;
});

test("if the API has ended before it could take the port, each path still answers 503", async () => {
  const port = await freePort();
  const publicPort = createPublicPort("127.0.0.1", port);
  await publicPort.hold(starting);
  child = startApi();
  const channel = channelOf(child);
  child.kill();
  await once(child, "close");
  await publicPort.giveTo(channel);
  expect((await ask(port)).status).toBe(503);
});

test("an API gets the port even if nobody held it", async () => {
  const port = await freePort();
  child = startApi();
  await once(child, "message");
  await createPublicPort("127.0.0.1", port).giveTo(channelOf(child));
  expect((await ask(port)).text).toBe("the API");
});

test("while another version has the port, an API waits until it is given back", async () => {
  const port = await freePort();
  const publicPort = createPublicPort("127.0.0.1", port);
  const other = http.createServer();
  await once(other.listen(port, "127.0.0.1"), "listening");
  const returned = Promise.withResolvers<void>();
  publicPort.lend(returned.promise);
  child = startApi();
  await once(child, "message");
  const given = publicPort.giveTo(channelOf(child));
  await once(other.close(), "close");
  returned.resolve();
  await given;
  expect((await ask(port)).text).toBe("the API");
});

test("an API gets the port once what a killed version left behind no longer has it", async () => {
  const port = await freePort();
  const left = http.createServer((_, response) => response.end());
  await once(left.listen(port, "127.0.0.1"), "listening");
  child = startApi();
  await once(child, "message");
  const given = createPublicPort("127.0.0.1", port).giveTo(channelOf(child));
  // By its answer, the first attempt has failed.
  await Promise.race([given, ask(port)]);
  await once(left.close(), "close");
  await given;
  expect((await ask(port)).text).toBe("the API");
});
