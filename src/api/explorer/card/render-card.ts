import { fontFamily, fontFiles } from "./fonts.ts";

/** Renders one of our SVGs to PNG off the event loop. Loads no files except the fonts named here. */
export async function renderCard(svg: string): Promise<Buffer> {
  // Loaded with the first card: it is a large native library.
  const { renderAsync } = await import("@resvg/resvg-js");
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: Object.values(fontFiles), defaultFontFamily: fontFamily },
  });
  return image.asPng();
}
