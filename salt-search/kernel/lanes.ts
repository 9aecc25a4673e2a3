import type { Machine } from "./assemble.ts";
import { roundConstants } from "./keccak.ts";
import { resultAt } from "./layout.ts";
import type { Program, Value } from "./program.ts";
import type { Inversion, Lane } from "./rounds.ts";

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

export function readState(program: Program, prefix: string, inversion: Inversion): Lane[] {
  return Array.from({ length: 25 }, (_, index) => ({
    value: program.read(`(local.get $${prefix}${index})`, true),
    inverted: inversion.has(index),
  }));
}

export function setLanes(program: Program, prefix: string, lanes: Lane[]): void {
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
