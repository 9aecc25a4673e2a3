import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { waitingVariable } from "../../../config/process-environment.ts";

/** More than the queue of a server that Node opens by itself: 511. */
const crowd = 600;

/** Begins a script for an API on the port that is its first argument. `hang` keeps it from accepting any connection. */
const api = `
import http from "node:http";
import { guardPonderServer } from ${JSON.stringify(new URL("http-server.ts", import.meta.url).href)};
const port = Number(process.argv[1]);
const createServer = (create, options, listener) => create(options, listener);
guardPonderServer({ createServer, isLimitedResponse: () => true }, port);
const hang = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
const server = http.createServer({}, () => {});`;

let child: ChildProcess | undefined;
const sockets: Socket[] = [];
afterEach(() => {
  child?.kill("SIGKILL");
  for (const socket of sockets.splice(0)) socket.destroy();
});

function start(script: string, port: number, environment: Record<string, string> = {}): ChildProcess {
  child = spawn(process.execPath, ["--input-type=module", "--eval", api + script, String(port)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...environment },
  });
  return child;
}

/** Resolves once a crowd that connects at the same time is connected. */
async function connectCrowd(port: number): Promise<void> {
  const connecting = Array.from({ length: crowd }, () => {
    const socket = net.connect(port, "127.0.0.1");
    sockets.push(socket);
    return once(socket, "connect");
  });
  expect(await Promise.all(connecting)).toHaveLength(crowd);
}

async function listenOnFreePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

test("a crowd connects even while the API is too busy to accept anyone", async () => {
  const { server, port } = await listenOnFreePort();
  server.close();
  await once(server, "close");
  const script = `server.listen(port, "127.0.0.1", () => process.send("up", hang));`;
  await once(start(script, port), "message");
  await connectCrowd(port);
});

test("and so it does at the socket that the API got from another process, whose port it doesn't look for", async () => {
  const { server, port } = await listenOnFreePort();
  const script = `
    const probe = http.createServer();
    probe.listen(port, "127.0.0.1");
    await new Promise((resolve) => probe.once("listening", resolve));
    probe.close();
    server.listen(1, "127.0.0.1", () => server.once("listening", hang));`;
  const waiting = start(script, port, { [waitingVariable]: "on" });
  expect(await once(waiting, "message")).toMatchObject([{ kind: "private" }, undefined]);
  const { _handle } = server as typeof server & { _handle: Socket };
  await new Promise((resolve) => waiting.send({ kind: "listener" }, _handle, resolve));
  server.close();
  await once(server, "close");
  await connectCrowd(port);
});
