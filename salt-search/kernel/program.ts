/**
 * Straight-line code over 64-bit lanes: a list of operations, each of which names its operands by their index in the list.
 * The assembler decides what a lane is: an i64, or two of them in a v128.
 */
export type Value = number;

export type Operation =
  /** A WebAssembly expression without side effects: a load, or, if `isInline` is true, one that is as cheap as a local. */
  | { name: "read"; text: string; isInline: boolean }
  | { name: "xor" | "and" | "or" | "andnot"; left: Value; right: Value }
  | { name: "not"; of: Value }
  | { name: "rotate"; of: Value; by: number };

export type Output = {
  value: Value;
  /** The bits that are used. */
  bits: bigint;
  /** Returns the instruction that consumes the value. */
  sink: (text: string) => string;
};

const allBits = 2n ** 64n - 1n;

export type Program = ReturnType<typeof createProgram>;

export function createProgram() {
  const operations: Operation[] = [];
  const outputs: Output[] = [];
  const push = (operation: Operation): Value => operations.push(operation) - 1;

  return {
    operations: operations as readonly Operation[],
    outputs: outputs as readonly Output[],
    read: (text: string, isInline = false) => push({ name: "read", text, isInline }),
    xor: (left: Value, right: Value) => push({ name: "xor", left, right }),
    and: (left: Value, right: Value) => push({ name: "and", left, right }),
    or: (left: Value, right: Value) => push({ name: "or", left, right }),
    /** `left` and not `right`. */
    andnot: (left: Value, right: Value) => push({ name: "andnot", left, right }),
    not: (of: Value) => push({ name: "not", of }),
    rotate: (of: Value, by: number) => (by === 0 ? of : push({ name: "rotate", of, by })),
    output: (value: Value, sink: Output["sink"], bits = allBits) => {
      outputs.push({ value, bits, sink });
    },
  };
}

export function operandsOf(operation: Operation): Value[] {
  switch (operation.name) {
    case "read":
      return [];
    case "not":
    case "rotate":
      return [operation.of];
    default:
      return [operation.left, operation.right];
  }
}

/**
 * Returns the bits of each value that an output depends on. The 16 bits of the digest need only some of the last two rounds'
 * bits, so many rotations become shifts, and values of which no bit is needed are not computed at all.
 */
export function neededBits({ operations, outputs }: Program): bigint[] {
  const needed = new Array<bigint>(operations.length).fill(0n);
  const need = (value: Value, bits: bigint) => {
    needed[value] = (needed[value] ?? 0n) | bits;
  };
  for (const { value, bits } of outputs) need(value, bits);
  for (const [value, operation] of [...operations.entries()].toReversed()) {
    const bits = needed[value] ?? 0n;
    const below = operation.name === "rotate" ? rotateRight(bits, operation.by) : bits;
    for (const operand of operandsOf(operation)) need(operand, below);
  }
  return needed;
}

function rotateRight(bits: bigint, by: number): bigint {
  return ((bits >> BigInt(by)) | (bits << BigInt(64 - by))) & allBits;
}
