import fc from "fast-check";
import { expect, test } from "vitest";
import { type ListVersion, listVersion } from "./wallet-list.ts";

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
