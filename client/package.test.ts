import { execFileSync, spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../test/service/temporary-folder.ts";

/* Tests the package that `npm pack` creates, unpacked into an empty folder with its dependencies only. */

const project = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(await readFile(path.join(project, "client/package.json"), "utf8"));

let place: Awaited<ReturnType<typeof temporaryFolder>>;
const modules = () => path.join(place.folder, "consumer/node_modules");

beforeAll(async () => {
  place = await temporaryFolder();
  const sources = path.join(place.folder, "project/client");
  await cp(path.join(project, "client"), sources, {
    recursive: true,
    filter: (file) => !file.endsWith("/dist"),
  });
  await symlink(path.join(project, "node_modules"), path.join(place.folder, "project/node_modules"));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", place.folder], { cwd: sources });
  const [tarball = ""] = (await readdir(place.folder)).filter((name) => name.endsWith(".tgz"));

  const unpacked = path.join(modules(), manifest.name);
  await mkdir(unpacked, { recursive: true });
  const strip = ["--strip-components", "1"];
  execFileSync("tar", ["-xzf", path.join(place.folder, tarball), "-C", unpacked, ...strip]);
  for (const name of [...Object.keys(manifest.dependencies), "openapi-typescript-helpers"]) {
    await symlink(path.join(project, "node_modules", name), path.join(modules(), name));
  }
});

afterAll(() => place?.remove());

test("has two dependencies, which the project pins to the same versions", async () => {
  const { devDependencies, version } = JSON.parse(await readFile(path.join(project, "package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies)).toHaveLength(2);
  expect(devDependencies).toMatchObject(manifest.dependencies);
  expect(manifest.version).toBe(version);
});

test("has its documents and the built files, and nothing else", async () => {
  const unpacked = path.join(modules(), manifest.name);
  expect((await readdir(unpacked)).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  const built = await readdir(path.join(unpacked, "dist"));
  expect(built.filter((name) => !/\.(js|d\.ts)$/.test(name) || name.includes(".test."))).toEqual([]);
});

const program = `
import { createLaunchpadClient, LaunchpadError } from "launchpad-client";

const answer = new Response(JSON.stringify({ code: "token_not_found", detail: "no such token" }), {
  status: 404,
  headers: { "content-type": "application/problem+json" },
});
const launchpad = createLaunchpadClient({ baseUrl: "http://127.0.0.1:1", fetch: async () => answer });
try {
  for await (const holder of launchpad.holders("0x00")) console.log(holder.rank.toFixed());
} catch (error) {
  console.log(error instanceof LaunchpadError ? error.code : error);
}
`;

test("Node runs a program that imports it", async () => {
  const file = path.join(place.folder, "consumer/main.mjs");
  await writeFile(file, program);
  expect(execFileSync(process.execPath, [file], { encoding: "utf8" })).toBe("token_not_found\n");
});

test("the compiler accepts its types, and rejects a field that the API doesn't have", async () => {
  const folder = path.join(place.folder, "consumer");
  const types = { types: [], strict: true, skipLibCheck: true, noEmit: true };
  const compilerOptions = { module: "NodeNext", target: "ES2024", lib: ["ES2024", "DOM"], ...types };
  await writeFile(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.mts"] }),
  );
  const wrong = '// @ts-expect-error\nfor await (const holder of launchpad.holders("0x00")) holder.height;';
  await writeFile(path.join(folder, "main.mts"), `${program}\n${wrong}\n`);
  const tsc = path.join(project, "node_modules/typescript/bin/tsc");
  const compiled = spawnSync(process.execPath, [tsc], { cwd: folder, encoding: "utf8" });
  expect([compiled.stdout, compiled.status]).toEqual(["", 0]);
});
