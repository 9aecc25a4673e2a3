import { hash } from "node:crypto";
import { encodeAbiParameters, parseAbiParameters } from "viem";
import { zeroAddress } from "../../chain-access/hex.ts";
import { eventTopics } from "../../chain-access/sources/events.ts";
import type { Hex, Log } from "../../chain-access/sources/log.ts";
import { createRandom } from "../../local/market/random.ts";
import { quoteOnCurve, quoteOnPair, type Side, type Swap } from "../../src/domain/quote.ts";

/** An event of a transaction, without its place on the chain. */
export type Event = Pick<Log, "address" | "topics" | "data">;

export type MarketSize = {
  /** About how many tokens are created in so many transactions. */
  tokens: number;
  transactions: number;
  accounts: number;
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
const burnPercent = 50n;
const supply = 10n ** 27n;
/** What contracts/BondingCurve.sol makes of that. */
const kept = (supply * (100n - burnPercent)) / 100n;
const [totalToSell, liquidity, virtualTokens] = [(kept * 3n) / 5n, (kept * 2n) / 5n, (kept * 9n) / 5n];
const [startBnb, endBnb] = [10n ** 17n, 15n * 10n ** 16n];
const pairFee = 2_500n;
/** What the first liquidity of a Uniswap V2 pair locks for good, and who gets the rest. */
const lockedShares = 1_000n;
const dead: Hex = `0x${"dead".padStart(40, "0")}`;
const bnb = (amount: number) => BigInt(Math.round(amount * 1e9)) * 10n ** 9n;
/** So small that no token graduates. */
const smallBuy = bnb(0.000001);

const [tokenFactory, launchpad, router] = ["factory", "launchpad", "router"].map(addressOf) as [
  Hex,
  Hex,
  Hex,
];

/** The contracts of every simulated market. */
export const contracts = { tokenFactory, launchpad };

/**
 * Creates a market that consists of its events only: what the contracts emit, with the curve's and the pairs' arithmetic, as fast as
 * possible, and the same each time. A few tokens and accounts do most of the trading, as by Zipf's law.
 */
export function createMarket({ tokens: tokenCount, transactions, accounts }: MarketSize) {
  const random = createRandom(seed);
  const tokens: Token[] = [];
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
    const some = Array.from(
      { length: 4 },
      () => holders[Math.floor(holders.length * random.fraction())] ?? 0,
    );
    const account = [drawRank(accounts), ...some].find((one) => (balances.get(one) ?? 0n) > 0n);
    return account === undefined ? undefined : [account, balances.get(account) ?? 0n];
  }

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
    const creator = accountAddress(drawRank(accounts));
    const described = encodeAbiParameters(parseAbiParameters("string, string, uint8, uint256, bytes32"), [
      `Token ${index}`,
      `T${index % 50_000}`,
      Number(burnPercent),
      supply,
      `0x${digest(`salt ${index}`)}`,
    ]);
    const opened = words(burnPercent, startBnb, virtualTokens, totalToSell);
    return [
      transfer(address, zeroAddress, launchpad, supply),
      event(tokenFactory, eventTopics.tokenCreated, [address, creator], described),
      transfer(address, launchpad, zeroAddress, supply - kept),
      event(launchpad, eventTopics.curveOpened, [address, creator], opened),
    ];
  }

  /** Returns no events if the trade is impossible. */
  function trade(token: Token, side: Side, account: number, offered: bigint): Event[] {
    const { isGraduated, bnbReservesWei, tokenReservesRaw, tokensSold } = token;
    const reserves = { bnbReservesWei, tokenReservesRaw };
    const curve = { ...reserves, tokensSold, totalToSell, graduationBnbReservesWei: endBnb };
    const swap = isGraduated
      ? quoteOnPair({ ...reserves, fee: pairFee, tokensOutside: kept }, side, offered)
      : quoteOnCurve(curve, side, offered);
    if (typeof swap === "string") return [];
    token.bnbReservesWei = swap.bnbReservesWei;
    token.tokenReservesRaw = swap.tokenReservesRaw;
    const amountIn = offered - swap.refund;
    const bought = side === "buy" ? swap.amountOut : -amountIn;
    add(token, account, bought);
    if (!isGraduated) token.tokensSold += bought;
    return (isGraduated ? pairEvents : curveEvents)(token, side, accountAddress(account), amountIn, swap);
  }

  const buy = (token: Token, wei: bigint) => trade(token, "buy", drawRank(accounts), wei);

  function act(): Event[] {
    if (tokens.length === 0 || random.chance(tokenCount / transactions)) return create();
    const token = drawToken();
    const kind = random.fraction();
    const holder = kind < 0.58 ? undefined : drawHolder(token);
    if (holder === undefined) return buy(token, bnb(random.around(0.0012, 0.9)));
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
    tokens: tokens as readonly Readonly<Token>[],
    /** Returns the events of the next transaction, of which there is at least one. */
    next(): Event[] {
      for (;;) {
        const events = act();
        if (events.length > 0) return events;
      }
    },
    create,
    /** Buys so little of any token that none graduates. */
    buySome: (): Event[] => buy(random.pick(tokens), smallBuy),
  };
}

