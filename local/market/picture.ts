import sharp from "sharp";
import type { Address } from "viem";

const cells = 5;
const cellPixels = 40;

/** A PNG of 200 x 200 pixels: a symmetric pattern in one colour, both derived from the address. */
export async function picture(address: Address): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(address.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const [red = 0, green = 0, blue = 0] = bytes;
  const ink = [red, green, blue].map((value) => 40 + (value % 160));
  const paper = [245, 242, 235];
  const pixels = Buffer.alloc(cells * cells * 3);
  for (let cell = 0; cell < cells * cells; cell++) {
    const row = Math.floor(cell / cells);
    const column = Math.min(cell % cells, cells - 1 - (cell % cells));
    const isInk = ((bytes[3 + row * 3 + column] ?? 0) & 1) === 1;
    pixels.set(isInk ? ink : paper, cell * 3);
  }
  const image = sharp(pixels, { raw: { width: cells, height: cells, channels: 3 } });
  const size = cells * cellPixels;
  return new Uint8Array(
    await image.resize(size, size, { kernel: "nearest" }).png({ palette: true }).toBuffer(),
  );
}
