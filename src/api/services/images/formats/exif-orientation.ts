const ORIENTATION = 0x0112;
const SHORT = 3;

/**
 * The orientation (1 to 8) that EXIF data asks for, 1 where it asks for none or can't be read. `tiff` starts
 * with the TIFF header, "II" or "MM". Format: EXIF 2.32, 4.6.2 and 4.6.4.
 */
export function exifOrientation(tiff: Buffer): number {
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 14 || (order !== "II" && order !== "MM")) return 1;
  const u16 = (at: number) => (order === "II" ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (order === "II" ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));

  const directory = u32(4);
  if (directory + 2 > tiff.length) return 1;
  const entries = u16(directory);
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return 1;
    if (u16(at) !== ORIENTATION) continue;
    const value = u16(at + 8);
    return u16(at + 2) === SHORT && value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
