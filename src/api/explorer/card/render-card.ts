import { fontFamily, fontFiles } from "./fonts.ts";

/** An SVG of ours as PNG, drawn beside the event loop. It reads the fonts named here and nothing else. */
export async function renderCard(svg: string): Promise<Buffer> {
  // Loaded with the first card: it is a native library of some size.
  const { renderAsync } = await import("@resvg/resvg-js");
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: Object.values(fontFiles), defaultFontFamily: fontFamily },
  });
  return image.asPng();
}