function curveEvents(token: Token, side: Side, trader: Hex, amountIn: bigint, swap: Swap): Event[] {
  const { address, pair, isToken0 } = token;
  const { amountOut, bnbReservesWei, tokenReservesRaw } = swap;
  const [isBuy, wei, amount] = side === "buy" ? [1n, amountIn, amountOut] : [0n, amountOut, amountIn];
  const data = words(isBuy, wei, amount, bnbReservesWei, tokenReservesRaw);
  const traded = event(launchpad, eventTopics.trade, [address, trader], data);
  if (side === "sell") return [transfer(address, trader, launchpad, amount), traded];
  const bought = [traded, transfer(address, launchpad, trader, amount)];
  if (!swap.graduates) return bought;
  const raised = endBnb - startBnb;
  Object.assign(token, { isGraduated: true, bnbReservesWei: raised, tokenReservesRaw: liquidity });
  const added = inOrder(isToken0, liquidity, raised);
  return [
    ...bought,
    transfer(address, launchpad, pair, liquidity),
    transfer(pair, zeroAddress, zeroAddress, lockedShares),
    transfer(pair, zeroAddress, dead, squareRoot(raised * liquidity) - lockedShares),
    event(pair, eventTopics.sync, [], added),
    event(pair, eventTopics.mint, [launchpad], added),
    event(launchpad, eventTopics.graduated, [address, pair], words(raised, liquidity)),
  ];
}

function pairEvents(token: Token, side: Side, trader: Hex, amountIn: bigint, { amountOut }: Swap): Event[] {
  const { address, pair, isToken0, bnbReservesWei, tokenReservesRaw } = token;
  const isBuy = side === "buy";
  const paid = isBuy ? inOrder(isToken0, 0n, amountIn) : inOrder(isToken0, amountIn, 0n);
  const received = isBuy ? inOrder(isToken0, amountOut, 0n) : inOrder(isToken0, 0n, amountOut);
  return [
    isBuy ? transfer(address, pair, trader, amountOut) : transfer(address, trader, pair, amountIn),
    event(pair, eventTopics.sync, [], inOrder(isToken0, tokenReservesRaw, bnbReservesWei)),
    event(pair, eventTopics.swap, [router, trader], `${paid}${received.slice(2)}`),
  ];
}

const squareRoot = (value: bigint) => BigInt(Math.floor(Math.sqrt(Number(value))));

const inOrder = (isToken0: boolean, tokens: bigint, wei: bigint): Hex =>
  isToken0 ? words(tokens, wei) : words(wei, tokens);

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
  return hash("sha256", name);
}
