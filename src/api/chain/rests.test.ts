import { expect, test } from "vitest";
import { createRests } from "./rests.ts";

const chainId = 56;

/** Fails at once after each rest, and returns how long each of them was. */
function restsOf(failures: number): number[] {
  let time = 1_000;
  const rests = createRests(() => time);
  return Array.from({ length: failures }, () => {
    const failedAt = time;
    rests.failed(chainId);
    while (rests.isResting(chainId)) time += 100;
    return time - failedAt;
  });
}

test("each failure in a row doubles the rest, up to ten seconds", () => {
  expect(restsOf(7)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test("failures at the same time count once, an answer ends it all, and chains rest apart", () => {
  let time = 0;
  const rests = createRests(() => time);
  for (let count = 0; count < 5; count++) rests.failed(chainId);
  expect([rests.isResting(chainId), rests.isResting(97)]).toEqual([true, false]);
  time = 500;
  expect(rests.isResting(chainId)).toBe(false);
  rests.failed(chainId);
  rests.answered(chainId);
  expect(rests.isResting(chainId)).toBe(false);
  rests.failed(chainId);
  time += 500;
  expect(rests.isResting(chainId)).toBe(false);
});
