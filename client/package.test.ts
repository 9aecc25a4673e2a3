import { execFileSync, spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildSchema, graphql, parse, validate } from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startHttpServer } from "../test/doubles/http-server.ts";
import { onlyInLongRun } from "../test/run/long-run.ts";
import { installWithoutRegistry } from "../test/service/client-package.ts";
import { runProgram } from "../test/service/program.ts";
import { programEnvironment } from "../test/service/program-environment.ts";
import { temporaryFolder } from "../test/service/temporary-folder.ts";

/* Tests the package that the service serves, installed outside of the project without a registry. */

const project = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(await readFile(path.join(project, "client/package.json"), "utf8"));

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let tarball: Uint8Array;
const inPlace = (...names: string[]) => path.join(place.folder, ...names);
const consumer = (...names: string[]) => inPlace("consumer", ...names);

beforeAll(async () => {
  place = await temporaryFolder();
  tarball = await buildIn("built", "UTC");
  await mkdir(consumer());
  await writeFile(consumer("package.json"), '{ "name": "consumer", "type": "module" }');
  installWithoutRegistry(consumer(), inPlace("built/client/dist/client.tgz"));
});

afterAll(() => place?.remove());

/** Builds the package in a copy of what it is made of, and returns the tarball. */
async function buildIn(name: string, timeZone: string): Promise<Uint8Array> {
  for (const part of ["abis", "client", "tools/client", "package.json"]) {
    await cp(path.join(project, part), inPlace(name, part), {
      recursive: true,
      filter: (file) => file !== path.join(project, "client/dist"),
    });
  }
  await symlink(path.join(project, "node_modules"), inPlace(name, "node_modules"));
  execFileSync(process.execPath, [inPlace(name, "tools/client/build.ts")], {
    env: { ...programEnvironment(), TZ: timeZone },
  });
  return await readFile(inPlace(name, "client/dist/client.tgz"));
}

/** Returns the text of each file below a folder. */
async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      files.sort().map(async (file) => [path.relative(folder, file), await readFile(file, "utf8")] as const),
    ),
  );
}

const installed = () => textsIn(consumer("node_modules", manifest.name));

test("has the version of the project and no dependencies", async () => {
  const { version } = JSON.parse(await readFile(path.join(project, "package.json"), "utf8"));
  expect(manifest.version).toBe(version);
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
});

onlyInLongRun(() => {
  test("another build of the same sources has the same bytes", async () => {
    const again = await buildIn("built/again", "Asia/Tokyo");
    expect(Buffer.from(again).equals(tarball)).toBe(true);
  });
});

test("npm pack makes the same package, in a copy of the folder alone", async () => {
  await cp(inPlace("built/client"), inPlace("copy"), { recursive: true });
  execFileSync("npm", ["pack", "--silent"], { cwd: inPlace("copy") });
  const [packed = ""] = (await readdir(inPlace("copy"))).filter((name) => name.endsWith(".tgz"));
  execFileSync("tar", ["-xzf", packed], { cwd: inPlace("copy") });
  expect(await textsIn(inPlace("copy/package"))).toEqual(await installed());
});

