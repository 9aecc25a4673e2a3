import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../../browser/explorer.ts";
import type { RegistrationServed } from "./served.ts";

/** What an operator's brand changes of the explorer's files. Its pages are in the long run of explorer-browse. */
export function testBrand(served: () => RegistrationServed): void {
  beforeAll(ensureBuilt);

  const get = (at: string) => fetch(new URL(at, served().service.indexer.url));

  test("an operator's name and logo are in titles, previews and icons", async () => {
    const html = await (await get("/")).text();
    expect(html).toContain("<title>&quot;Otter&quot; &amp; &lt;Co&gt;</title>");
    expect(html).toContain('<meta property="og:site_name" content="&quot;Otter&quot; &amp; &lt;Co&gt;" />');
    const [, icon = ""] = /<link rel="icon" type="image\/svg\+xml" href="([^"]+)"/.exec(html) ?? [];
    const logo = await get(icon);
    expect(await logo.text()).toBe(await readFile(served().logo, "utf8"));
    expect(logo.headers.get("content-security-policy")).toContain("sandbox");
    expect(await (await get("/manifest.webmanifest")).json()).toMatchObject({
      name: '"Otter" & <Co>',
      icons: [{ src: icon, type: "image/svg+xml" }],
    });
  });
}
