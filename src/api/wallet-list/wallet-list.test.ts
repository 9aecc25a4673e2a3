import { createRequire } from "node:module";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/run/long-run.ts";
import {
  isListableName,
  isListableSymbol,
  isListableUrl,
  type ListVersion,
  listVersion,
  maxTokens,
} from "./wallet-list.ts";

const schema = createRequire(import.meta.url)("@uniswap/token-lists/src/tokenlist.schema.json");
const ajv = new Ajv();
addFormats.default(ajv);
ajv.addSchema(schema, "list");
const published = (property: string) => {
  const validate = ajv.getSchema(`list#/definitions/TokenInfo/properties/${property}`);
  if (validate === undefined) throw new Error(`the schema has no ${property}`);
  return (value: string) => validate(value) === true;
};

const anything = fc.string({
  unit: fc.constantFrom(..." a\t\n\u0000\u001b\u00a0\u200b\u2028\u202e\u3000\ufeff\ud800é狗🦦+"),
  maxLength: 24,
});

test.each([
  ["name", isListableName],
  ["symbol", isListableSymbol],
] as const)("a %s is listable when and only when the published schema allows it", (property, isListable) => {
  const isAllowed = published(property);
  for (const length of [0, 1, 20, 21, 60, 61]) {
    for (const text of ["x".repeat(length), "🦦".repeat(length)])
      expect(isListable(text)).toBe(isAllowed(text));
  }
  fc.assert(
    fc.property(anything, (text) => {
      expect(isListable(text)).toBe(isAllowed(text));
    }),
    { numRuns: 2_000 },
  );
});

describe("a URL", () => {
  const isAllowed = published("logoURI");
  const part = fc.string({
    unit: fc.constantFrom(..."aZ09-._~!$&'()*+,;=:@/?#[]%<>\"{}|\\^`ü🦦"),
    maxLength: 12,
  });
  const strange = fc
    .tuple(fc.constantFrom("https://", "http://", "ipfs://", "HTTPS://"), part, part)
    .map((parts) => parts.join(""))
    .filter((url) => URL.canParse(url));

  test("that is listable is allowed by the published schema", () => {
    fc.assert(
      fc.property(strange, (url) => {
        if (isListableUrl(url)) expect([url, isAllowed(url)]).toEqual([url, true]);
      }),
      { numRuns: 300 },
    );
  });

  // In the user info, the usual validator of the schema allows more than RFC 3986.
  test("that the published schema allows is listable", () => {
    const web = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.ipV6().map((ip) => `https://[${ip}]:8080/logo.png`),
      strange.filter((url) => !url.includes("@")),
    );
    fc.assert(
      fc.property(web, (url) => {
        if (isAllowed(url)) expect([url, isListableUrl(url)]).toEqual([url, true]);
      }),
      { numRuns: sized({ usual: 100, long: 1_000 }) },
    );
  });

  test.each([
    ["https://a.example/logo.png", true],
    ["ipfs://bafkreiabc", true],
    ["https://a.example/ü.png", false],
    ["https://a.example/%zz", false],
    ["https://a.example/a|b", false],
  ])("%s: %s", (url, listable) => expect([isListableUrl(url), isAllowed(url)]).toEqual([listable, listable]));
});

test("a list has as many tokens as the published schema allows", () => {
  expect(maxTokens).toBe(schema.properties.tokens.maxItems);
});

type Token = { id: number; verified: boolean; graduatedAt: number | undefined; version: number };

const capacity = 4;

/** The list as collectTokens orders it. */
function listed(tokens: Token[]): Token[] {
  const byId = (left: Token, right: Token) => left.id - right.id;
  const verified = tokens.filter((token) => token.verified).sort(byId);
  const graduated = tokens
    .filter((token) => !token.verified && token.graduatedAt !== undefined)
    .sort((left, right) => (left.graduatedAt ?? 0) - (right.graduatedAt ?? 0));
  const others = tokens.filter((token) => !token.verified && token.graduatedAt === undefined).sort(byId);
  return [...verified, ...graduated, ...others].slice(0, capacity);
}

const versionOf = (list: Token[], moderated: number) =>
  listVersion(
    list.map((token) => ({ ...token, graduated: token.graduatedAt !== undefined })),
    { moderated, capacity },
  );

/** The part that went up, if any; "down" where the version is lower than before. */
function step(before: ListVersion, after: ListVersion): "major" | "minor" | "patch" | "none" | "down" {
  for (const part of ["major", "minor", "patch"] as const) {
    if (after[part] !== before[part]) return after[part] > before[part] ? part : "down";
  }
  return "none";
}

const change = fc.record({
  kind: fc.constantFrom("register", "sign", "graduate", "hide", "show"),
  which: fc.nat(100),
});

test("the version follows the standard's rules, whatever is registered, signed, hidden and shown, and graduates", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const tokens: Token[] = [];
      let list = listed(tokens);
      let version = versionOf(list, 0);
      const hidden: Token[] = [];
      let moderated = 0;
      changes.forEach(({ kind, which }, index) => {
        const token = tokens[which % Math.max(tokens.length, 1)];
        const written = index + 1;
        if (kind === "show" && hidden.length > 0) {
          tokens.push({ ...(hidden.pop() as Token), version: written });
          moderated = written;
        } else if (kind === "hide" && token !== undefined) {
          hidden.push(...tokens.splice(tokens.indexOf(token), 1));
          moderated = written;
        } else if (kind === "register" || token === undefined) {
          tokens.push({ id: written, verified: which % 3 === 0, graduatedAt: undefined, version: written });
        } else if (kind === "sign" || kind === "show")
          Object.assign(token, { verified: true, version: written });
        else token.graduatedAt ??= written;

        const after = listed(tokens.map((each) => ({ ...each })));
        const ids = new Set(after.map(({ id }) => id));
        const had = new Set(list.map(({ id }) => id));
        const went = step(version, versionOf(after, moderated));
        if (list.some(({ id }) => !ids.has(id))) expect(went).toBe("major");
        else if (after.some(({ id }) => !had.has(id))) expect(["major", "minor"]).toContain(went);
        else if (moderated === written) expect(["major", "none"]).toContain(went);
        else if (JSON.stringify(after) === JSON.stringify(list)) expect(went).toBe("none");
        else expect(["major", "minor", "patch"]).toContain(went);
        list = after;
        version = versionOf(after, moderated);
      });
    }),
    { numRuns: 500 },
  );
});
