import { brokenImage } from "../image-error.ts";

/** A box of ISO/IEC 14496-12, by its places in the file. */
export type Box = { type: string; start: number; content: number; end: number };

/** The box at `start`, or undefined where none fits in before `end`. A size of 0 means up to the end. */
export function boxAt(bytes: Buffer, start: number, end: number): Box | undefined {
  if (start + 8 > end) return undefined;
  const type = bytes.toString("latin1", start + 4, start + 8);
  let size = bytes.readUInt32BE(start);
  let content = start + 8;
  if (size === 1) {
    if (start + 16 > end) return undefined;
    size = Number(bytes.readBigUInt64BE(start + 8));
    content = start + 16;
  } else if (size === 0) {
    size = end - start;
  }
  return start + size > end || start + size < content
    ? undefined
    : { type, start, content, end: start + size };
}

/** The boxes that fill everything from `start` to `end`. Throws an ImageError 422 where they don't. */
export function boxesIn(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at < end; ) {
    const box = boxAt(bytes, at, end);
    if (box === undefined) throw brokenImage("a part of it ends early");
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

export function writeBox(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8, 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, content]);
}

/** Reads numbers one after the other. Throws an ImageError 422 behind `end`. */
export class BoxReader {
  private readonly bytes: Buffer;
  private readonly end: number;
  at: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  /** An unsigned number of 0, 1, 2, 4 or 8 bytes. */
  number(size: number): number {
    if (this.at + size > this.end) throw brokenImage("a part of it ends early");
    const start = this.at;
    this.at += size;
    if (size === 0) return 0;
    if (size === 8) return Number(this.bytes.readBigUInt64BE(start));
    if (size > 4) throw brokenImage("it has a number of an unknown size");
    return this.bytes.readUIntBE(start, size);
  }
}
