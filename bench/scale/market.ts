import { createHash } from "node:crypto";
import { encodeAbiParameters, parseAbiParameters } from "viem";
import { eventTopics } from "../../chain-access/sources/events.ts";
import type { Hex, Log } from "../../chain-access/sources/log.ts";
import { createRandom } from "../../local/market/random.ts";
import { quoteOnCurve, quoteOnPair, type Swap } from "../../src/domain/quote.ts";

/** An event of a transaction, without its place on the chain. */
export type Event = Pick<Log, "address" | "topics" | "data">;

export type MarketSize = {
  /** About how many tokens are created. */
  tokens: number;
  accounts: number;
  /** About how many events there are in all. */
  events: number;
};

type Token = {
  address: Hex;
  pair: Hex;
  isToken0: boolean;
  isGraduated: boolean;
  bnbReservesWei: bigint;
  tokenReservesRaw: bigint;
  tokensSold: bigint;
  balances: Map<number, bigint>;
  holders: number[];
};

const seed = 5_657;
const eventsPerTransaction = 2.6;
const burnPercent = 50n;
const supply = 10n ** 27n;
/** What contracts/BondingCurve.sol makes of that. */
const kept = (supply * (100n - burnPercent)) / 100n;
const [totalToSell, liquidity, virtualTokens] = [(kept * 3n) / 5n, (kept * 2n) / 5n, (kept * 9n) / 5n];
const [startBnb, endBnb] = [10n ** 17n, 15n * 10n ** 16n];
const pairFee = 2_500n;
const zero: Hex = `0x${"0".repeat(40)}`;

export const contracts = { tokenFactory: addressOf("factory"), launchpad: addressOf("launchpad") };

/**
 * Creates a market that consists of its events only: what the contracts emit, with the curve's and the pairs' arithmetic, as fast as
 * possible. A few tokens and accounts do most of the trading, as by Zipf's law.
 */
