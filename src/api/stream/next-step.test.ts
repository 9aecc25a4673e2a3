import { expect, test } from "vitest";
import { startOfBlock } from "../../curve/event-id.ts";
import { nextStep, patienceMs } from "./next-step.ts";
import type { StreamIndexRow } from "./stream-index-row.ts";

const checkpoint = (block: number) =>
  `1750000000${"56".padStart(16, "0")}${String(block).padStart(16, "0")}${"0".repeat(33)}`;

const state = {
  begun: 1,
  stamp: "before",
  build: "build",
  trigger: "trigger",
  latest_block: 100,
  compared: startOfBlock(101),
  settled: startOfBlock(60),
  settled_at: 1_750_000_000,
};

/** The index one block after the last look, if nothing else is said. */
function row(changes: Partial<StreamIndexRow> & { block?: number } = {}): StreamIndexRow {
  const { block = 101, ...rest } = changes;
  return {
    chain_id: 56,
    latest: checkpoint(block),
    safe: checkpoint(70),
    is_ready: true,
    is_paused: false,
    is_reorganizing: false,
    build: "build",
    trigger: "trigger",
    stamp: "now",
    state,
    ...rest,
  };
}

const whole = { kind: "compare", since: state.settled, isWhole: true };

test("a journal that is paused is not written", () => {
  expect(nextStep(row({ is_paused: true }), 0)).toEqual({ kind: "wait" });
  expect(nextStep(row({ is_paused: true, state: null }), 2 * patienceMs)).toEqual({ kind: "wait" });
});

test("the journal begins when the backfill is done", () => {
  expect(nextStep(row({ state: null, is_ready: false }), 0)).toEqual({ kind: "wait" });
  expect(nextStep(row({ state: null, is_reorganizing: true }), 0)).toEqual({ kind: "begin" });
});

test("a block more is looked at alone; without one there is nothing to do", () => {
  expect(nextStep(row(), 0)).toEqual({ kind: "compare", since: state.compared, isWhole: false });
  expect(nextStep(row({ stamp: state.stamp }), 0)).toEqual({ kind: "rest" });
});

test("a reorg is waited out until the chain has its next block, which may be a lower one", () => {
  const reorg = { trigger: "another" };
  expect(nextStep(row({ ...reorg, is_reorganizing: true }), 10 * patienceMs)).toEqual({ kind: "wait" });
  expect(nextStep(row({ ...reorg, block: 97 }), 0)).toEqual(whole);
});

test("an indexer that has started again is waited for until it is where the last one was", () => {
  const restart = { build: "another", trigger: "another" };
  expect(nextStep(row({ ...restart, is_ready: false, build: null }), 10 * patienceMs)).toEqual({
    kind: "wait",
  });
  expect(nextStep(row({ ...restart, block: 99 }), patienceMs - 1)).toEqual({ kind: "wait" });
  expect(nextStep(row({ ...restart, block: 100, is_reorganizing: true }), 0)).toEqual({ kind: "wait" });
  expect(nextStep(row({ ...restart, block: 100 }), 0)).toEqual(whole);
});

test("one that stands still below that has a shorter chain, and below what was final another one", () => {
  const restart = { build: "another", trigger: "another" };
  expect(nextStep(row({ ...restart, block: 99 }), patienceMs)).toEqual(whole);
  expect(nextStep(row({ ...restart, block: 59 }), patienceMs)).toEqual({ kind: "begin" });
});
