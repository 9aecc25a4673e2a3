/*
 * ICC profiles (ICC.1:2022) may hold text, dates, device names and whole measurement tables. Of the simple kind,
 * three primaries and three curves or one curve for grey, a new profile is made that has those numbers and
 * nothing else. Pictures with another kind have their colours converted to sRGB.
 */

const D50 = "0000f6d6000100000000d32d";
const MAX_CURVE_POINTS = 4_096;
const parametricLengths = [1, 3, 4, 5, 7];

type Tag = { name: string; data: Buffer };

/** The profile with nothing but its colours, or undefined for one that is not of the simple kind. */
export function plainProfile(profile: Buffer): Buffer | undefined {
  if (profile.length < 132 || profile.toString("latin1", 36, 40) !== "acsp") return undefined;
  const space = profile.toString("latin1", 16, 20);
  if (profile.toString("latin1", 20, 24) !== "XYZ ") return undefined;
  const tags = readTags(profile);
  // A profile with a table (A2B0) is meant to be used through it.
  if (tags === undefined || tags.has("A2B0")) return undefined;

  const names =
    space === "RGB "
      ? { colours: ["rXYZ", "gXYZ", "bXYZ"], curves: ["rTRC", "gTRC", "bTRC"] }
      : space === "GRAY"
        ? { colours: [], curves: ["kTRC"] }
        : undefined;
  if (names === undefined) return undefined;

  const kept: Tag[] = [
    { name: "desc", data: localizedText("RGB") },
    { name: "cprt", data: localizedText("CC0") },
    { name: "wtpt", data: Buffer.from(`58595a2000000000${D50}`, "hex") },
  ];
  for (const name of names.colours) {
    const data = colour(tags.get(name));
    if (data === undefined) return undefined;
    kept.push({ name, data });
  }
  for (const name of names.curves) {
    const data = curve(tags.get(name));
    if (data === undefined) return undefined;
    kept.push({ name, data });
  }
  return build(space, kept);
}

function readTags(profile: Buffer): Map<string, Buffer> | undefined {
  const count = profile.readUInt32BE(128);
  if (count > 100 || 132 + count * 12 > profile.length) return undefined;
  const tags = new Map<string, Buffer>();
  for (let index = 0; index < count; index++) {
    const at = 132 + index * 12;
    const offset = profile.readUInt32BE(at + 4);
    const size = profile.readUInt32BE(at + 8);
    if (offset + size > profile.length) return undefined;
    tags.set(profile.toString("latin1", at, at + 4), profile.subarray(offset, offset + size));
  }
  return tags;
}

function colour(data: Buffer | undefined): Buffer | undefined {
  if (data === undefined || data.length < 20 || data.toString("latin1", 0, 4) !== "XYZ ") return undefined;
  return Buffer.concat([Buffer.from("XYZ \0\0\0\0", "latin1"), data.subarray(8, 20)]);
}

function curve(data: Buffer | undefined): Buffer | undefined {
  if (data === undefined || data.length < 12) return undefined;
  const type = data.toString("latin1", 0, 4);
  const head = Buffer.from(`${type}\0\0\0\0`, "latin1");
  if (type === "curv") {
    const points = data.readUInt32BE(8);
    if (points > MAX_CURVE_POINTS || data.length < 12 + points * 2) return undefined;
    return Buffer.concat([head, data.subarray(8, 12 + points * 2)]);
  }
  if (type === "para") {
    const length = parametricLengths[data.readUInt16BE(8)];
    if (length === undefined || data.length < 12 + length * 4) return undefined;
    return Buffer.concat([head, data.subarray(8, 10), Buffer.alloc(2), data.subarray(12, 12 + length * 4)]);
  }
  return undefined;
}

function localizedText(text: string): Buffer {
  const head = Buffer.alloc(28);
  head.write("mluc", 0, "latin1");
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(12, 12);
  head.write("enUS", 16, "latin1");
  head.writeUInt32BE(text.length * 2, 20);
  head.writeUInt32BE(28, 24);
  return Buffer.concat([head, Buffer.from(text, "utf16le").swap16()]);
}

function build(space: string, tags: Tag[]): Buffer {
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length, 0);
  const body: Buffer[] = [];
  const places = new Map<string, number>();
  let end = 128 + table.length;
  for (const [index, { name, data }] of tags.entries()) {
    const at = 4 + index * 12;
    // The three curves are mostly the same one, which tags may share.
    const known = places.get(data.toString("latin1"));
    table.write(name, at, "latin1");
    table.writeUInt32BE(known ?? end, at + 4);
    table.writeUInt32BE(data.length, at + 8);
    if (known !== undefined) continue;
    places.set(data.toString("latin1"), end);
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
    body.push(padded);
    end += padded.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(end, 0);
  header.writeUInt32BE(0x04300000, 8);
  header.write(`mntr${space}XYZ `, 12, "latin1");
  // The date of creation has to be one: 1 January 2000.
  header.writeUInt16BE(2_000, 24);
  header.writeUInt16BE(1, 26);
  header.writeUInt16BE(1, 28);
  header.write("acsp", 36, "latin1");
  header.write(D50, 68, "hex");
  return Buffer.concat([header, table, ...body]);
}
