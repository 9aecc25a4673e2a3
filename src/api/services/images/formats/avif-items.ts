import { brokenImage } from "../image-error.ts";
import { type Box, BoxReader, boxesIn, writeBox } from "./boxes.ts";

/* The tables of a HEIF file (ISO/IEC 23008-12): what items there are and where their bytes lie. */

export type Extent = { start: number; end: number };
export type ItemPlace = { id: number; extents: Extent[]; record: Buffer };

/** Items that make up a picture. Exif, XMP ("mime") and others are none. */
const pictureItems = ["av01", "grid", "iovl", "iden"];

/** The item information box without the items that are no pictures, and the ids of those that stay. */
export function keepPictures(bytes: Buffer, iinf: Box): { box: Buffer; ids: Set<number> } {
  const version = bytes[iinf.content] ?? 0;
  const countSize = version === 0 ? 2 : 4;
  const entries = boxesIn(bytes, iinf.content + 4 + countSize, iinf.end);
  const ids = new Set<number>();
  const kept: Buffer[] = [];
  for (const entry of entries) {
    const reader = new BoxReader(bytes, entry.content, entry.end);
    const entryVersion = reader.number(1);
    reader.number(1);
    reader.number(2);
    if (entry.type !== "infe" || entryVersion < 2 || entryVersion > 3)
      throw brokenImage("it has a part of an unknown kind");
    const id = reader.number(entryVersion === 2 ? 2 : 4);
    reader.number(2);
    const type = bytes.toString("latin1", reader.at, reader.at + 4);
    if (!pictureItems.includes(type)) continue;
    ids.add(id);
    kept.push(bytes.subarray(entry.start, entry.end));
  }
  const head = Buffer.from(bytes.subarray(iinf.content, iinf.content + 4 + countSize));
  head.writeUIntBE(kept.length, 4, countSize);
  return { box: writeBox("iinf", Buffer.concat([head, ...kept])), ids };
}

/**
 * Where the bytes of each item lie, as places in the file. `idat` is the box that places of the second kind
 * (construction method 1) count from.
 */
export function readPlaces(bytes: Buffer, iloc: Box, idat: Box | undefined): ItemPlace[] {
  const reader = new BoxReader(bytes, iloc.content, iloc.end);
  const version = reader.number(1);
  if (version > 2) throw brokenImage("it has a part of an unknown kind");
  reader.number(1);
  reader.number(2);
  const sizes = reader.number(2);
  const [offsetSize, lengthSize, baseSize, indexSize] = [
    sizes >> 12,
    (sizes >> 8) & 15,
    (sizes >> 4) & 15,
    sizes & 15,
  ];
  const count = reader.number(version < 2 ? 2 : 4);
  const places: ItemPlace[] = [];
  for (let item = 0; item < count; item++) {
    const start = reader.at;
    const id = reader.number(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : reader.number(2) & 15;
    // Another file, or places inside other items: no picture that we take has them.
    if (reader.number(2) !== 0 || method > 1 || (method === 1 && idat === undefined))
      throw brokenImage("it refers to what is not in it");
    const base = reader.number(baseSize) + (method === 1 ? (idat?.content ?? 0) : 0);
    const extents: Extent[] = [];
    for (let extent = reader.number(2); extent > 0; extent--) {
      if (version > 0) reader.number(indexSize);
      const from = base + reader.number(offsetSize);
      extents.push({ start: from, end: from + reader.number(lengthSize) });
    }
    places.push({ id, extents, record: bytes.subarray(start, reader.at) });
  }
  return places;
}

export function writePlaces(bytes: Buffer, iloc: Box, places: ItemPlace[]): Buffer {
  const countSize = (bytes[iloc.content] ?? 0) < 2 ? 2 : 4;
  const head = Buffer.from(bytes.subarray(iloc.content, iloc.content + 6 + countSize));
  head.writeUIntBE(places.length, 6, countSize);
  return writeBox("iloc", Buffer.concat([head, ...places.map(({ record }) => record)]));
}

/** The references between items, without those from or to an item that goes. */
export function keepReferences(bytes: Buffer, iref: Box, ids: Set<number>): Buffer {
  const idSize = bytes[iref.content] === 0 ? 2 : 4;
  const kept = boxesIn(bytes, iref.content + 4, iref.end).filter((box) => {
    const reader = new BoxReader(bytes, box.content, box.end);
    if (!ids.has(reader.number(idSize))) return false;
    for (let count = reader.number(2); count > 0; count--) if (!ids.has(reader.number(idSize))) return false;
    return true;
  });
  return writeBox(
    "iref",
    Buffer.concat([
      bytes.subarray(iref.content, iref.content + 4),
      ...kept.map((box) => bytes.subarray(box.start, box.end)),
    ]),
  );
}
