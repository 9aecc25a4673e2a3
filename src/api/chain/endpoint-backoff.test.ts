import { expect, test } from "vitest";
import { createEndpointBackoff } from "./chain-client.ts";

const chainId = 56;

/** Fails again right after each delay, and returns the delays. */
function delaysAfter(failures: number): number[] {
  let time = 1_000;
  const backoff = createEndpointBackoff(() => time);
  return Array.from({ length: failures }, () => {
    const failedAt = time;
    backoff.failed(chainId);
    while (backoff.isBackingOff(chainId)) time += 100;
    return time - failedAt;
  });
}

test("each failure in a row doubles the delay, up to ten seconds", () => {
  expect(delaysAfter(7)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test("failures at the same time count once, an answer ends it all, and chains rest apart", () => {
  let time = 0;
  const backoff = createEndpointBackoff(() => time);
  for (let count = 0; count < 5; count++) backoff.failed(chainId);
  expect([backoff.isBackingOff(chainId), backoff.isBackingOff(97)]).toEqual([true, false]);
  time = 500;
  expect(backoff.isBackingOff(chainId)).toBe(false);
  backoff.failed(chainId);
  backoff.succeeded(chainId);
  expect(backoff.isBackingOff(chainId)).toBe(false);
  backoff.failed(chainId);
  time += 500;
  expect(backoff.isBackingOff(chainId)).toBe(false);
});
