import { expect, test } from "vitest";
import { listenWarning, localUrl } from "./host.ts";

test.each([
  [undefined, "http://127.0.0.1:80"],
  ["0.0.0.0", "http://127.0.0.1:80"],
  ["::", "http://127.0.0.1:80"],
  ["192.0.2.1", "http://192.0.2.1:80"],
  ["::1", "http://[::1]:80"],
  ["localhost", "http://localhost:80"],
])("a server that listens on %s is reached at %s", (host, url) => expect(localUrl(host, 80)).toBe(url));

test("a trusted proxy that clients can bypass causes a warning", () => {
  for (const host of [undefined, "0.0.0.0", "::", "192.0.2.1"]) {
    expect(listenWarning(host, 1)).toContain("TRUST_PROXY is set");
    expect(listenWarning(host, 0)).toBeUndefined();
  }
  for (const host of ["127.0.0.1", "127.8.8.8", "::1", "localhost"]) {
    expect(listenWarning(host, 1)).toBeUndefined();
  }
});
