import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Those of axe's default rules that depend on colours. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** Returns axe's violations on a page as it is: of all rules in the light theme, and of colour rules in the dark one. */
export async function axeViolations(page: Page): Promise<string[]> {
  // In the page itself: it has no frames, so axe needs no extra page for each run.
  const axe = () => new AxeBuilder({ page }).setLegacyMode();
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const builder = colorScheme === "light" ? axe() : axe().withRules(colourRules);
    const { violations } = await builder.analyze();
    for (const { id, nodes } of violations) {
      found.push(`${page.url()}, ${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join("\n")}`);
    }
  }
  return found;
}
