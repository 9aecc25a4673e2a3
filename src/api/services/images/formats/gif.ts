import { brokenImage } from "../image-error.ts";
import { type Cleaned, cleaned } from "./format.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const loopExtensions = ["NETSCAPE2.0", "ANIMEXTS1.0"];

/**
 * Keeps the screen, the frames with their timing and the loop count. Comments, texts and every other
 * application's data go, and so does what follows the trailer. Format: the GIF89a specification.
 */
export function cleanGif(bytes: Buffer): Cleaned {
  const colourTable = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const byteAt = (at: number): number => {
    const byte = bytes[at];
    if (byte === undefined) throw brokenImage("the file ends early");
    return byte;
  };
  /** The end of a chain of sub-blocks, behind its terminator. */
  const endOfBlocks = (start: number): number => {
    let at = start;
    for (let size = byteAt(at); size > 0; size = byteAt(at)) at += 1 + size;
    return at + 1;
  };

  let at = 13 + colourTable(byteAt(10));
  byteAt(at - 1);
  const parts: Buffer[] = [bytes.subarray(0, at)];
  let frames = 0;
  for (;;) {
    const start = at;
    const kind = byteAt(at);
    if (kind === TRAILER) break;
    if (kind === IMAGE) {
      frames++;
      at = endOfBlocks(at + 10 + colourTable(byteAt(at + 9)) + 1);
      parts.push(bytes.subarray(start, at));
    } else if (kind === EXTENSION) {
      const label = byteAt(at + 1);
      at = endOfBlocks(at + 2);
      const block = bytes.subarray(start, at);
      if (label === GRAPHIC_CONTROL && block.length === 8 && block[2] === 4) parts.push(block);
      if (label === APPLICATION && isLoop(block)) parts.push(block);
    } else {
      throw brokenImage("it has a block of an unknown kind");
    }
  }
  if (frames === 0) throw brokenImage("it has no picture in it");
  // The decoder may shrink the screen to the frames; browsers don't.
  const canvas = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  return cleaned(bytes, [...parts, Buffer.from([TRAILER])], { frames, canvas });
}

function isLoop(block: Buffer): boolean {
  return (
    block.length === 19 &&
    block[2] === 11 &&
    loopExtensions.includes(block.toString("latin1", 3, 14)) &&
    block[14] === 3 &&
    block[15] === 1
  );
}
