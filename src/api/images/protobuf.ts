/** Reads a protobuf message; only what dag-pb has in it: varints and length-delimited fields. */
export class BoundedReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Each length-delimited field with its number; varints are passed over. Throws a RangeError at an early end. */
  *fields(): Generator<[field: number, value: Uint8Array]> {
    while (this.at < this.bytes.length) {
      const tag = this.varint();
      const value = this.varint();
      if ((tag & 7) === 0) continue;
      if ((tag & 7) !== 2 || this.at + value > this.bytes.length) throw new RangeError("broken protobuf");
      this.at += value;
      yield [tag >> 3, this.bytes.subarray(this.at - value, this.at)];
    }
  }

  private varint(): number {
    let value = 0;
    for (let shift = 0; shift < 49; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError("broken protobuf");
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("broken protobuf");
  }
}

/** An unsigned LEB128 number. */
export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}
