import { parseUnits } from "viem";
import { eventBlock } from "../../domain/ids.ts";
import { type CrossesRule, isPercent } from "./alert-rule.schema.ts";

/*
 * Conditions: when a value that crosses a limit is an alert. Pure, and reversible: an event that a reorg removes takes back what it
 * did, so that in the end the state is what the events that are left lead to.
 */

/** Values and limits are integers with this many decimals. */
export const valueDecimals = 36;

export type Condition = {
  /** 1: met at `limit` or more. -1: at `limit` or less. */
  direction: 1 | -1;
  limit: bigint;
  /** Where the value has to be, or beyond, before it can be met again. */
  rearm: bigint;
  isOnce: boolean;
};

export type ConditionState = {
  /** Whether it will be met when the value is beyond the limit. */
  isArmed: boolean;
  /** What to restore if an event is removed, the oldest first. */
  undo: Undo[];
};

type Undo = {
  /** The event, by block and log index. */
  position: string;
  isArmed: boolean;
  /** The message that said that the condition was met, if it was by this event. */
  met: string | null;
};

/** A reorg removes far fewer blocks than this: final ones are only replaced by indexing anew. */
const maxReorgBlocks = 1_000;
const maxUndo = 200;

export function toCondition({ metric, above, below, hysteresisPercent, repeat }: CrossesRule): Condition {
  const direction = above === undefined ? -1 : 1;
  const limit = parseUnits(above ?? below ?? "0", valueDecimals);
  const hysteresis = (limit * BigInt(Math.round(hysteresisPercent * 10_000))) / 1_000_000n;
  const rearm = limit - BigInt(direction) * hysteresis;
  // No share comes back to more than all: then half of the way there is enough.
  const isOutOfReach = isPercent(metric) && rearm > whole;
  return { direction, limit, rearm: isOutOfReach ? (limit + whole) / 2n : rearm, isOnce: repeat === "once" };
}

const whole = parseUnits("100", valueDecimals);

/** Whether the value is at the limit or beyond. */
const isMet = ({ direction, limit }: Condition, value: bigint) =>
  direction === 1 ? value >= limit : value <= limit;

/** Whether the value is so far from the limit again that crossing it is news. At the limit itself it never is. */
const isBack = (condition: Condition, value: bigint) =>
  !isMet(condition, value) &&
  (condition.direction === 1 ? value <= condition.rearm : value >= condition.rearm);

/** The state of a new condition, which a value that is beyond the limit already does not meet. */
export function beginCondition(condition: Condition, value: bigint): ConditionState {
  return { isArmed: !isMet(condition, value), undo: [] };
}

type Sample = {
  /** The event after which the value is measured, by block and log index. */
  position: string;
  value: bigint;
  /** The value right before the event, if it may have changed since the last one, as a window's does. */
  before?: bigint | undefined;
  /** The id of the message, should the condition be met. */
  message: string;
};

/** Returns the state after an event, and whether it met the condition. */
export function applyValue(
  condition: Condition,
  state: ConditionState,
  { position, value, before, message }: Sample,
): { state: ConditionState; hasMet: boolean } {
  const isSpent = condition.isOnce && state.undo.some(({ met }) => met !== null);
  if (isSpent) return { state, hasMet: false };
  const wasArmed = state.isArmed || (before !== undefined && isBack(condition, before));
  const hasMet = wasArmed && isMet(condition, value);
  const isArmed = !hasMet && (wasArmed || isBack(condition, value));
  if (isArmed === state.isArmed && !hasMet) return { state, hasMet };
  const entry = { position, isArmed: state.isArmed, met: hasMet ? message : null };
  const block = eventBlock(position);
  const undo = [...state.undo, entry].filter(
    (kept) => (condition.isOnce && kept.met !== null) || eventBlock(kept.position) > block - maxReorgBlocks,
  );
  return { state: { isArmed, undo: undo.slice(-maxUndo) }, hasMet };
}

/** Returns the state without an event that a reorg removed, and the message that is no longer true, if the event caused one. */
export function removeEvent(
  state: ConditionState,
  position: string,
): { state: ConditionState; retracted: string | null } {
  const last = state.undo.at(-1);
  if (last === undefined || last.position !== position) return { state, retracted: null };
  return { state: { isArmed: last.isArmed, undo: state.undo.slice(0, -1) }, retracted: last.met };
}
