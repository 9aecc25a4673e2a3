import { expect, test } from "vitest";
import { readEnvironment } from "../../config/env.ts";
import { redactor, settingsRedactor } from "./log.ts";

test("a key or a token that is quoted without its URL does not reach the log", () => {
  const redact = redactor(
    ["https://bsc.example/v2/0123456789abcdef?apikey=fedcba9876543210"],
    ["header.payload.signature"],
  );
  expect(redact("invalid key 0123456789abcdef, or fedcba9876543210")).toBe("invalid key /…, or /…");
  expect(redact("Bearer header.payload.signature is not valid at /v2")).toBe("Bearer /… is not valid at /v2");
});

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

test("a password with a % that encodes nothing is cut out as it is", () => {
  const redact = redactor(["https://user:100%secret@rpc.example/"]);
  expect(redact("user:100%secret@rpc.example")).not.toContain("secret");
});

test("a database's name stays, and its password does not", () => {
  const redact = redactor([
    "postgres://owner:secret-of-ours@db.example:5432/launchpad?sslpassword=another-secret-of-ours",
  ]);
  expect(redact("/dev/shm/launchpad-test: postgres://owner:secret-of-ours@db.example/launchpad")).toBe(
    "/dev/shm/launchpad-test: postgres://owner:/…@db.example/launchpad",
  );
  expect(redact("sslpassword=another-secret-of-ours")).not.toContain("another-secret-of-ours");
});

test("a password that is a parameter of a database's URL does not reach the log", () => {
  const redact = redactor(["postgres:///launchpad?host=/run/postgresql&user=owner&password=of%20ours"]);
  expect(redact("refused: owner with of ours")).toBe("refused: owner with /…");
});

test("keys of all URLs of a chain do not reach the log", () => {
  const address = `0x${"11".repeat(20)}`;
  const settings = readEnvironment({
    PONDER_RPC_URL_56: "https://bsc.example/v2/key-of-requests,wss://bsc.example/v2/key-of-the-socket",
    HISTORY_SOURCE_56: "https://portal.example/datasets/key-of-the-portal",
    TOKEN_FACTORY_ADDRESS_56: address,
    LAUNCHPAD_ADDRESS_56: address,
    START_BLOCK_56: "1",
  });
  const redact = settingsRedactor(settings);
  for (const path of ["/v2/key-of-requests", "/v2/key-of-the-socket", "/datasets/key-of-the-portal"]) {
    expect(redact(`at ${path}`)).toBe("at /…");
  }
});
