import { expect, test } from "vitest";
import { createHostCheck } from "./mcp.ts";

const { allowsHost, allowsOrigin } = createHostCheck("https://launchpad.example");

test.each([
  "launchpad.example",
  "launchpad.example:443",
  "localhost:42069",
  "127.0.0.1:1",
  "[::1]:1",
  "10.0.0.7:42069",
])("the host %s is ours", (host) => expect(allowsHost(host)).toBe(true));

test.each(["evil.example", "launchpad.example.evil.example", "", undefined, "a b"])(
  "the host %s is not",
  (host) => {
    expect(allowsHost(host)).toBe(false);
  },
);

test.each([undefined, "https://launchpad.example", "http://localhost:6274"])(
  "the origin %s is allowed",
  (origin) => {
    expect(allowsOrigin(origin)).toBe(true);
  },
);

// An origin with an address is a page that was loaded from there.
test.each(["https://evil.example", "null", "http://10.0.0.7"])("the origin %s is not", (origin) => {
  expect(allowsOrigin(origin)).toBe(false);
});
