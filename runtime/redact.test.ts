import { expect, test } from "vitest";
import { redactor } from "./redact.ts";

test("keys in paths and queries, and passwords, do not reach the log; hosts do", () => {
  const redact = redactor([
    "https://bsc.example/v2/SECRETKEY123",
    "https://other.example/?apikey=SECRET2",
    "https://user:pass%40word@third.example/rpc",
  ]);
  expect(redact("HttpRequestError URL: https://bsc.example/v2/SECRETKEY123 failed")).toBe(
    "HttpRequestError URL: https://bsc.example/… failed",
  );
  expect(redact("https://other.example/?apikey=SECRET2&lane=2")).not.toContain("SECRET2");
  expect(redact("user:pass@word@third.example and pass%40word")).not.toMatch(/pass(@|%40)word/);
  expect(redact("block=12 /v2 /")).toBe("block=12 /v2 /");
});
