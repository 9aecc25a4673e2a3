import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const project = fileURLToPath(new URL("..", import.meta.url));

const pages = globSync("**/*.md", {
  cwd: project,
  exclude: (name) => /^(node_modules|\.data|\.git)$/.test(path.basename(name)),
});
const read = (file: string) => readFileSync(path.join(project, file), "utf8");

test("each link of the documentation leads to a file, and to a heading in it", () => {
  expect(pages).toContain("docs/self-hosting.md");
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test.each([
  ["README.md", "docs/nowhere.md"],
  ["docs/rest.md", "#no-such-heading"],
  ["docs/rest.md", "self-hosting.md#no-such-heading"],
])("in %s, the link %s is refused", (page, link) => {
  expect(leadsSomewhere(page, link)).toBe(false);
});

test("each npm script that the documentation runs exists", () => {
  const { scripts } = JSON.parse(read("package.json"));
  const missing = pages
    // The changelog also names scripts that were removed.
    .filter((page) => page !== "CHANGELOG.md")
    .flatMap((page) =>
      [...read(page).matchAll(/\b(?:npm run|node --run) (?:--silent )?([a-z][\w:-]*)/g)]
        .filter(([, script = ""]) => !(script in scripts))
        .map(([command]) => `${page}: ${command}`),
    );
  expect(missing).toEqual([]);
});

test("each source file that the documentation names exists", () => {
  const files = globSync("**/*.{ts,tsx,sql}", {
    cwd: project,
    exclude: (name) => /^(node_modules|\.data|\.git|dist)$/.test(path.basename(name)),
  }).map((file) => `/${file}`);
  // The changelog also names files that were removed, and the guides those that they add.
  const added = /^CHANGELOG\.md|^CONTRIBUTING\.md: .*\b([xy]|early-buyers?)\./;
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|sql))`/g)]
      .filter(([, name = ""]) => !files.some((file) => file.endsWith(`/${name}`)))
      .map(([, name]) => `${page}: ${name}`)
      .filter((named) => !added.test(named)),
  );
  // Not a file: Ponder's own access to the database.
  expect(missing.filter((named) => !named.endsWith(": db.sql"))).toEqual([]);
});

test("each file of the three walks is where the walk says", () => {
  const named = filesOfWalks(read("docs/architecture.md"));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((file) => !existsSync(path.join(project, file)))).toEqual([]);
});

/** The paths that the walks name. An indented name is in the folder of the line above that is not. */
function filesOfWalks(page: string): string[] {
  const [, walks = ""] = page.match(/^## Three walks$([\s\S]*?)^## /m) ?? [];
  const lines = [...walks.matchAll(/^```$([\s\S]*?)^```$/gm)].flatMap(([, code = ""]) => code.split("\n"));
  let folder = "";
  return lines.flatMap((line) => {
    const names = [...line.matchAll(/[\w./-]+\.tsx?/g)].map(([name]) => name);
    const [first = ""] = names;
    const startsFolder = line.startsWith(first) && first !== "";
    if (startsFolder) folder = path.dirname(first);
    return names.map((name) => (existsSync(path.join(project, name)) ? name : path.join(folder, name)));
  });
}

const withoutCode = (page: string) => read(page).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");

/** The targets of a page's links to files of this project. */
const linksOf = (page: string) =>
  [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

function leadsSomewhere(page: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(project, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

/** The anchors that GitHub gives the headings of a page. */
const anchorsOf = (page: string) =>
  [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
