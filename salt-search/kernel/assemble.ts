import { neededBits, type Operation, operandsOf, type Program, type Value } from "./program.ts";

/** A kind of lane, and the WebAssembly instructions for it. */
export type Machine = {
  type: "v128" | "i64";
  /** Whether and-not is one instruction, so that chi needs no inverted lanes. */
  hasAndNot: boolean;
  operate(operation: Exclude<Operation, { name: "read" }>, operands: string[], bits: bigint): string;
};

/** One 64-bit lane. */
export const scalar: Machine = {
  type: "i64",
  hasAndNot: false,
  operate(operation, [first = "", second = ""]) {
    switch (operation.name) {
      case "andnot":
        return `(i64.and ${first} (i64.xor ${second} (i64.const -1)))`;
      case "not":
        return `(i64.xor ${first} (i64.const -1))`;
      case "rotate":
        return `(i64.rotl ${first} (i64.const ${operation.by}))`;
      default:
        return `(i64.${operation.name} ${first} ${second})`;
    }
  },
};

/** Hashes two messages side by side: each 128-bit value has the same lane of both. */
export const vector: Machine = {
  type: "v128",
  hasAndNot: true,
  operate(operation, [first = "", second = ""], bits) {
    if (operation.name === "not") return `(v128.not ${first})`;
    if (operation.name !== "rotate") return `(v128.${operation.name} ${first} ${second})`;

    // WebAssembly's SIMD has no rotation.
    const { by } = operation;
    // Additions run on more ports than shifts do.
    const high = by === 1 ? `(i64x2.add ${first} ${first})` : `(i64x2.shl ${first} (i32.const ${by}))`;
    const low = `(i64x2.shr_u ${first} (i32.const ${64 - by}))`;
    const edge = 1n << BigInt(by);
    if (bits % edge === 0n) return high;
    if (bits < edge) return low;
    return `(v128.or ${high} ${low})`;
  },
};

export type Assembled = { locals: string[]; lines: string[] };

/** Turns a program into instructions, one line each. Its locals are named after `prefix` and reused once free. */
export function assemble(program: Program, machine: Machine, prefix: string): Assembled {
  const needed = neededBits(program);
  const lastUse = lastUses(program, needed);
  const free: string[] = [];
  const locals: string[] = [];
  const lines: string[] = [];
  const texts = new Map<Value, string>();
  const localOf = new Map<Value, string>();
  const textOf = (value: Value) => texts.get(value) ?? "";

  for (const [value, operation] of program.operations.entries()) {
    const bits = needed[value] ?? 0n;
    if (bits === 0n) continue;
    if (operation.name === "read" && operation.isInline) {
      texts.set(value, operation.text);
      continue;
    }
    const operands = operandsOf(operation);
    const text =
      operation.name === "read" ? operation.text : machine.operate(operation, operands.map(textOf), bits);
    for (const operand of new Set(operands)) {
      const local = localOf.get(operand);
      if (local !== undefined && lastUse.get(operand) === value) free.push(local);
    }
    let local = free.pop();
    if (local === undefined) {
      local = `$${prefix}${locals.length}`;
      locals.push(`(local ${local} ${machine.type})`);
    }
    localOf.set(value, local);
    texts.set(value, `(local.get ${local})`);
    lines.push(`(local.set ${local} ${text})`);
  }
  for (const { value, sink } of program.outputs) lines.push(sink(textOf(value)));
  return { locals, lines };
}

/** The last operation that uses each value. Outputs have none, since they live to the end. */
function lastUses(program: Program, needed: bigint[]): Map<Value, Value> {
  const last = new Map<Value, Value>();
  for (const [value, operation] of program.operations.entries()) {
    if (needed[value] === 0n) continue;
    for (const operand of operandsOf(operation)) last.set(operand, value);
  }
  for (const { value } of program.outputs) last.delete(value);
  return last;
}

/** Interleaves the lines of several streams evenly, so that the processor always has work for all its units. */
export function interleave(streams: string[][], burst = 1): string[] {
  const longest = Math.max(...streams.map(({ length }) => length));
  const lines: string[] = [];
  const position = streams.map(() => 0);
  for (let step = burst; step < longest + burst; step += burst) {
    for (const [index, stream] of streams.entries()) {
      const end = Math.round(stream.length * Math.min(1, step / longest));
      lines.push(...stream.slice(position[index], end));
      position[index] = end;
    }
  }
  return lines;
}
