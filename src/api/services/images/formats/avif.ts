import { brokenImage } from "../image-error.ts";
import { type Extent, keepPictures, keepReferences, readPlaces, writePlaces } from "./avif-items.ts";
import { keepProperties } from "./avif-properties.ts";
import { type Box, boxAt, boxesIn, writeBox } from "./boxes.ts";
import { type Cleaned, cleaned } from "./format.ts";

const metaBoxes = ["hdlr", "pitm", "iloc", "iinf", "iprp", "iref", "idat", "dinf"];

/**
 * Keeps the picture's items and drops EXIF, XMP and every other one. Nothing moves, since places are counted
 * from the start of the file: the tables are padded to the size that they had, and bytes that belong to no
 * picture become 0, or go where they stand at the end. Turning is a property of the picture here (irot, imir),
 * and EXIF's orientation is to be ignored (ISO/IEC 23008-12, 6.5.10).
 */
export function cleanAvif(bytes: Buffer): Cleaned {
  const boxes = topBoxes(bytes);
  const [ftyp, meta] = [boxes[0], boxes.find(({ type }) => type === "meta")];
  if (ftyp === undefined || meta === undefined) throw brokenImage("it has no picture in it");
  const children = boxesIn(bytes, meta.content + 4, meta.end);
  const child = (type: string) => children.find((box) => box.type === type);
  const [iinf, iloc, iprp, iref, idat] = ["iinf", "iloc", "iprp", "iref", "idat"].map(child);
  if (iinf === undefined || iloc === undefined || iprp === undefined)
    throw brokenImage("it has no picture in it");

  const { box: pictures, ids } = keepPictures(bytes, iinf);
  const places = readPlaces(bytes, iloc, idat).filter(({ id }) => ids.has(id));
  const properties = keepProperties(bytes, iprp);
  const rewritten = new Map([
    [iinf, pictures],
    [iloc, writePlaces(bytes, iloc, places)],
    [iprp, properties.box],
  ]);
  if (iref !== undefined) rewritten.set(iref, keepReferences(bytes, iref, ids));

  const kept = places.flatMap(({ extents }) => extents);
  const homes = [...boxes.filter(({ type }) => type === "mdat"), ...(idat === undefined ? [] : [idat])];
  for (const extent of kept)
    if (!homes.some((home) => extent.start >= home.content && extent.end <= home.end))
      throw brokenImage("the file ends early");

  // Without idat, whose place would change with the tables before it.
  const table = Buffer.concat(
    children
      .filter(({ type }) => metaBoxes.includes(type))
      .map((box) => rewritten.get(box) ?? bytes.subarray(box.start, box.end)),
  );
  const missing = meta.end - meta.content - 4 - table.length;
  const fits = missing === 0 || (missing >= 8 && idat === undefined);
  if (!fits) return cleaned(bytes, [bytes], { foreignColours: true });

  const result = Buffer.from(bytes);
  table.copy(result, meta.content + 4);
  if (missing > 0) writeBox("free", Buffer.alloc(missing - 8)).copy(result, meta.content + 4 + table.length);
  for (const home of homes) blank(result, { start: home.content, end: home.end }, kept);
  for (const box of boxes) {
    if (["ftyp", "meta", "mdat"].includes(box.type)) continue;
    result.write("free", box.start + 4, "latin1");
    result.fill(0, box.content, box.end);
  }
  return cleaned(bytes, [cutTail(result, boxes, kept)], { foreignColours: properties.foreignColours });
}

/** What can't be a box any more once the picture is there is something that was appended. */
function topBoxes(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const box = boxAt(bytes, at, bytes.length);
    if (box === undefined) {
      if (boxes.some(({ type }) => type === "mdat")) break;
      throw brokenImage("the file ends early");
    }
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/** Sets what belongs to no extent to 0. */
function blank(bytes: Buffer, { start, end }: Extent, kept: Extent[]): void {
  let at = start;
  for (const extent of [...kept].sort((a, b) => a.start - b.start)) {
    if (extent.end <= start || extent.start >= end) continue;
    if (extent.start > at) bytes.fill(0, at, extent.start);
    at = Math.max(at, extent.end);
  }
  if (at < end) bytes.fill(0, at, end);
}

/** Cuts what follows the last box that counts, and in it what follows the picture. */
function cutTail(bytes: Buffer, boxes: Box[], kept: Extent[]): Buffer {
  const last = boxes.filter(({ type }) => ["meta", "mdat"].includes(type)).at(-1);
  if (last?.type !== "mdat") return bytes.subarray(0, last?.end);
  const inside = kept.filter(({ start, end }) => start >= last.content && end <= last.end);
  const end = Math.max(last.content, ...inside.map((extent) => extent.end));
  if (end < last.end || bytes.readUInt32BE(last.start) === 0) {
    if (last.content - last.start === 8) bytes.writeUInt32BE(end - last.start, last.start);
    else bytes.writeBigUInt64BE(BigInt(end - last.start), last.start + 8);
  }
  return bytes.subarray(0, end);
}
