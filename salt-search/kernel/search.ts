import { type Assembled, assemble, interleave, type Machine, scalar, vector } from "./assemble.ts";
import { roundCount } from "./keccak.ts";
import { addTo, constant, readState, setLanes, stateLocals } from "./lanes.ts";
import {
  baseAt,
  baseStride,
  constantsAt,
  entriesAt,
  entryCount,
  type KernelKind,
  stateSize,
  stepBitsAt,
} from "./layout.ts";
import { createProgram, type Program } from "./program.ts";
import { combine, complemented, type Inversion, type Lane, mix, plain } from "./rounds.ts";

/**
 * Some of the messages of one pass, all of which go through the same instructions: two in a v128, or one in an i64.
 * A pass has one or more streams, whose instructions alternate: scalar units would be idle beside SIMD alone.
 */
type Stream = {
  machine: Machine;
  prefix: string;
  /** Their place among the candidates, in bytes. */
  offset: number;
  /** Reads one lane for all of them. */
  readTable: string;
  kept: Inversion;
};

const simdPair: Stream = {
  machine: vector,
  prefix: "v",
  offset: 0,
  readTable: "v128.load64_splat",
  kept: plain,
};
const single = (offset: number): Stream => ({
  machine: scalar,
  prefix: "s",
  offset,
  readTable: "i64.load",
  kept: complemented,
});

/** What is searched: 16 bits of the digest, of which a mask chooses. `shift` is where they are in their lane. */
const searches = [
  // The address is bytes 12 to 31: it begins in the middle of lane 1 and ends with lane 3.
  { name: "searchPrefix", lane: 1, shift: 32n },
  { name: "searchSuffix", lane: 3, shift: 48n },
];

/** How many candidates these are: `candidatesPerPass`. */
const streamsOf: Record<KernelKind, Stream[]> = { simd: [simdPair, single(16)], scalar: [single(0)] };

/** The rounds from the third on that run in a loop, so many at a time. The last two are trimmed. */
const loopedRounds = { first: 2, end: roundCount - 2, atATime: 4 };

/** The functions that search, for each of the `searches`. */
export function searchFunctions(kind: KernelKind): string[] {
  return searches.map((search) => searchFunction(search, streamsOf[kind]));
}

/**
 * Tests the candidates of the steps from `step` (1 or more) to before `end`, changing the area's base on the way. Returns
 * 0, or step * entryCount + entry of the first pass with a candidate whose `mask`ed bits are `target`.
 */
function searchFunction(search: { name: string; lane: number; shift: bigint }, streams: Stream[]): string {
  const begins = streams.map((stream) => assemble(beginning(stream), stream.machine, `${stream.prefix}b`));
  const loops = streams.map((stream) => assemble(middle(stream), stream.machine, `${stream.prefix}m`));
  const ends = streams.map((stream) => assemble(ending(stream, search), stream.machine, `${stream.prefix}e`));
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
    `(br_if $rounds (i32.lt_u ${addTo("$round", 8 * loopedRounds.atATime)} (i32.const ${8 * loopedRounds.end}))))`,
    ...linesOf(ends),
    `(if ${streams.map(({ machine, prefix }) => matches(machine, `$${prefix}0`)).reduce((left, right) => `(i32.or ${left} ${right})`)}`,
    `(then (return (i32.or (i32.mul (local.get $step) (i32.const ${entryCount})) (local.get $entries)))))`,
    `(local.set $entry (i32.add (local.get $entry) (i32.const ${stateSize})))`,
    `(br_if $entries (i32.lt_u ${addTo("$entries", 1)} (i32.const ${entryCount}))))`,
    `(br_if $steps (i32.lt_u ${addTo("$step", 1)} (local.get $end))))`,
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

/** Puts the expanded messages together and finishes their second round. */
function beginning({ machine, readTable, offset, prefix, kept }: Stream): Program {
  const program = createProgram();
  const lanes = Array.from({ length: 25 }, (_, index): Lane => {
    const at = baseAt + baseStride * index + offset;
    const base = program.read(`(${machine.type}.load offset=${at} (local.get $area))`);
    const change = program.read(`(${readTable} offset=${entriesAt + 8 * index} (local.get $entry))`);
    return { value: program.xor(base, change), inverted: false };
  });
  const rows = (y: number) => lanes.slice(5 * y, 5 * y + 5);
  setLanes(program, prefix, combine(program, rows, constant(program, machine, 1), kept, machine.hasAndNot));
  return program;
}

function middle({ machine, readTable, prefix, kept }: Stream): Program {
  const program = createProgram();
  let lanes = readState(program, prefix, kept);
  for (let round = 0; round < loopedRounds.atATime; round++) {
    const iota = program.read(`(${readTable} offset=${constantsAt + 8 * round} (local.get $round))`);
    lanes = combine(program, mix(program, lanes), iota, kept, machine.hasAndNot);
  }
  setLanes(program, prefix, lanes);
  return program;
}

/** The last two rounds, as far as the 16 bits depend on them. */
function ending(
  { machine, prefix, kept }: Stream,
  { lane, shift }: { lane: number; shift: bigint },
): Program {
  const program = createProgram();
  let lanes = readState(program, prefix, kept);
  for (let round = loopedRounds.end; round < roundCount; round++) {
    const left = round === roundCount - 1 ? plain : kept;
    lanes = combine(program, mix(program, lanes), constant(program, machine, round), left, machine.hasAndNot);
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
