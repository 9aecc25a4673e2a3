import { expect, test } from "vitest";
import { unlessAborted } from "./async.ts";

test("what is no longer waited for may fail later", async () => {
  const late = Promise.withResolvers<never>();
  const reason = new Error("stopped");
  await expect(unlessAborted(late.promise, AbortSignal.abort(reason))).rejects.toBe(reason);
  late.reject(new Error("failed"));
  // Node reports what nobody has listened to once the microtasks are done, and the test run fails.
  await new Promise((resolve) => setImmediate(resolve));
});
