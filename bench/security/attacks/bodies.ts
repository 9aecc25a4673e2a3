import type { Attack } from "./attack.ts";

const json = { "content-type": "application/json" };

export const nestedJson: Attack = {
  description: "POST /api/tokens, as deeply nested as a body may be",
  prepare: async () => {
    const size = 64 * 1_024;
    const bodies = [
      "[".repeat(size / 2) + "]".repeat(size / 2),
      `${'{"a":'.repeat(size / 6)}1${"}".repeat(size / 6)}`,
      `{"mint":${"9".repeat(size - 20)}}`,
      `{"__proto__":{"mint":"0x"},"constructor":{"prototype":{"x":1}}}`,
      `{${Array.from({ length: size / 8 }, () => '"mint":1').join(",")}}`.slice(0, size),
    ];
    return (count) => ({
      method: "POST",
      path: "/api/tokens",
      headers: json,
      body: bodies[count % bodies.length] ?? "",
    });
  },
};
