import sharp from "sharp";

/** The mean difference between two pictures in sRGB, in steps of 256. Throws when they differ in size. */
export async function imageDifference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map(srgbPixels));
  if (a === undefined || b === undefined || a.length !== b.length) throw new Error("they differ in size");
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  return sum / a.length;
}

function srgbPixels(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes, { animated: true })
    .toColourspace("srgb")
    .flatten({ background: "white" })
    .raw()
    .toBuffer();
}