test("has its documents, JavaScript and declarations, which import nothing outside of it", async () => {
  const files = await installed();
  const built = Object.entries(files).filter(([name]) => /\.(js|d\.ts)$/.test(name));
  const others = Object.keys(files).filter((name) => !/\.(js|d\.ts)$/.test(name));
  expect(others.filter((name) => !name.startsWith("dist/vendor/"))).toEqual([
    "LICENSE",
    "README.md",
    "package.json",
    "schema.graphql",
  ]);
  const licensed = others.filter((name) => name.startsWith("dist/vendor/"));
  const vendored = built.flatMap(([name]) => /^dist\/vendor\/[\w-]+/.exec(name) ?? []);
  expect(licensed.map((name) => path.dirname(name))).toEqual([...new Set(vendored)].sort());
  expect(built.length).toBeGreaterThan(20);
  for (const [name, text] of built) {
    for (const [, imported = ""] of text.matchAll(/(?:^(?:import|export) .*?from |import\()["']([^"']+)/gm)) {
      expect(imported, name).toMatch(/^\.\.?\/.*\.js$/);
      const target = path.join(path.dirname(name), imported);
      const declaration = target.replace(/js$/, "d.ts");
      expect(Object.keys(files), `${name} imports ${imported}`).toContain(
        name.endsWith(".d.ts") ? declaration : target,
      );
    }
  }
});

const program = `
import { createLaunchpadClient, LaunchpadError } from "${manifest.name}";
import { launchpadAbi, tokenFactoryAbi } from "${manifest.name}/abis";

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
console.log(launchpadAbi.some((entry) => entry.type === "function" && entry.name === "buy"), tokenFactoryAbi.length > 0);
`;

test("Node runs a program that imports it, its ABIs and its schema", async () => {
  const schema = `
import { readFileSync } from "node:fs";
const schema = readFileSync(new URL(import.meta.resolve("${manifest.name}/schema.graphql")), "utf8");
console.log(/^type token \\{/m.test(schema));
`;
  await writeFile(consumer("main.mjs"), program + schema);
  const output = execFileSync(process.execPath, [consumer("main.mjs")], { encoding: "utf8" });
  expect(output.split("\n")).toEqual(["token_not_found", "true true", "true", ""]);
});

/** What the examples of the README are given by the text around them, or are only an example of. */
const given = `import type { Call } from "${manifest.name}";
declare const mint: string, account: string, watched: string[], launchpadAddress: string, router: string;
declare const wallet: { sendTransaction(call: Call): Promise<string> };
declare const reader: { waitForTransactionReceipt(given: { hash: string }): Promise<unknown> };
declare let stored: string | undefined;
`;

/** A program of the README's examples. */
async function readmeProgram(): Promise<string> {
  const blocks = [...((await installed())["README.md"] ?? "").matchAll(/```ts\n([\s\S]*?)```/g)];
  const [begin = "", ...snippets] = blocks.map(([, code = ""]) => code);
  expect(snippets.length).toBeGreaterThan(8);
  const functions = snippets.map((code, index) => `export async function example${index}() {\n${code}}\n`);
  return given + begin + functions.join("");
}

const compilers: [module: string, moduleResolution: string][] = [
  ["NodeNext", "NodeNext"],
  ["ESNext", "Bundler"],
];

onlyInLongRun(() => {
  // One run for all, since the compiler takes longest to read the platform's declarations.
  test.each(compilers)(
    "with module %s and resolution %s the compiler accepts its types and each example of its README, and rejects what the API doesn't have",
    async (module, moduleResolution) => {
      const wrong = `
  import type { components } from "${manifest.name}";
  export const symbolOf = (token: components["schemas"]["Token"]): string => token.symbol;
  // @ts-expect-error
  for await (const holder of launchpad.holders("0x00")) holder.height;
  type Names = Extract<(typeof launchpadAbi)[number], { type: "function" }>["name"];
  export const names: Names[] = ["buy", "sell"];
  // @ts-expect-error
  export const unknown: Names = "borrow";
  `;
      await writeFile(consumer("main.ts"), program + wrong);
      await writeFile(consumer("readme.ts"), await readmeProgram());
      const lib = ["ES2024", "DOM", "DOM.Iterable"];
      const compilerOptions = {
        module,
        moduleResolution,
        target: "ES2024",
        lib,
        types: [],
        strict: true,
        noEmit: true,
        // Checks our declarations, and not those of the platform.
        skipDefaultLibCheck: true,
      };
      const tsconfig = { compilerOptions, files: ["main.ts", "readme.ts"] };
      await writeFile(consumer("tsconfig.json"), JSON.stringify(tsconfig));
      const tsc = path.join(project, "node_modules/typescript/bin/tsc");
      const compiled = spawnSync(process.execPath, [tsc], { cwd: consumer(), encoding: "utf8" });
      expect([compiled.stdout, compiled.status]).toEqual(["", 0]);
    },
  );
});

const example = (name: string) => readFile(path.join(project, "examples", name), "utf8");

test("urql keeps rows of both chains apart", async () => {
  const schema = buildSchema((await installed())["schema.graphql"] ?? "");
  const trades = ({ where: { chainId } }: { where: { chainId: number } }) => ({
    items: [
      {
        chainId,
        id: `${chainId}-000000000001-000001`,
        side: "buy",
        bnbAmountWei: String(chainId),
        tradedToken: { chainId, address: "0xaa", symbol: `S${chainId}` },
      },
    ],
  });
  const server = await startHttpServer(async ({ body }) => {
    const { query } = JSON.parse(body.toString());
    const answer = await graphql({ schema, source: query, rootValue: { trades } });
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, body: JSON.stringify(answer) };
  });
  try {
    await symlink(path.join(project, "node_modules/@urql"), consumer("node_modules/@urql"));
    await writeFile(consumer("urql.mjs"), await example("urql.mjs"));
    const env = { API_URL: server.url, NODE_OPTIONS: undefined };
    const program = runProgram(consumer("urql.mjs"), { cwd: consumer(), env });
    expect(await program.exited, program.output()).toBe(0);
    expect(program.output().split("\n")).toEqual(['56 buy 56 "S56"', '97 buy 97 "S97"', ""]);
  } finally {
    await server.close();
  }
});

// Apollo Client is too large to be installed for a test.
test("the query of the example for Apollo Client fits the schema, and selects ids and keys", async () => {
  const [, query = ""] = /gql`([^`]+)`/.exec(await example("apollo.mjs")) ?? [];
  const schema = buildSchema((await installed())["schema.graphql"] ?? "");
  expect(validate(schema, parse(query))).toEqual([]);
  expect(query).toMatch(/items \{\s+id\s/);
  expect(query).toMatch(/tradedToken \{\s+chainId\s+address\s/);
});