export function createMarket({ tokens: tokenCount, accounts, events }: MarketSize) {
  const random = createRandom(seed);
  const tokens: Token[] = [];
  const creationShare = (tokenCount * eventsPerTransaction) / events;
  const addresses: Hex[] = [];

  const accountAddress = (index: number): Hex => {
    addresses[index] ??= addressOf(`account ${index}`);
    return addresses[index];
  };

  /** A rank from 0 that is drawn in inverse proportion to itself. */
  const drawRank = (count: number) => Math.floor((count + 1) ** random.fraction()) - 1;

  /** One half of the activity is in the newest tokens, the other in those that are popular for good. */
  function drawToken(): Token {
    const rank = drawRank(tokens.length);
    return tokens[random.chance(0.5) ? rank : tokens.length - 1 - rank] as Token;
  }

  function drawHolder({ balances, holders }: Token): [number, bigint] | undefined {
    for (const account of [drawRank(accounts), ...Array.from({ length: 4 }, () => randomOf(holders))]) {
      const balance = balances.get(account) ?? 0n;
      if (balance > 0n) return [account, balance];
    }
    return undefined;
  }

  const randomOf = (list: number[]) => list[Math.floor(list.length * random.fraction())] ?? 0;

  function add({ balances, holders }: Token, account: number, amount: bigint): void {
    const before = balances.get(account);
    if (before === undefined) holders.push(account);
    balances.set(account, (before ?? 0n) + amount);
  }

  function create(): Event[] {
    const index = tokens.length;
    const address = addressOf(`token ${index}`);
    tokens.push({
      address,
      pair: addressOf(`pair ${index}`),
      isToken0: index % 2 === 0,
      isGraduated: false,
      bnbReservesWei: startBnb,
      tokenReservesRaw: virtualTokens,
      tokensSold: 0n,
      balances: new Map(),
      holders: [],
    });
    const { tokenFactory, launchpad } = contracts;
    const creator = accountAddress(drawRank(accounts));
    const described = encodeAbiParameters(parseAbiParameters("string, string, uint8, uint256, bytes32"), [
      `Token ${index}`,
      `T${index % 50_000}`,
      Number(burnPercent),
      supply,
      `0x${digest(`salt ${index}`)}`,
    ]);
    return [
      transfer(address, zero, launchpad, supply),
      event(tokenFactory, eventTopics.tokenCreated, [address, creator], described),
      transfer(address, launchpad, zero, supply - kept),
      event(
        launchpad,
        eventTopics.curveOpened,
        [address, creator],
        words(burnPercent, startBnb, virtualTokens, totalToSell),
      ),
    ];
  }

  function trade(token: Token, side: "buy" | "sell", account: number, amountIn: bigint): Event[] {
    const { bnbReservesWei, tokenReservesRaw, tokensSold } = token;
    const reserves = { bnbReservesWei, tokenReservesRaw };
    const swap = token.isGraduated
      ? quoteOnPair({ ...reserves, fee: pairFee, tokensOutside: kept }, side, amountIn)
      : quoteOnCurve(
          { ...reserves, tokensSold, totalToSell, graduationBnbReservesWei: endBnb },
          side,
          amountIn,
        );
    if (typeof swap === "string") return [];
    Object.assign(token, {
      bnbReservesWei: swap.bnbReservesWei,
      tokenReservesRaw: swap.tokenReservesRaw,
    });
    const moved = side === "buy" ? swap.amountOut : amountIn;
    add(token, account, side === "buy" ? moved : -moved);
    const trader = accountAddress(account);
    if (token.isGraduated) return swapEvents(token, side, trader, amountIn, swap.amountOut);
    token.tokensSold += side === "buy" ? moved : -moved;
    return curveEvents(token, side, trader, { ...swap, amountIn: amountIn - swap.refund });
  }

  function curveEvents(
    token: Token,
    side: "buy" | "sell",
    trader: Hex,
    { amountIn, amountOut, graduates, bnbReservesWei, tokenReservesRaw }: Swap & { amountIn: bigint },
  ): Event[] {
    const { address, pair, isToken0 } = token;
    const { launchpad } = contracts;
    const [bnb, amount] = side === "buy" ? [amountIn, amountOut] : [amountOut, amountIn];
    const isBuy = side === "buy" ? 1n : 0n;
    const data = words(isBuy, bnb, amount, bnbReservesWei, tokenReservesRaw);
    const traded = event(launchpad, eventTopics.trade, [address, trader], data);
    if (side === "sell") return [transfer(address, trader, launchpad, amount), traded];
    const bought = [traded, transfer(address, launchpad, trader, amount)];
    if (!graduates) return bought;
    const raised = endBnb - startBnb;
    Object.assign(token, { isGraduated: true, bnbReservesWei: raised, tokenReservesRaw: liquidity });
    const added = inOrder(isToken0, liquidity, raised);
    return [
      ...bought,
      transfer(address, launchpad, pair, liquidity),
      event(pair, eventTopics.sync, [], added),
      event(pair, eventTopics.mint, [launchpad], added),
      event(launchpad, eventTopics.graduated, [address, pair], words(raised, liquidity)),
    ];
  }

  function act(): Event[] {
    if (tokens.length === 0 || random.chance(creationShare)) return create();
    const token = drawToken();
    const kind = random.fraction();
    const holder = kind < 0.58 ? undefined : drawHolder(token);
    if (holder === undefined) {
      const wei = BigInt(Math.round(random.around(0.0012, 0.9) * 1e9)) * 10n ** 9n;
      return trade(token, "buy", drawRank(accounts), wei);
    }
    const [account, balance] = holder;
    const part = (balance * random.pick([10n, 25n, 50n, 100n])) / 100n || balance;
    if (kind < 0.95) return trade(token, "sell", account, part);
    const receiver = drawRank(accounts);
    if (receiver === account) return [];
    add(token, account, -part);
    add(token, receiver, part);
    return [transfer(token.address, accountAddress(account), accountAddress(receiver), part)];
  }

  return {
    /** Returns the events of the next transaction, of which there are at least one. */
    next(): Event[] {
      for (;;) {
        const made = act();
        if (made.length > 0) return made;
      }
    },
    /** The token with the most accounts that ever held it. */
    busiest: () =>
      tokens.reduce((busiest, token) => (token.holders.length > busiest.holders.length ? token : busiest)),
    get created() {
      return tokens.length;
    },
  };
}

function swapEvents(
  { address, pair, isToken0, bnbReservesWei, tokenReservesRaw }: Token,
  side: "buy" | "sell",
  trader: Hex,
  amountIn: bigint,
  amountOut: bigint,
): Event[] {
  const isBuy = side === "buy";
  const paid = isBuy ? inOrder(isToken0, 0n, amountIn) : inOrder(isToken0, amountIn, 0n);
  const received = isBuy ? inOrder(isToken0, amountOut, 0n) : inOrder(isToken0, 0n, amountOut);
  return [
    isBuy ? transfer(address, pair, trader, amountOut) : transfer(address, trader, pair, amountIn),
    event(pair, eventTopics.sync, [], inOrder(isToken0, tokenReservesRaw, bnbReservesWei)),
    event(pair, eventTopics.swap, [router, trader], `${paid}${received.slice(2)}`),
  ];
}

const router = addressOf("router");

const inOrder = (isToken0: boolean, tokens: bigint, bnb: bigint): Hex =>
  isToken0 ? words(tokens, bnb) : words(bnb, tokens);

const transfer = (token: Hex, from: Hex, to: Hex, amount: bigint): Event =>
  event(token, eventTopics.transfer, [from, to], words(amount));

const event = (address: Hex, topic: Hex, indexed: Hex[], data: Hex): Event => ({
  address,
  topics: [topic, ...indexed.map((value): Hex => `0x${value.slice(2).padStart(64, "0")}`)],
  data,
});

const words = (...values: bigint[]): Hex =>
  `0x${values.map((value) => value.toString(16).padStart(64, "0")).join("")}`;

function addressOf(name: string): Hex {
  return `0x${digest(name).slice(0, 40)}`;
}

/** Returns 64 hex digits. */
export function digest(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}
