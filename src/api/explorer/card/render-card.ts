import { renderAsync } from "@resvg/resvg-js";
import { fontFamily, fontFiles } from "./fonts.ts";

/** An SVG of ours as PNG, drawn beside the event loop. It reads the fonts named here and nothing else. */
export async function renderCard(svg: string): Promise<Buffer> {
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: Object.values(fontFiles), defaultFontFamily: fontFamily },
  });
  return image.asPng();
}
