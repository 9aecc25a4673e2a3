import { type Assembled, assemble, scalar } from "./assemble.ts";
import { roundConstants, roundCount } from "./keccak.ts";
import { increment, readLanes, roundConstant, stateLocals, storeLanes } from "./lanes.ts";
import { constantsAt, type KernelKind, memoryPages, messageAt } from "./layout.ts";
import { createProgram } from "./program.ts";
import { linearLayer, noInversion, nonlinearLayer } from "./rounds.ts";
import { searchFunctions } from "./search.ts";

/** Returns the kernel as WebAssembly text. `kernel.ts` documents its functions. */
export function moduleText(kind: KernelKind): string {
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
