import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Of what axe looks at by default. */
const aboutColours = ["color-contrast", "link-in-text-block"];

/** What axe finds wrong with a page as it is: in the light theme all there is, and in the dark one, which is colours alone, those. */
export async function findings(page: Page): Promise<string[]> {
  // All of it in the page itself, which has no frames, and not in one more for each question.
  const axe = () => new AxeBuilder({ page }).setLegacyMode();
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const builder = colorScheme === "light" ? axe() : axe().withRules(aboutColours);
    const { violations } = await builder.analyze();
    for (const { id, nodes } of violations) {
      found.push(`${page.url()}, ${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join("\n")}`);
    }
  }
  return found;
}
