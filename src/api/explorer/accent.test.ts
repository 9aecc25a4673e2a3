import { expect, test } from "vitest";
import { accentColours, contrast } from "./brand.ts";

const grey = (part: number) => `#${part.toString(16).padStart(2, "0").repeat(3)}`;

test.each([
  "#f0b429",
  "#000000",
  "#ffffff",
  "#0000ff",
  "#00ff00",
  "#ff0000",
  "#777777",
  ...[90, 118, 119, 160].map(grey),
])("text on %s and in it is readable in both themes", (accent) => {
  const { onAccent, onLight, onDark, hover } = accentColours(accent);
  expect(contrast(onAccent, accent)).toBeGreaterThanOrEqual(4.5);
  expect(hover).not.toBe(onAccent);
  for (const ground of ["#f5f6f8", "#ffffff", "#eef0f3"]) {
    expect(contrast(onLight, ground)).toBeGreaterThanOrEqual(4.5);
  }
  for (const ground of ["#0d0f13", "#15181e", "#1e232b"]) {
    expect(contrast(onDark, ground)).toBeGreaterThanOrEqual(4.5);
  }
});

test("a colour that is readable already stays as it is", () => {
  expect(accentColours("#004080").onLight).toBe("#004080");
  expect(accentColours("#f0b429").onDark).toBe("#f0b429");
  expect(contrast("#000000", "#ffffff")).toBe(21);
});
