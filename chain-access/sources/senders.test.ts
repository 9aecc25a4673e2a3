import { numberToHex, pad } from "viem";
import { expect, test } from "vitest";
import {
  type Action,
  addLiquidity,
  addressOf,
  create,
  graduate,
  removeLiquidity,
  sources,
  swap,
  trade,
} from "../live/fixtures/simulated-chain.ts";
import type { Hex, Log } from "./log.ts";
import { logsNeedingSenders } from "./senders.ts";

const [token, pair, other] = [addressOf(100), addressOf(200), addressOf(201)];

/** Returns logs in the order of the chain, each action in its own transaction. */
function logsOf(...actions: Action[]): Log[] {
  const logs = actions.flatMap((events, index) =>
    events.map((event) => ({ ...event, transactionHash: pad(numberToHex(index + 1)) })),
  );
  const place = { data: "0x", blockHash: pad("0x1"), blockNumber: "0x1", transactionIndex: "0x0" } as const;
  return logs.map((log, index) => ({ ...log, ...place, logIndex: numberToHex(index) }));
}

const wanted = (logs: Log[]) => logsNeedingSenders(sources, logs).map(({ logIndex }) => Number(logIndex));
const ends = (logs: Log[]): number[] =>
  logs.flatMap(({ transactionHash }, index) =>
    logs[index + 1]?.transactionHash === transactionHash ? [] : [index],
  );

test("swaps, and liquidity added and removed, need the sender; creations, curve trades and graduations don't", () => {
  expect(wanted(logsOf(create(token), trade(token), graduate(token, pair)))).toEqual([]);
  const logs = logsOf(swap(token, pair), addLiquidity(token, pair), removeLiquidity(token, pair));
  expect(wanted(logs)).toEqual(ends(logs));
});

test("events after a graduation in its transaction need the sender, and so do other pairs' events before it", () => {
  const graduation = graduate(token, pair);
  const logs = logsOf([...addLiquidity(token, other), ...graduation, ...addLiquidity(token, pair)]);
  expect(wanted(logs)).toEqual([2, logs.length - 1]);
});

test("addresses may be in any case", () => {
  const upper = (event: Action[number]) => ({ ...event, address: event.address.toUpperCase() as Hex });
  expect(wanted(logsOf(graduate(token, pair).map(upper)))).toEqual([]);
});
