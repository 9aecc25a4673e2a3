import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import wabt from "wabt";
import { type Assembled, assemble, scalar } from "./assemble.ts";
import { roundConstants, roundCount } from "./keccak.ts";
import { constantsAt, type KernelKind, memoryPages, messageAt } from "./layout.ts";
import { createProgram } from "./program.ts";
import { linearLayer, noInversion, nonlinearLayer } from "./rounds.ts";
import { increment, readLanes, roundConstant, searchFunctions, stateLocals, storeLanes } from "./search.ts";

/** Builds the kernels or, with `--check`, fails if the committed ones differ from what these sources produce. */
const { parseWat } = await wabt();

for (const kind of ["simd", "scalar"] satisfies KernelKind[]) {
  const file = fileURLToPath(new URL(`${kind}.wasm`, import.meta.url));
  const name = relative(process.cwd(), file);
  const parsed = parseWat(`${kind}.wat`, moduleText(kind), { simd: true });
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  if (existsSync(file) && readFileSync(file).equals(buffer)) continue;
  if (process.argv.includes("--check")) {
    console.error(
      `${name} is not what its sources produce: run \`npm run vanity:build\` and commit the result.`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(file, buffer);
    console.log(`wrote ${name}, ${buffer.length} bytes`);
  }
}

/** Returns the kernel as WebAssembly text. `kernel.ts` documents its functions. */
function moduleText(kind: KernelKind): string {
  const bytes = new Uint8Array(new BigUint64Array(roundConstants).buffer);
  const data = [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
  return [
    "(module",
    `(memory (export "memory") ${memoryPages})`,
    `(data (i32.const ${constantsAt}) "${data}")`,
    expandFunction(),
    digestFunction(),
    ...searchFunctions(kind),
    ")",
  ].join("\n");
}

/** The first round and the linear half of the second. */
function expandFunction(): string {
  const program = createProgram();
  const message = readLanes(program, (index) => `(i64.load (i32.const ${messageAt + 8 * index}))`);
  const first = nonlinearLayer(
    program,
    linearLayer(program, message),
    roundConstant(program, scalar, 0),
    noInversion,
    false,
  );
  storeLanes(program, [0, 1, 2, 3, 4].flatMap(linearLayer(program, first)));
  const { locals, lines } = assemble(program, scalar, "s");
  return ['(func (export "expand")', ...locals, ...lines, ")"].join("\n");
}

function digestFunction(): string {
  const load = createProgram();
  for (let index = 0; index < 25; index++) {
    const value = load.read(`(i64.load (i32.const ${messageAt + 8 * index}))`);
    load.output(value, (text) => `(local.set $state${index} ${text})`);
  }
  const round = createProgram();
  const lanes = readLanes(round, (index) => `(local.get $state${index})`, true);
  const iota = round.read(`(i64.load offset=${constantsAt} (local.get $round))`);
  for (const [index, { value }] of nonlinearLayer(
    round,
    linearLayer(round, lanes),
    iota,
    noInversion,
    false,
  ).entries()) {
    round.output(value, (text) => `(local.set $state${index} ${text})`);
  }
  const store = createProgram();
  storeLanes(
    store,
    readLanes(store, (index) => `(local.get $state${index})`, true),
  );
  const parts = [assemble(load, scalar, "l"), assemble(round, scalar, "s"), assemble(store, scalar, "t")];
  const [loading, rounds, storing] = parts as [Assembled, Assembled, Assembled];
  return [
    '(func (export "digest") (local $round i32)',
    ...stateLocals("state", scalar),
    ...parts.flatMap(({ locals }) => locals),
    ...loading.lines,
    "(loop $rounds",
    ...rounds.lines,
    `(br_if $rounds (i32.lt_u ${increment("$round", 8)} (i32.const ${8 * roundCount}))))`,
    ...storing.lines,
    ")",
  ].join("\n");
}
