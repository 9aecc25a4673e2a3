import { type Assembled, assemble, interleave, type Machine, scalar, vector } from "./assemble.ts";
import { roundConstants, roundCount } from "./keccak.ts";
import {
  baseAt,
  baseStride,
  constantsAt,
  entriesAt,
  entryCount,
  type KernelKind,
  resultAt,
  stateSize,
  stepBitsAt,
} from "./layout.ts";
import { createProgram, type Program, type Value } from "./program.ts";
import {
  type Inversion,
  type Lane,
  laneComplements,
  linearLayer,
  noInversion,
  nonlinearLayer,
} from "./rounds.ts";

/**
 * The messages of a pass that go through the same instructions: two in a v128, or one in an i64. A pass has one or more streams
 * with interleaved instructions, because SIMD alone would leave the scalar units idle.
 */
type Stream = {
  machine: Machine;
  prefix: string;
  /** The offset of its messages among the candidates, in bytes. */
  offset: number;
  /** The instruction that reads one lane for all of its messages. */
  readTable: string;
  inversion: Inversion;
};

const simdPair: Stream = {
  machine: vector,
  prefix: "v",
  offset: 0,
  readTable: "v128.load64_splat",
  inversion: noInversion,
};
const single = (offset: number): Stream => ({
  machine: scalar,
  prefix: "s",
  offset,
  readTable: "i64.load",
  inversion: laneComplements,
});

/** The 16 bits of the digest that each search tests, under a mask. `shift` is their position in their lane. */
const searches = [
  // The address is bytes 12 to 31: it begins in the middle of lane 1 and ends with lane 3.
  { name: "searchPrefix", lane: 1, shift: 32n },
  { name: "searchSuffix", lane: 3, shift: 48n },
];

/** Together they have `candidatesPerPass` candidates. */
const streamsByKind: Record<KernelKind, Stream[]> = { simd: [simdPair, single(16)], scalar: [single(0)] };

/** The rounds that run in a loop, from the third on. The last two come after it, reduced to the bits that are needed. */
const loopedRounds = { first: 2, end: roundCount - 2, perIteration: 4 };

/** Returns a search function for each of the `searches`. */
export function searchFunctions(kind: KernelKind): string[] {
  return searches.map((search) => searchFunction(search, streamsByKind[kind]));
}

/**
 * The function tests the candidates of the steps from `step` (1 or more) up to but not including `end`, changing the area's base
 * on the way. It returns step * entryCount + entry of the first pass with a candidate whose `mask`ed bits are `target`, or 0.
 */
function searchFunction(search: { name: string; lane: number; shift: bigint }, streams: Stream[]): string {
  const begins = streams.map((stream) =>
    assemble(finishSecondRound(stream), stream.machine, `${stream.prefix}b`),
  );
  const loops = streams.map((stream) =>
    assemble(loopedRoundsBody(stream), stream.machine, `${stream.prefix}m`),
  );
  const ends = streams.map((stream) =>
    assemble(lastRounds(stream, search), stream.machine, `${stream.prefix}e`),
  );
  const linesOf = (parts: Assembled[]) => interleave(parts.map(({ lines }) => lines));
  return [
    `(func (export "${search.name}") (param $area i32) (param $step i32) (param $end i32)`,
    "(param $mask i64) (param $target i64) (result i32)",
    "(local $change i32) (local $entry i32) (local $entries i32) (local $round i32)",
    ...streams.flatMap(({ prefix, machine }) => stateLocals(prefix, machine)),
    ...[...begins, ...loops, ...ends].flatMap(({ locals }) => locals),
    "(loop $steps",
    // A Gray code: one bit of the step changes at a time.
    `(local.set $change (i32.add (local.get $area) (i32.mul (i32.ctz (local.get $step)) (i32.const ${stateSize}))))`,
    ...streams.flatMap(changeBase),
    "(local.set $entries (i32.const 0))",
    "(local.set $entry (local.get $area))",
    "(loop $entries",
    ...linesOf(begins),
    `(local.set $round (i32.const ${8 * loopedRounds.first}))`,
    "(loop $rounds",
    ...linesOf(loops),
    `(br_if $rounds (i32.lt_u ${increment("$round", 8 * loopedRounds.perIteration)} (i32.const ${8 * loopedRounds.end}))))`,
    ...linesOf(ends),
    `(if ${streams.map(({ machine, prefix }) => matches(machine, `$${prefix}0`)).reduce((left, right) => `(i32.or ${left} ${right})`)}`,
    `(then (return (i32.or (i32.mul (local.get $step) (i32.const ${entryCount})) (local.get $entries)))))`,
    `(local.set $entry (i32.add (local.get $entry) (i32.const ${stateSize})))`,
    `(br_if $entries (i32.lt_u ${increment("$entries", 1)} (i32.const ${entryCount}))))`,
    `(br_if $steps (i32.lt_u ${increment("$step", 1)} (local.get $end))))`,
    "(i32.const 0))",
  ].join("\n");
}

