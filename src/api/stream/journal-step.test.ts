import { expect, test } from "vitest";
import { startOfBlock } from "../../domain/ids.ts";
import { nextStep, reorgTimeoutMs, restartTimeoutMs } from "./journal.ts";
import type { StreamIndexRow } from "./stream-changes.query.ts";

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

/** By default, the index one block after the journal. */
function row(changes: Partial<StreamIndexRow> & { block?: number } = {}): StreamIndexRow {
  const { block = 101, ...rest } = changes;
  return {
    chain_id: 56,
    latest: checkpoint(block),
    safe: checkpoint(70),
    is_ready: true,
    is_paused: false,
    is_reorganizing: false,
    start: "build",
    revert: "trigger",
    stamp: "now",
    state,
    ...rest,
  };
}

const whole = { kind: "compare", since: state.settled, withRemoved: true };

test("a paused journal is not written", () => {
  expect(nextStep(row({ is_paused: true }), 0)).toEqual({ kind: "wait" });
  expect(nextStep(row({ is_paused: true, state: null }), 2 * restartTimeoutMs)).toEqual({ kind: "wait" });
});

test("the journal begins when the backfill is done", () => {
  expect(nextStep(row({ state: null, is_ready: false }), 0)).toEqual({ kind: "wait" });
  expect(nextStep(row({ state: null, is_reorganizing: true }), 0)).toEqual({ kind: "begin" });
});

test("only a new block is compared; without one there is nothing to do", () => {
  expect(nextStep(row(), 0)).toEqual({ kind: "compare", since: state.compared, withRemoved: false });
  expect(nextStep(row({ stamp: state.stamp }), 0)).toEqual({ kind: "rest" });
});

test("after a reorg, it waits until the chain is back at the previous block, unless the new branch is shorter", () => {
  const reorg = { revert: "another" };
  expect(nextStep(row({ ...reorg, is_reorganizing: true }), 10 * restartTimeoutMs)).toEqual({ kind: "wait" });
  expect(nextStep(row({ ...reorg, block: 97 }), reorgTimeoutMs - 1)).toEqual({ kind: "wait" });
  expect(nextStep(row({ ...reorg, block: 97 }), reorgTimeoutMs)).toEqual(whole);
  expect(nextStep(row({ ...reorg, block: 100 }), 0)).toEqual(whole);
});

test("it waits for a restarted indexer until it is back at the previous one's block", () => {
  const restart = { start: "another", revert: "another" };
  expect(nextStep(row({ ...restart, is_ready: false, start: null }), 10 * restartTimeoutMs)).toEqual({
    kind: "wait",
  });
  expect(nextStep(row({ ...restart, block: 99 }), restartTimeoutMs - 1)).toEqual({ kind: "wait" });
  expect(nextStep(row({ ...restart, block: 100, is_reorganizing: true }), 0)).toEqual({ kind: "wait" });
  expect(nextStep(row({ ...restart, block: 100 }), 0)).toEqual(whole);
});

test("after an upgrade or a repair, removed events are looked for even if the new schema has never had a reorg", () => {
  const adopted = { ...state, stamp: null, build: "", trigger: "" };
  expect(nextStep(row({ state: adopted, revert: "" }), 0)).toEqual(whole);
});

test("an indexer that stops below that block has a shorter chain, or below the final block another one", () => {
  const restart = { start: "another", revert: "another" };
  expect(nextStep(row({ ...restart, block: 99 }), restartTimeoutMs)).toEqual(whole);
  expect(nextStep(row({ ...restart, block: 59 }), restartTimeoutMs)).toEqual({ kind: "begin" });
});
