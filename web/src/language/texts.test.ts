import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterEach, expect, test, vi } from "vitest";
import * as zh from "./catalogues/zh.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const root = fileURLToPath(new URL("..", import.meta.url));

/** Names that are the same in every language. */
const names =
  /\b(REST|GraphQL|SQL|BscScan|TradingView|Launchpad|Telegram|DEX|MA|USD|t?BNB|X|MetaMask|Trust Wallet|OKX Wallet|Binance Wallet|https|px)\b/g;

const isText = (text: string) => /\p{L}/u.test(text.replaceAll(names, ""));

/** Attributes and properties whose values are shown or read out. */
const shown =
  /^(title|alt|placeholder|label|caption|emptyText|hint|text|meaning|problem|aria-(label|description|valuetext|placeholder|roledescription))$/;

/** The strings that an expression may result in. */
function* stringsOf(node: ts.Node): Generator<string> {
  if (ts.isStringLiteralLike(node)) yield node.text;
  else if (ts.isTemplateExpression(node)) {
    yield [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(" ");
    for (const { expression } of node.templateSpans) yield* stringsOf(expression);
  } else if (ts.isConditionalExpression(node)) {
    yield* stringsOf(node.whenTrue);
    yield* stringsOf(node.whenFalse);
  } else if (ts.isBinaryExpression(node)) {
    const isCondition = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    const isChoice = [
      ts.SyntaxKind.BarBarToken,
      ts.SyntaxKind.QuestionQuestionToken,
      ts.SyntaxKind.PlusToken,
    ];
    if (!isCondition && !isChoice.includes(node.operatorToken.kind as ts.SyntaxKind.PlusToken)) return;
    if (!isCondition) yield* stringsOf(node.left);
    yield* stringsOf(node.right);
  } else if (ts.isParenthesizedExpression(node)) yield* stringsOf(node.expression);
  else if (ts.isJsxExpression(node) && node.expression !== undefined) yield* stringsOf(node.expression);
}

/** The texts in a source that visitors would see in any language. */
function textsIn(source: string, kind = ts.ScriptKind.TSX): string[] {
  const found: string[] = [];
  const note = (strings: Iterable<string>) =>
    found.push(...[...strings].filter(isText).map((text) => text.trim()));
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) note([node.text]);
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) note(stringsOf(node));
    else if (ts.isJsxAttribute(node) && shown.test(node.name.getText()) && node.initializer !== undefined) {
      note(stringsOf(node.initializer));
    } else if (ts.isPropertyAssignment(node) && shown.test(node.name.getText()))
      note(stringsOf(node.initializer));
    else if (ts.isNewExpression(node) && node.expression.getText() === "Refusal") {
      note([...(node.arguments ?? [])].flatMap((argument) => [...stringsOf(argument)]));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.tsx", source, ts.ScriptTarget.Latest, true, kind));
  return found;
}

test("no text is in the code: each is in the catalogues", () => {
  const files = globSync("**/*.{ts,tsx}", {
    cwd: root,
    exclude: (name) => /\.test\.ts$|catalogues/.test(name),
  });
  expect(files.length).toBeGreaterThan(100);
  const texts = files.flatMap((file) => {
    const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    return textsIn(readFileSync(path.join(root, file), "utf8"), kind).map((text) => `${file}: ${text}`);
  });
  expect(texts).toEqual([]);
});

test.each([
  ["<p>Buy now</p>", ["Buy now"]],
  ["<p>{isBuy ? 'Buy' : t.common.sell}</p>", ["Buy"]],
  ["<p>{count > 0 && `$" + "{count} left`}</p>", ["left"]],
  ["<button aria-label='Close' class='button' type='button' />", ["Close"]],
  ["<img alt={`Picture of $" + "{name}`} />", ["Picture of"]],
  ["status.value = { kind: 'failed', text: 'Too little' }", ["Too little"]],
  ["throw new Refusal('Nothing was sent.')", ["Nothing was sent."]],
  ["<p>{t.common.buy} 24 {parameter('tab')} · BNB</p>", []],
])("in %s, the texts are %j", (source, texts) => expect(textsIn(source)).toEqual(texts));

test("what the native coin is called is decided in one place", () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: root, exclude: (name) => name.endsWith(".test.ts") });
  const namesOfCoin = files.flatMap((file) => {
    const texts: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isLiteralExpression(node) || ts.isJsxText(node) || ts.isTemplateMiddleOrTemplateTail(node))
        texts.push(node.text);
      else if (ts.isTemplateHead(node)) texts.push(node.text);
      ts.forEachChild(node, visit);
    };
    const source = readFileSync(path.join(root, file), "utf8");
    visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
    // The names of the chains have it too.
    return texts
      .filter((text) => /\bt?BNB\b(?! (Smart Chain|testnet|测试网))/.test(text))
      .map((text) => `${file}: ${text}`);
  });
  expect(namesOfCoin.sort()).toEqual(["data/chain.ts: BNB", "data/chain.ts: tBNB"]);
});

/** What a text of a catalogue is with any values, which can be used as a string, as a number and as what makes an element of a text. */
function sample(text: unknown): string {
  if (typeof text !== "function") return String(text);
  const value = Object.assign((part: unknown) => part, { toString: () => "1" });
  const parts: unknown = text(value, value, value, value, value, value);
  return [parts].flat(9).map(String).join("");
}

const leaves = (node: unknown): unknown[] =>
  typeof node === "object" && node !== null ? Object.values(node).flatMap(leaves) : [node];

test("every Chinese text is in Chinese", () => {
  const same = /^[\W\d_]*(Dev|FROG|zh-CN|\d+h)?[\W\d_]*$/;
  const foreign = leaves(zh)
    .map(sample)
    .filter((text) => !/\p{Script=Han}/u.test(text) && !same.test(text));
  expect(foreign).toEqual([]);
  expect(leaves(zh).map(sample).join(" ")).not.toMatch(/undefined|NaN|\[object/);
});

test.each([
  { browser: ["zh-TW", "en"], stored: null, language: "zh", number: "1.235万", age: "5分" },
  { browser: ["fr", "zh"], stored: null, language: "zh", number: "1.235万", age: "5分" },
  { browser: ["fr", "de-CH"], stored: null, language: "en", number: "12.35K", age: "5m" },
  { browser: ["zh-CN"], stored: "en", language: "en", number: "12.35K", age: "5m" },
  { browser: ["en-US@posix"], stored: "xx", language: "en", number: "12.35K", age: "5m" },
])("with $browser in the browser and $stored chosen, the page is in $language", async (example) => {
  vi.stubGlobal("navigator", { languages: example.browser });
  vi.stubGlobal("localStorage", { getItem: () => example.stored });
  vi.resetModules();
  const { language, languages, locale, readTexts } = await import("./messages.ts");
  await readTexts(["core"]);
  const { formatNumber } = await import("../format/number.ts");
  const { formatAge, formatTime } = await import("../format/time.ts");
  expect(language).toBe(example.language);
  expect(languages()).toEqual([
    { value: "en", label: "English" },
    { value: "zh", label: "中文" },
  ]);
  expect([formatNumber("12345"), formatAge(0, 300_000)]).toEqual([example.number, example.age]);
  expect(formatTime(0)).toMatch(locale.startsWith("zh") ? /年1月1日/ : /Jan/);
});
