import { fontFamily, fontFiles } from "./fonts.ts";

/** Renders one of our SVGs to PNG off the event loop. Loads no files except the fonts named here. */
export async function renderCard(svg: string): Promise<Buffer> {
  // The library asks for a diagnostic report when it is loaded, to learn which libc this is. For the report Node would look up the
  // host names of every open connection, one after the other, and nothing else would run: for over a minute with 256 connections.
  // Node's types lack the property.
  Object.assign(process.report, { excludeNetwork: true });
  // Loaded with the first card: it is a large native library.
  const { renderAsync } = await import("@resvg/resvg-js");
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: Object.values(fontFiles), defaultFontFamily: fontFamily },
  });
  return image.asPng();
}
