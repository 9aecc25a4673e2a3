import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { sized } from "../run/long-run.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Those of axe's default rules that depend on colours. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** Describing what is right as well takes axe as long as finding it out. */
const allRules: RunOptions = { resultTypes: ["violations"] };

type Violation = { id: string; html: string[] };

type Theme = "light" | "dark";
export const bothThemes: Theme[] = ["light", "dark"];

/**
 * Returns axe's violations on a page as it is: of all rules in the light theme, and of colour rules in the dark one. The latter take as
 * long as all others together, so `npm test` looks at them where a test is about the themes.
 */
export async function axeViolations(
  page: Page,
  themes: Theme[] = sized({ usual: ["light"], long: bothThemes }),
): Promise<string[]> {
  await page.evaluate(`if (typeof axe === "undefined") { ${axe} }`);
  const found: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // What moved before is between two colours.
    await page.evaluate(`Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))`);
    const options = colorScheme === "light" ? allRules : { ...allRules, runOnly: colourRules };
    const violations: Violation[] = await page.evaluate(`axe.run(${JSON.stringify(options)}).then(
      ({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) })))`);
    for (const { id, html } of violations) {
      found.push(`${page.url()}, ${colorScheme}: ${id}: ${html.join("\n")}`);
    }
  }
  return found;
}