function changeBase({ machine, readTable, offset }: Stream): string[] {
  return Array.from({ length: 25 }, (_, index) => {
    const at = `offset=${baseAt + baseStride * index + offset} (local.get $area)`;
    const change = `(${readTable} offset=${stepBitsAt + 8 * index} (local.get $change))`;
    return `(${machine.type}.store ${at} (${machine.type}.xor (${machine.type}.load ${at}) ${change}))`;
  });
}

/** Assembles the expanded messages and finishes their second round. */
function finishSecondRound({ machine, readTable, offset, prefix, inversion }: Stream): Program {
  const program = createProgram();
  const lanes = Array.from({ length: 25 }, (_, index): Lane => {
    const at = baseAt + baseStride * index + offset;
    const base = program.read(`(${machine.type}.load offset=${at} (local.get $area))`);
    const change = program.read(`(${readTable} offset=${entriesAt + 8 * index} (local.get $entry))`);
    return { value: program.xor(base, change), inverted: false };
  });
  const rows = (y: number) => lanes.slice(5 * y, 5 * y + 5);
  setLanes(
    program,
    prefix,
    nonlinearLayer(program, rows, roundConstant(program, machine, 1), inversion, machine.hasAndNot),
  );
  return program;
}

function loopedRoundsBody({ machine, readTable, prefix, inversion }: Stream): Program {
  const program = createProgram();
  let lanes = readState(program, prefix, inversion);
  for (let round = 0; round < loopedRounds.perIteration; round++) {
    const iota = program.read(`(${readTable} offset=${constantsAt + 8 * round} (local.get $round))`);
    lanes = nonlinearLayer(program, linearLayer(program, lanes), iota, inversion, machine.hasAndNot);
  }
  setLanes(program, prefix, lanes);
  return program;
}

/** The last two rounds, reduced to what the 16 bits depend on. */
function lastRounds(
  { machine, prefix, inversion }: Stream,
  { lane, shift }: { lane: number; shift: bigint },
): Program {
  const program = createProgram();
  let lanes = readState(program, prefix, inversion);
  for (let round = loopedRounds.end; round < roundCount; round++) {
    const left = round === roundCount - 1 ? noInversion : inversion;
    lanes = nonlinearLayer(
      program,
      linearLayer(program, lanes),
      roundConstant(program, machine, round),
      left,
      machine.hasAndNot,
    );
  }
  const { value } = lanes[lane] as Lane;
  program.output(value, (text) => `(local.set $${prefix}0 ${text})`, 0xffffn << shift);
  return program;
}

function matches({ type }: Machine, local: string): string {
  return type === "v128"
    ? `(v128.any_true (i64x2.eq (v128.and (local.get ${local}) (i64x2.splat (local.get $mask))) (i64x2.splat (local.get $target))))`
    : `(i64.eq (i64.and (local.get ${local}) (local.get $mask)) (local.get $target))`;
}

export function roundConstant(program: Program, { type }: Machine, round: number): Value {
  const bits = `${BigInt.asIntN(64, roundConstants[round] ?? 0n)}`;
  return program.read(type === "v128" ? `(v128.const i64x2 ${bits} ${bits})` : `(i64.const ${bits})`, true);
}

export function readLanes(program: Program, text: (index: number) => string, isInline = false): Lane[] {
  return Array.from({ length: 25 }, (_, index) => ({
    value: program.read(text(index), isInline),
    inverted: false,
  }));
}

export function storeLanes(program: Program, lanes: Lane[]): void {
  for (const [index, { value }] of lanes.entries()) {
    program.output(value, (text) => `(i64.store (i32.const ${resultAt + 8 * index}) ${text})`);
  }
}

function readState(program: Program, prefix: string, inversion: Inversion): Lane[] {
  return Array.from({ length: 25 }, (_, index) => ({
    value: program.read(`(local.get $${prefix}${index})`, true),
    inverted: inversion.has(index),
  }));
}

function setLanes(program: Program, prefix: string, lanes: Lane[]): void {
  for (const [index, { value }] of lanes.entries()) {
    program.output(value, (text) => `(local.set $${prefix}${index} ${text})`);
  }
}

export function stateLocals(prefix: string, { type }: Machine): string[] {
  return Array.from({ length: 25 }, (_, index) => `(local $${prefix}${index} ${type})`);
}

export function increment(local: string, amount: number): string {
  return `(local.tee ${local} (i32.add (local.get ${local}) (i32.const ${amount})))`;
}
