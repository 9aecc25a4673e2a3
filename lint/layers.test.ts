import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));

/** What the parts of src/api stand on. */
const outside = ["config/", "abis/", "offchain/", "salt-search/", "chain-access/", "src/domain/"];
const common = ["database", "http", "chain", "concurrency", "ponder", "market"].map(
  (name) => `src/api/${name}/`,
);
const feature = [
  ...outside,
  ...common,
  "ponder:schema",
  /^src\/api\/.*\.(mapper|schema)\.ts$/,
  /^src\/api\/tokens\/entry\/.*\.query\.ts$/,
];
const betweenFeatures =
  "a feature knows another's *.mapper.ts and *.schema.ts alone; shared queries are in market/ or tokens/entry/";

/**
 * Who may import whom, from the bottom to the top: the files of a folder import each other, and what is listed. The first row that
 * fits a file counts; files that fit none may import anything. Packages are free, except for Ponder's.
 */
const layers: [files: string | RegExp, mayImport: (string | RegExp)[], why: string][] = [
  ["salt-search/command/", [/./], "a command imports what it runs"],
  [/^(config|abis|salt-search)\//, [], "the bottom imports nothing of the project"],
  ["offchain/", ["config/connection-options.ts"], "it knows its tables, and no setting"],
  ["chain-access/", ["config/", "abis/"], "it answers what Ponder asks, and does not depend on Ponder"],
  ["runtime/", ["config/", "abis/", "offchain/", "chain-access/", "ponder"], "it is what production starts"],
  [
    "lake/",
    ["config/", "offchain/", "runtime/", "tools/open-database.ts"],
    "it reads what is in the database",
  ],
  ["web/", ["client/src/index.ts"], "whatever a page shows, an agent can get with the typed client"],

  // Ponder indexes again when a file of these changes, and sees no change outside src.
  ["src/domain/", [], "the maths of curves is pure"],
  ["src/entities/", ["src/domain/", "ponder:registry", "ponder:schema"], "entities stand on the maths"],
  [
    "src/handlers/",
    ["src/entities/", "src/domain/", "ponder:registry", "ponder:schema"],
    "handlers stand on entities",
  ],

  ["src/api/database/", outside, "database/ is the bottom of src/api"],
  ["src/api/http/", [...outside, "src/api/database/"], "http/ knows database/ alone"],
  [
    /^src\/api\/(chain|concurrency|ponder|market)\//,
    [...outside, ...common, "ponder:schema"],
    "what all features share knows no feature",
  ],
  [
    /^src\/api\/(mcp|agent-docs)\//,
    [...outside, "client/", /^src\/api\/(?!database\/)[^/]+\/(?!.*\.query\.ts$)/],
    "MCP asks REST by its contracts, so that limits and answers are REST's",
  ],
  ["src/api/freshness/", [...feature, "verify/"], betweenFeatures],
  ["src/api/alerts/", [...feature, "src/api/stream/"], "alerts deliver the journal of the stream"],
  [/^src\/api\/(tokens\/[^/]+|[^/]+)\//, feature, betweenFeatures],
  ["src/api/index.ts", [/./], "it puts everything together"],
  ["src/api/", [...outside, /^src\/api\//], "ponder:api is for src/api/index.ts, which passes it on"],
];

test("each file imports only what its layer may", () => {
  const files = globSync("**/*.{ts,tsx}", {
    cwd: project,
    exclude: (name) =>
      /^(node_modules|\.data|\.git|dist|fixtures|test|bench|.*\.test\.tsx?)$/.test(path.basename(name)),
  });
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => importsOf(file).flatMap((name) => refusal(file, name) ?? []))).toEqual([]);
});

test.each([
  ["config/env.ts", "src/domain/price.ts"],
  ["chain-access/live/live.ts", "ponder"],
  ["runtime/start.ts", "src/api/rest.ts"],
  ["web/src/main.tsx", "src/api/http/problem.ts"],
  ["src/entities/curve.ts", "src/handlers/launchpad.ts"],
  ["src/handlers/launchpad.ts", "offchain/store.ts"],
  ["src/api/http/problem.ts", "src/api/market/price.ts"],
  ["src/api/market/price.ts", "src/api/trades/trades.routes.ts"],
  ["src/api/mcp/server.ts", "src/api/database/database.ts"],
  ["src/api/mcp/server.ts", "src/api/holders/holders.query.ts"],
  ["src/api/mcp/server.ts", "src/api/rest.ts"],
  ["src/api/holders/holders.ts", "src/api/transfers/transfers.query.ts"],
  ["src/api/holders/holders.ts", "src/api/rest.ts"],
  ["src/api/tokens/entry/token.routes.ts", "src/api/tokens/list/page-rows.ts"],
  ["src/api/rest.ts", "ponder:api"],
])("%s may not import %s", (file, name) => {
  expect(refusal(file, name)).toBeDefined();
});

// They run as long as the service does, beside the process that does the work, and after each upgrade there is one more.
test.each(["runtime/start.ts", "runtime/serve.ts"])(
  "%s loads no large package: what needs one runs in a process of its own",
  (entry) => {
    const { files, packages } = loadedWith(entry);
    expect(files).toContain("runtime/process/supervisor.ts");
    expect(packages.sort()).toEqual(["fastest-levenshtein", "ox/Hash", "ox/Hex", "pg"]);
  },
);

test("the API loads the MCP SDK with the first request to it, not at the start", () => {
  const { files, packages } = loadedWith("src/api/index.ts");
  expect(files).toContain("src/api/mcp/mcp.ts");
  expect(packages.filter((name) => name.startsWith("@modelcontextprotocol/"))).toEqual([]);
});

/** The project's files and the packages that Node loads along with a file, directly or not. */
function loadedWith(entry: string) {
  const files = [entry];
  const packages = new Set<string>();
  // The array grows meanwhile.
  for (const file of files) {
    for (const name of loadedBy(file)) {
      if (name.startsWith(".")) {
        const imported = path.join(path.dirname(file), name);
        if (!files.includes(imported)) files.push(imported);
      } else if (!name.startsWith("node:")) packages.add(name);
    }
  }
  return { files, packages: [...packages] };
}

/** The modules that Node loads along with a file: not those that it imports for their types, or later. */
function loadedBy(file: string): string[] {
  if (!file.endsWith(".ts")) return [];
  const text = readFileSync(path.join(project, file), "utf8");
  return [...text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^";]*\sfrom\s)?\s*"([^"]+)"/gm)].map(
    ([, name = ""]) => name,
  );
}

/** Returns what is wrong with an import; undefined if the file may have it. */
function refusal(file: string, name: string): string | undefined {
  const layer = layers.find(([pattern]) => fits(file, pattern));
  if (layer === undefined) return undefined;
  const [pattern, mayImport, why] = layer;
  const folder = typeof pattern === "string" ? pattern : (pattern.exec(file)?.[0] ?? "");
  const isAllowed = name.startsWith(folder) || mayImport.some((allowed) => fits(name, allowed));
  return isAllowed ? undefined : `${file} imports ${name}: ${why}`;
}

const fits = (name: string, pattern: string | RegExp) =>
  typeof pattern === "string" ? name.startsWith(pattern) : pattern.test(name);

/** The project's files that a file imports, and Ponder's modules. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(project, file), "utf8");
  return [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*"([^"]+)"/gm)].flatMap(([, name = ""]) => {
    if (name.startsWith(".")) return [path.join(path.dirname(file), name)];
    return /^ponder(:|$)/.test(name) ? [name] : [];
  });
}
