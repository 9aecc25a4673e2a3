import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readEnvironment } from "../../config/env.ts";
import { temporaryFolder } from "../../test/service/temporary-folder.ts";
import {
  assertDataDir,
  assertPortFree,
  checkHost,
  freePort,
  listenWarning,
  localUrl,
  openFilesWarning,
  portIsFree,
} from "./host.ts";

const server = createServer();

afterEach(() => {
  server.close();
});

test.each(["127.0.0.1", "0.0.0.0", undefined])(
  "a port taken on %s is reported, with what to do",
  async (host) => {
    const port = await freePort();
    server.listen(port, host);
    await once(server, "listening");

    expect(await portIsFree(port)).toBe(false);
    await expect(assertPortFree(port, "API", "PORT")).rejects.toMatchObject({
      name: "StartError",
      code: "port-taken",
      message: `port ${port} (API) is taken by another process: set PORT to a free one or stop it`,
    });
    server.close();
    await once(server, "close");
  },
);

test("only the given address is checked", async () => {
  const port = await freePort();
  server.listen(port, "127.0.0.2");
  await once(server, "listening");
  await assertPortFree(port, "API", "PORT", "127.0.0.1");
  await expect(assertPortFree(port, "API", "PORT", "127.0.0.2")).rejects.toMatchObject({
    code: "port-taken",
  });
  await expect(assertPortFree(port, "API", "PORT", "192.0.2.1")).rejects.toMatchObject({
    message: "192.0.2.1 (API) is not an address of this machine",
  });
});

test("a free port passes the check and stays free", async () => {
  const port = await freePort();
  await assertPortFree(port, "API", "PORT");
  await assertPortFree(port, "API", "PORT");
  expect(await portIsFree(port)).toBe(true);
});

test("a free port is below the system's ephemeral range", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test.each([
  [undefined, "http://127.0.0.1:80"],
  ["0.0.0.0", "http://127.0.0.1:80"],
  ["::", "http://127.0.0.1:80"],
  ["192.0.2.1", "http://192.0.2.1:80"],
  ["::1", "http://[::1]:80"],
  ["localhost", "http://localhost:80"],
])("a server that listens on %s is reached at %s", (host, url) => expect(localUrl(host, 80)).toBe(url));

test("a trusted proxy that clients can bypass causes a warning", () => {
  for (const host of [undefined, "0.0.0.0", "::", "192.0.2.1"]) {
    expect(listenWarning(host, 1)).toContain("TRUST_PROXY is set");
    expect(listenWarning(host, 0)).toBeUndefined();
  }
  for (const host of ["127.0.0.1", "127.8.8.8", "::1", "localhost"]) {
    expect(listenWarning(host, 1)).toBeUndefined();
  }
});

let place: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  place = await temporaryFolder();
});
afterEach(() => place.remove());

test("a missing folder is created, with its parents, and left empty", async () => {
  const folder = path.join(place.folder, "a", "b");
  await assertDataDir(folder);
  await assertDataDir(folder);
  expect((await stat(folder)).isDirectory()).toBe(true);
  expect(await readdir(folder)).toEqual([]);
});

test("a file where the folder should be is named in the error", async () => {
  const file = path.join(place.folder, "file");
  await writeFile(file, "");
  for (const dataDir of [file, path.join(file, "below")]) {
    await expect(assertDataDir(dataDir)).rejects.toMatchObject({
      code: "not-writable",
      message: expect.stringContaining(`${dataDir} is a file, or has one in its path`),
    });
  }
});

test("a folder of images that can't be written to is warned of at the start", async () => {
  const settings = readEnvironment({ DATA_DIR: place.folder });
  const lines: string[] = [];
  const check = async () => await checkHost(settings, (line) => lines.push(line));
  await check();
  expect(lines.filter((line) => line.includes("image"))).toEqual([]);
  const images = path.join(place.folder, "images");
  await writeFile(images, "");
  await check();
  expect(lines).toContainEqual(
    expect.stringMatching(`^warning: no image can be uploaded: ${images} is a file`),
  );
});

test.runIf(process.platform === "linux")(
  "where no folder can be created, the check fails at once",
  async () => {
    await expect(assertDataDir("/proc/x/y")).rejects.toMatchObject({
      message: expect.stringContaining("/proc/x/y"),
    });
  },
);

const module = JSON.stringify(new URL("host.ts", import.meta.url).href);
const print = `import(${module}).then(({ openFilesWarning }) => console.log(openFilesWarning()))`;

test("a process that may open few files is warned of, with its limit", () => {
  const shell = 'ulimit -n 60; exec "$0" --no-warnings -e "$1"';
  const output = execFileSync("sh", ["-c", shell, process.execPath, print], { encoding: "utf8" });
  expect(output).toMatch(/^warning: this process may have 60 files open at a time.*\n$/);
});

test("with the usual limits there is no warning", () => {
  expect(openFilesWarning(65_536)).toBeUndefined();
});
