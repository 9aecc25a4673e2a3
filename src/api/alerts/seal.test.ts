import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { keyedHash, seal, unseal } from "./receiver-secrets.ts";

const key = randomBytes(32);

test("only the same key, for the same subscription, opens what was sealed", () => {
  const sealed = seal(key, "alert_1", "https://bot.example/?secret");
  expect(sealed).not.toContain("secret");
  expect(seal(key, "alert_1", "https://bot.example/?secret")).not.toBe(sealed);
  expect(unseal(key, "alert_1", sealed)).toBe("https://bot.example/?secret");
  expect(() => unseal(key, "alert_2", sealed)).toThrow();
  expect(() => unseal(randomBytes(32), "alert_1", sealed)).toThrow();
  const changed = Buffer.from(sealed, "base64");
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(() => unseal(key, "alert_1", changed.toString("base64"))).toThrow();
});

test("a keyed hash needs the key", () => {
  expect(keyedHash(key, "1.1.1.1")).toBe(keyedHash(key, "1.1.1.1"));
  expect(keyedHash(randomBytes(32), "1.1.1.1")).not.toBe(keyedHash(key, "1.1.1.1"));
});
