import { expect, test } from "vitest";
import { computeLag, type KnownHead } from "./index-watch.ts";

const now = 1_000_000;
const known = (changes: Partial<KnownHead> = {}): KnownHead => ({
  head: { block: 100, timestamp: 5_000, seenAt: now - 2_000 },
  missingSince: undefined,
  answeredAt: now,
  endpointsAnswer: true,
  ...changes,
});

test("an index at or beyond the known head has no lag, however old the head is", () => {
  const old = known({ head: { block: 100, timestamp: 5_000, seenAt: 0 }, missingSince: 4_000 });
  expect(computeLag(100, old, now)).toEqual({ blocks: 0, seconds: 0 });
  expect(computeLag(101, old, now)).toEqual({ blocks: 0, seconds: 0 });
});

test("seconds count from the first missing block, in the chain's time, plus the time since the head was seen", () => {
  expect(computeLag(90, known({ missingSince: 4_990 }), now)).toEqual({ blocks: 10, seconds: 12 });
  // The first block after an hour without any.
  expect(computeLag(99, known({ missingSince: 5_000 }), now)).toEqual({ blocks: 1, seconds: 2 });
});

test("while no endpoint answers, seconds count from the last answer", () => {
  const silent = { endpointsAnswer: false, answeredAt: now - 70_000 };
  expect(computeLag(100, known(silent), now)).toEqual({ blocks: 0, seconds: 70 });
  expect(computeLag(100, known({ ...silent, head: undefined }), now)).toEqual({ blocks: 0, seconds: 70 });
  expect(computeLag(90, known({ ...silent, missingSince: 4_990 }), now)).toEqual({ blocks: 10, seconds: 70 });
});

test("a reorg below an old head causes no lag in seconds until the endpoints are asked again", () => {
  const old = known({ head: { block: 100, timestamp: 5_000, seenAt: 0 } });
  expect(computeLag(98, old, now)).toEqual({ blocks: 2, seconds: 0 });
});
