import { createWindowSizes } from "../../chain-access/history/fill.ts";
import { createReadingPlan } from "../../chain-access/history/read-children.ts";
import { type Hex, type Range, rangeSize } from "../../chain-access/sources/log.ts";
import type { Child } from "../../chain-access/sources/sources.ts";
import type { Market } from "./market.ts";

/** What an endpoint takes in one request, and returns. */
export type Limits = { addresses: number; blocks: number; logs: number };

/** Requests for logs of the contracts in the settings, and of tokens and pairs. */
export type Requests = { static: number; children: number };

/** Windows that are read before what the first of them has found is known. */
const concurrentWindows = 6;

const total = ({ static: statics, children }: Requests) => statics + children;

/** How many requests an answer with so many logs takes: one that is refused, and its halves. */
const split = (logs: number, limits: Limits): number =>
  logs <= limits.logs ? 1 : 1 + 2 * split(logs / 2, limits);

type Asked = { parts: number; counts: number[] };

/** Counts the requests by which history reads a market, with its own plan and its own sizes of windows. */
export function emulateHistory(market: Market, limits: Limits): Requests & { windows: number } {
  const { created, blocks } = market;
  const addresses = created.map((_, child): Hex => `0x${child.toString(16)}`);
  const inOrder = [...created.keys()].sort((a, b) => (created[a] as number) - (created[b] as number));
  const discovered: Child[] = [];
  const since = (address: Hex) => created[Number(address)] as number;
  const plan = createReadingPlan({ discovered, since });
  const sizes = createWindowSizes("first");
  const asked: Asked[] = [];
  /** By child: what it was last asked for in, and its request there. */
  const readings: { asked: Asked; request: number }[] = [];
  const unlearned: [child: number, block: number][][] = [];
  const sum = { static: 0, windows: 0 };
  let known = 0;
  for (let from = 0; from < blocks; sum.windows++) {
    const window = sizes.next({ from, to: blocks - 1 });
    from = window.to + 1;
    for (; known < inOrder.length && (created[inOrder[known] as number] as number) <= window.to; known++) {
      const child = inOrder[known] as number;
      discovered.push({ type: "token", address: addresses[child] as Hex, block: created[child] as number });
    }
    const found: [number, number][] = [];
    const events = { static: 0, children: 0 };
    market.each(window.from, window.to, (action) => {
      events.static += action.static;
      for (const { child } of action.emitted) {
        found.push([child, action.block]);
        // The launchpad's own events name the token.
        if (action.static > 0) plan.note(addresses[child] as Hex, action.block);
      }
    });
    sum.static += Math.max(partsOf(window, limits), split(events.static, limits));
    const furthest = Math.min(blocks - 1, window.from + limits.blocks - 1);
    const planned = plan.next(window, furthest);
    for (const { addresses: some, range } of planned) {
      const requests = Math.ceil(some.length / limits.addresses);
      const one = { parts: partsOf(range, limits), counts: Array.from({ length: requests }, () => 0) };
      asked.push(one);
      for (const [place, address] of some.entries())
        readings[Number(address)] = { asked: one, request: Math.floor(place / limits.addresses) };
    }
    market.each(window.from, window.to, ({ emitted }) => {
      for (const { child, logs } of emitted) {
        const reading = readings[child];
        if (reading === undefined) throw new Error(`${child} was not asked for`);
        reading.asked.counts[reading.request] = (reading.asked.counts[reading.request] as number) + logs;
        events.children += logs;
      }
    });
    const own = planned.filter(({ range }) => range.to === window.to);
    const alone = own.reduce((count, reading) => count + reading.addresses.length, 0);
    sizes.learn(window, events.static + events.children, alone, limits.blocks);
    unlearned.push(found);
    const learned = unlearned.length > concurrentWindows ? (unlearned.shift() ?? []) : [];
    for (const [child, block] of learned) plan.note(addresses[child] as Hex, block);
  }
  const children = asked
    .flatMap(({ parts, counts }) => counts.map((logs) => Math.max(parts, split(logs, limits))))
    .reduce((count, requests) => count + requests, 0);
  return { static: sum.static, windows: sum.windows, children };
}

const partsOf = (range: Range, { blocks }: Limits) => Math.ceil(rangeSize(range) / blocks);

/**
 * Counts the requests of an oracle that knows which token is active when, and asks only for these: each request goes on until it has
 * as many addresses, blocks or logs as one may have.
 */
export function emulateOracle(market: Market, limits: Limits): Requests {
  const requests = { static: 0, children: 0 };
  const statics = { logs: Number.POSITIVE_INFINITY, from: 0 };
  const open = { logs: Number.POSITIVE_INFINITY, from: 0 };
  let active = new Set<number>();
  market.each(0, market.blocks - 1, (action) => {
    if (action.static > 0) {
      if (statics.logs + action.static > limits.logs || action.block - statics.from >= limits.blocks) {
        requests.static++;
        Object.assign(statics, { logs: 0, from: action.block });
      }
      statics.logs += action.static;
    }
    const logs = action.emitted.reduce((sum, one) => sum + one.logs, 0);
    const added = action.emitted.filter(({ child }) => !active.has(child)).length;
    const isFull = open.logs + logs > limits.logs || active.size + added > limits.addresses;
    if (isFull || action.block - open.from >= limits.blocks) {
      requests.children++;
      active = new Set();
      Object.assign(open, { logs: 0, from: action.block });
    }
    open.logs += logs;
    for (const { child } of action.emitted) active.add(child);
  });
  return requests;
}

/** How many times the requests of the oracle history needs. */
export const ratioOf = (history: Requests, oracle: Requests) => total(history) / total(oracle);

/**
 * The fewest requests that ask for each token and pair in each block since its creation, by addresses: their number times the blocks,
 * divided by what one request covers.
 */
export function fewestRequests({ created, blocks }: Market, limits: Limits): number {
  const area = created.reduce((sum, block) => sum + (blocks - block), 0);
  return area / (limits.addresses * limits.blocks);
}
