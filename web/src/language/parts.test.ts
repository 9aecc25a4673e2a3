import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import * as en from "./catalogues/en.ts";
import * as zh from "./catalogues/zh.ts";
import { partsOf } from "./parts.ts";

const english: Record<string, object> = { ...en };
const root = fileURLToPath(new URL("..", import.meta.url));

type Page = keyof typeof partsOf;

type Module = {
  imports: string[];
  /** Modules that are loaded later; `page` if with texts of their own. */
  lazy: { file: string; page?: Page }[];
  /** The groups of texts that it uses: `common` for example. Those at once are used while it is loaded. */
  uses: { group: string; isAtOnce: boolean }[];
};

function readModule(file: string): Module {
  const module: Module = { imports: [], lazy: [], uses: [] };
  const resolve = (specifier: ts.Node) =>
    path.resolve(path.dirname(file), (specifier as ts.StringLiteral).text);
  const visit = (node: ts.Node, isAtOnce: boolean, page?: Page): void => {
    if (ts.isImportDeclaration(node) && !isForTypes(node)) module.imports.push(resolve(node.moduleSpecifier));
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      if (first !== undefined && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        module.lazy.push({ file: resolve(first), ...(page === undefined ? {} : { page }) });
      }
      if (node.expression.getText() === "lazyPage") page = (first as ts.StringLiteral).text as Page;
    }
    if (ts.isPropertyAccessExpression(node) && node.expression.getText() === "t") {
      module.uses.push({ group: node.name.text, isAtOnce });
    }
    const isLater = ts.isFunctionLike(node) && !isForEachItem(node);
    ts.forEachChild(node, (child) => visit(child, isAtOnce && !isLater, page));
  };
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, kind), true);
  const isOurs = (name: string) => name.startsWith(root) && /\.tsx?$/.test(name);
  return { ...module, imports: module.imports.filter(isOurs) };
}

/** Whether an array's method calls a function at once, as in `names.map((name) => …)`. */
function isForEachItem({ parent: call }: ts.Node): boolean {
  return (
    ts.isCallExpression(call) &&
    ts.isPropertyAccessExpression(call.expression) &&
    /^(map|flatMap|filter|find|some|every|reduce|forEach|sort|toSorted|from|fromEntries)$/.test(
      call.expression.name.text,
    )
  );
}

function isForTypes({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  const { isTypeOnly, name, namedBindings } = importClause;
  const named = namedBindings !== undefined && ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
  return isTypeOnly || (name === undefined && named.length > 0 && named.every((one) => one.isTypeOnly));
}

test("every page waits for the texts that its code uses, and for no others", () => {
  const problems: string[] = [];
  const needed = new Map<Page, Set<string>>();
  const onFirstPage = new Set<string>();
  const seen = new Set<string>();
  /** @param isShown whether the page is shown by then, as for its tabs */
  const follow = (file: string, page?: Page, isShown = false): void => {
    // What the first page has loaded is there already.
    if (onFirstPage.has(file) || seen.has(`${file} ${page}`)) return;
    seen.add(`${file} ${page}`);
    if (page === undefined) onFirstPage.add(file);
    const { imports, lazy, uses } = readModule(file);
    for (const next of imports) follow(next, page, isShown);
    const parts = ["core", ...(page === undefined ? [] : partsOf[page])];
    for (const { group, isAtOnce } of uses) {
      const part = parts.find((name) => group in (english[name] ?? {}));
      const used = `t.${group} in ${path.relative(root, file)} of ${page ?? "the first page"}`;
      if (part === undefined) problems.push(`${used} is in none of ${parts}`);
      else if (isAtOnce && !isShown && (part !== "core" || page === undefined))
        problems.push(`${used} may be too early`);
      else if (page !== undefined) needed.set(page, (needed.get(page) ?? new Set()).add(part));
    }
    for (const next of lazy) {
      if (next.page === undefined) follow(next.file, page, true);
      else later.push([next.file, next.page]);
    }
  };
  const later: [string, Page][] = [];
  follow(path.join(root, "main.tsx"));
  for (const [file, page] of later) follow(file, page);
  expect(problems).toEqual([]);
  const used = Object.keys(partsOf).map((page) => [page, [...(needed.get(page as Page) ?? [])].sort()]);
  expect(Object.fromEntries(used)).toEqual(
    Object.fromEntries(Object.entries(partsOf).map(([page, parts]) => [page, ["core", ...parts].sort()])),
  );
});

test("every language has every part, and no group of texts is in two", () => {
  const groups = (language: object) => Object.values(language).flatMap(Object.keys);
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  expect(groups(zh).sort()).toEqual(groups(en).sort());
  expect(new Set(groups(en)).size).toBe(groups(en).length);
});
