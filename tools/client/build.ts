import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import ts from "typescript";

/* The files of the client's package, as plain JavaScript with declarations that need nothing outside of it. */

/** Files of client/ that are packed as they are. */
const documents = ["LICENSE", "README.md", "package.json", "schema.graphql"];

/** Packages whose files are copied into dist/vendor, so that an installation asks no registry. */
const vendored = {
  "openapi-fetch": { "index.js": "dist/index.mjs", "index.d.ts": "dist/index.d.mts" },
  "openapi-typescript-helpers": { "index.d.ts": "dist/index.d.mts" },
  "eventsource-parser": { "index.js": "dist/index.js" },
};

/** What our files and theirs import, and its file in dist/vendor. */
const imports: Record<string, string> = {
  "openapi-fetch": "vendor/openapi-fetch/index.js",
  "openapi-typescript-helpers": "vendor/openapi-typescript-helpers/index.js",
  "eventsource-parser": "vendor/eventsource-parser/index.js",
};

/** Returns the text of each file of the package by its path, in the order of the paths. The same sources give the same texts. */
function packageFiles(projectDir: string): Map<string, string> {
  const read = (...names: string[]) => readFileSync(path.join(projectDir, ...names), "utf8");
  const built = new Map([...compile(projectDir), ["abis/index.js", abiIndex(projectDir)]]);
  built.set("abis/index.d.ts", abiIndex(projectDir));
  for (const [name, files] of Object.entries(vendored)) {
    for (const [to, from] of Object.entries({ LICENSE: "LICENSE", ...files }))
      built.set(`vendor/${name}/${to}`, read("node_modules", name, from));
  }
  const files = new Map(documents.map((name) => [name, read("client", name)]));
  for (const [name, text] of built) files.set(`dist/${name}`, resolveImports(`dist/${name}`, text));
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Compiles the client and the ABIs. `npm run client:check` checks the types. */
function compile(projectDir: string): Map<string, string> {
  const clientDir = path.join(projectDir, "client");
  const { config } = ts.readConfigFile(path.join(clientDir, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, clientDir);
  const roots = [
    path.join(clientDir, "src/index.ts"),
    ...abiNames(projectDir).map((name) => path.join(projectDir, "abis", `${name}.ts`)),
  ];
  const emit = { declaration: true, noCheck: true, rootDir: projectDir, outDir: projectDir };
  const files = new Map<string, string>();
  const { emitSkipped } = ts.createProgram(roots, { ...options, ...emit }).emit(undefined, (file, text) => {
    files.set(path.relative(projectDir, file).replace("client/src/", ""), text);
  });
  if (emitSkipped) throw new Error("the client can't be compiled: run npm run client:check");
  return files;
}

const abiNames = (projectDir: string) =>
  readdirSync(path.join(projectDir, "abis"))
    .map((name) => path.basename(name, ".ts"))
    .sort();

const abiIndex = (projectDir: string) =>
  abiNames(projectDir)
    .map((name) => `export * from "./${name}.js";\n`)
    .join("");

/**
 * Makes a file import what the package has: the copies in dist/vendor, and .js files where the compiler leaves .ts in declarations.
 * Drops its link to a source map, which is not packed.
 */
function resolveImports(name: string, text: string): string {
  const resolve = (imported: string) => {
    if (imported.startsWith(".")) return imported.replace(/\.ts$/, ".js");
    const copy = imports[imported];
    if (copy === undefined) return imported;
    const relative = path.posix.relative(path.posix.dirname(name), `dist/${copy}`);
    return relative.startsWith(".") ? relative : `./${relative}`;
  };
  return text
    .replace(/^\/\/# sourceMappingURL=.*\n?/gm, "")
    .replace(
      /(from |import\()(["'])([\w./-]+)\2/g,
      (_, keyword: string, quote: string, imported: string) => keyword + quote + resolve(imported) + quote,
    );
}

/*
 * Builds the client's package for `npm ci` and `npm run client:build`: its files in client/dist, and client/dist/client.tgz, which the
 * service serves. The same version gives the same bytes.
 */

const projectDir = fileURLToPath(new URL("../..", import.meta.url));
const clientDir = path.join(projectDir, "client");

const files = packageFiles(projectDir);
const tarball = await packFiles(files);
// What is served already is not touched.
if (!isBuilt()) {
  rmSync(path.join(clientDir, "dist"), { recursive: true, force: true });
  for (const [name, text] of builtFiles()) {
    mkdirSync(path.dirname(path.join(clientDir, name)), { recursive: true });
    writeFileSync(path.join(clientDir, name), text);
  }
}

/** The files that don't come from client/ itself, and the tarball at the end. */
function* builtFiles(): Generator<[string, string | Uint8Array]> {
  for (const [name, text] of files) if (name.startsWith("dist/")) yield [name, text];
  yield ["dist/client.tgz", tarball];
}

function isBuilt(): boolean {
  try {
    return [...builtFiles()].every(([name, content]) =>
      readFileSync(path.join(clientDir, name)).equals(Buffer.from(content)),
    );
  } catch {
    return false;
  }
}

async function packFiles(contents: Map<string, string>): Promise<Uint8Array> {
  const archive = pack();
  // npm's time for each file of a package.
  const mtime = new Date("1985-10-26T08:15:00Z");
  for (const [name, text] of contents) archive.entry({ name: `package/${name}`, mode: 0o644, mtime }, text);
  archive.finalize();
  return gzipSync(await buffer(archive), { level: 9 });
}
