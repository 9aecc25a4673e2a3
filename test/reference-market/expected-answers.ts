import { type Address, formatEther, formatUnits, parseAbi, parseEventLogs } from "viem";
import type { LaunchpadChain } from "../chain/launchpad-chain.ts";
import { expectedMarket } from "./expected-market.ts";
import { foldedSymbol } from "./expected-symbols.ts";
import { positionOf } from "./observed-trades.ts";

/*
 * The expected answers about tokens and the launchpad, computed independently from the chain's logs. This shares nothing with the
 * service, and isn't meant to be fast.
 */

const abi = parseAbi([
  "event TokenCreated(address indexed token, address indexed creator, string name, string symbol, uint8 burnPercent, uint256 totalSupply, bytes32 salt)",
  "event CurveOpened(address indexed token, address indexed creator, uint8 burnPercent, uint256 virtualBnbReserves, uint256 virtualTokenReserves, uint256 totalToSell)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Trade(address indexed token, address indexed trader, bool isBuy, uint256 bnbAmount, uint256 tokenAmount, uint256 virtualBnbReserves, uint256 virtualTokenReserves)",
  "event Graduated(address indexed token, address indexed pair, uint256 bnbLiquidity, uint256 tokenLiquidity)",
  "event Sync(uint112 reserve0, uint112 reserve1)",
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)",
]);

const windowLengths = { "5m": 300n, "1h": 3_600n, "6h": 21_600n, "24h": 86_400n };
const earlyBlocks = 3n;
const zero = `0x${"0".repeat(40)}` as const;
const burnAddresses: Address[] = [zero, "0x000000000000000000000000000000000000dead"];

type Trade = {
  at: bigint;
  block: bigint;
  trader: Address;
  isBuy: boolean;
  bnb: bigint;
  tokens: bigint;
  usd: bigint;
  /** The price after the trade, with 36 decimals. */
  price: bigint;
};

type Token = {
  creator: Address;
  symbol: string;
  /** The net wei paid into its curve; once graduated, the pair's wei. */
  liquidity: bigint;
  graduatedBy?: Address;
  createdAt: bigint;
  createdBlock: bigint;
  openedBlock: bigint;
  openingPrice: bigint;
  price: bigint;
  graduatedAt?: bigint;
  pair?: Address;
  supply: bigint;
  balances: Map<Address, bigint>;
  /** What each early buyer bought in those blocks, and whether in the first of them. */
  early: Map<Address, { bought: bigint; isFirst: boolean }>;
  /** The fewest transfers by which tokens of the creator reached each insider, and what the creator gave away. */
  insiders: Map<Address, number>;
  given: bigint;
  trades: Trade[];
};

/** Computes the answers for each mint and for the launchpad, as of the chain's last block. */
export async function expectedAnswers(chain: LaunchpadChain) {
  const { tokens, rate, rateAt } = await readTokens(chain);
  const head = await chain.publicClient.getBlock();
  const now = head.timestamp;
  const all = [...tokens.values()];
  const hasRate = rate !== undefined;
  const { launchpad } = chain.deployment;
  const locked = await chain.publicClient.getBalance({ address: launchpad, blockNumber: head.number });

  const shares = (token: Token) => {
    const held = [...token.balances].filter(([holder]) => isAccount(holder, token, chain));
    const largest = held.map(([, balance]) => balance).sort((left, right) => (left < right ? 1 : -1));
    const early = [...token.early.keys()].map((account) => token.balances.get(account) ?? 0n);
    const snipers = [...token.early].filter(([account]) => account !== token.creator);
    const groupOf = (group: typeof snipers) => ({
      held: sum(group.map(([account]) => token.balances.get(account) ?? 0n)),
      bought: sum(group.map(([, { bought }]) => bought)),
    });
    const bundlers = snipers.filter(([, { isFirst }]) => isFirst);
    const [sniped, bundled] = [groupOf(snipers), groupOf(bundlers)];
    const ofCreator = token.balances.get(token.creator);
    const parts = [ofCreator ?? 0n, sum(largest.slice(0, 10)), sum(early)];
    const insiders = sum([...token.insiders.keys()].map((account) => token.balances.get(account) ?? 0n));
    const groups = [sniped.held, sniped.bought, bundled.held, bundled.bought, insiders, token.given];
    const circulating = sum(largest);
    const [creator, top10, earlyBuyers] = parts.map((part) => percent(part, token.supply));
    const shown = [...parts, ...groups].map((part) =>
      circulating === 0n ? null : percent(part, circulating),
    );
    const squares = sum(largest.map((balance) => balance ** 2n));
    return {
      creatorPercent: shown[0],
      top10Percent: shown[1],
      earlyBuyersPercent: shown[2],
      creatorOfSupplyPercent: creator,
      top10OfSupplyPercent: top10,
      earlyBuyersOfSupplyPercent: earlyBuyers,
      earlyBuyers: token.early.size,
      snipers: snipers.length,
      snipersPercent: shown[3],
      snipersBoughtPercent: shown[4],
      bundlers: bundlers.length,
      bundlersPercent: shown[5],
      bundlersBoughtPercent: shown[6],
      insiders: token.insiders.size,
      insidersPercent: shown[7],
      insidersReceivedPercent: shown[8],
      effectiveHolders: circulating === 0n ? null : Number((circulating ** 2n * 10_000n) / squares) / 10_000,
      creatorBuysPercent: ofBuys(token, ({ trader }) => trader === token.creator),
      openingBuysPercent: ofBuys(token, ({ block }) => block === token.openedBlock),
      creatorSoldOut: ofCreator === 0n,
      creatorGraduated: token.pair === undefined ? null : token.graduatedBy === token.creator,
    };
  };

  const recordOf = (creator: Address) => {
    const own = all.filter((token) => token.creator === creator);
    return {
      tokensCreated: own.length,
      tokensGraduated: own.filter(({ graduatedAt }) => graduatedAt !== undefined).length,
      tokensSoldOut: own.filter(({ balances }) => balances.get(creator) === 0n).length,
    };
  };

  const windowsOf = (token: Token) =>
    perWindow((length) => {
      const recent = token.trades.filter(({ at }) => at > now - length);
      const before = token.trades.findLast(({ at }) => at <= now - length)?.price ?? token.openingPrice;
      const after = token.trades.at(-1)?.price ?? token.openingPrice;
      return {
        ...traded(recent, hasRate),
        traders: new Set(recent.map(({ trader }) => trader)).size,
        priceChangePercent: Number(((after - before) * 1_000_000n) / before) / 10_000,
      };
    });

  const inUsd = ({ price, supply }: Token) =>
    rate === undefined
      ? {}
      : {
          priceUsd: formatUnits((price * rate) / 10n ** 8n, 36),
          marketCapUsd: formatEther((((price * supply) / 10n ** 36n) * rate) / 10n ** 8n),
        };

  return {
    tokens: Object.fromEntries(
      [...tokens].map(([mint, token]) => [
        mint,
        {
          creator: token.creator,
          priceBnb: formatUnits(token.price, 36),
          marketCapBnb: formatEther((token.price * token.supply) / 10n ** 36n),
          ...inUsd(token),
          lastTradeAt: token.trades.length === 0 ? null : iso(token.trades.at(-1)?.at),
          ...traded(token.trades, hasRate),
          netVolumeBnb: formatEther(netVolume(token)),
          createdBlock: Number(token.createdBlock),
          windows: windowsOf(token),
          liquidityBnb: formatEther(token.liquidity),
          ...(rate === undefined ? {} : { liquidityUsd: formatEther((token.liquidity * rate) / 10n ** 8n) }),
          sameSymbolTokens:
            all.filter(({ symbol }) => foldedSymbol(symbol) === foldedSymbol(token.symbol)).length - 1,
          risk: shares(token),
          creatorRecord: recordOf(token.creator),
        },
      ]),
    ),
    stats: {
      chainId: chain.chainId,
      asOf: { block: Number(head.number), time: iso(now) },
      tokens: all.length,
      graduatedTokens: all.filter(({ graduatedAt }) => graduatedAt !== undefined).length,
      inCurvesBnb: formatEther(locked),
      ...traded(
        all.flatMap(({ trades }) => trades),
        hasRate,
      ),
      ...(rate === undefined
        ? {}
        : {
            inCurvesUsd: formatEther((locked * rate) / 10n ** 8n),
            bnbUsd: formatUnits(rate, 8),
            bnbUsdAt: iso(rateAt),
          }),
      windows: perWindow((length) => ({
        ...traded(
          all.flatMap(({ trades }) => trades).filter(({ at }) => at > now - length),
          hasRate,
        ),
        tokensCreated: all.filter(({ createdAt }) => createdAt > now - length).length,
        tokensGraduated: all.filter(({ graduatedAt = 0n }) => graduatedAt > now - length).length,
      })),
    },
    /** The last days, including today. */
    days: (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const from = (now / 86_400n - BigInt(count - 1 - index)) * 86_400n;
        const isOfDay = (at: bigint) => at >= from && at < from + 86_400n;
        return {
          day: iso(from).slice(0, 10),
          ...traded(
            all.flatMap(({ trades }) => trades).filter(({ at }) => isOfDay(at)),
            hasRate,
          ),
          tokensCreated: all.filter(({ createdAt }) => isOfDay(createdAt)).length,
          tokensGraduated: all.filter(({ graduatedAt = 0n }) => isOfDay(graduatedAt)).length,
        };
      }),
  };
}

/** Replays all logs of the chain in order. */
async function readTokens(chain: LaunchpadChain) {
  const { publicClient } = chain;
  const { market } = await expectedMarket(chain);
  const traders = new Map(market.trades.map(({ id, trader }) => [id, trader]));
  const logs = parseEventLogs({
    abi,
    logs: await publicClient.getLogs({ fromBlock: 0n, toBlock: "latest" }),
  });
  const tokens = new Map<Address, Token>();
  const reserves = new Map<Address, [bigint, bigint]>();
  const times = new Map<bigint, bigint>();
  let rate: bigint | undefined;
  let rateAt: bigint | undefined;
  const tokenAt = (address: Address): Token => {
    const known = tokens.get(lower(address));
    if (known !== undefined) return known;
    const token = {
      creator: zero,
      symbol: "",
      liquidity: 0n,
      createdAt: 0n,
      createdBlock: 0n,
      openedBlock: 0n,
      openingPrice: 0n,
      price: 0n,
      supply: 0n,
      trades: [],
      balances: new Map<Address, bigint>(),
      early: new Map(),
      insiders: new Map(),
      given: 0n,
    };
    tokens.set(lower(address), token);
    return token;
  };
  const created = new Set(
    logs.flatMap((log) => (log.eventName === "TokenCreated" ? [lower(log.args.token)] : [])),
  );

  /** Transactions with transfers that are part of a deal. Here, none of them has any other transfer. */
  const deals = new Set(
    logs.flatMap(({ eventName, transactionHash }) =>
      ["Trade", "Swap", "Graduated", "TokenCreated"].includes(eventName) ? [transactionHash] : [],
    ),
  );
  const giveOn = (token: Token, from: Address, to: Address, value: bigint) => {
    if (to === zero || to === token.creator || !isAccount(to, token, chain)) return;
    if (from === token.creator) token.given += value;
    const hops = from === token.creator ? 1 : (token.insiders.get(from) ?? 3) + 1;
    if (hops <= 3) token.insiders.set(to, Math.min(hops, token.insiders.get(to) ?? hops));
  };

  for (const log of logs) {
    const block = log.blockNumber;
    if (!times.has(block)) {
      times.set(block, (await publicClient.getBlock({ blockNumber: block })).timestamp);
    }
    const at = times.get(block) as bigint;
    const addTrade = (token: Token, trade: Omit<Trade, "at" | "block" | "usd" | "trader">) => {
      const trader = traders.get(positionOf({ block, logIndex: log.logIndex })) as Address;
      token.trades.push({
        ...trade,
        trader,
        at,
        block,
        usd: rate === undefined ? 0n : (trade.bnb * rate) / 10n ** 8n,
      });
      token.price = trade.price;
      if (trade.isBuy && block < token.openedBlock + earlyBlocks) {
        const before = token.early.get(trader) ?? { bought: 0n, isFirst: block === token.openedBlock };
        token.early.set(trader, { ...before, bought: before.bought + trade.tokens });
      }
    };
    if (log.eventName === "AnswerUpdated") {
      rate = log.args.current;
      rateAt = at;
    } else if (log.eventName === "TokenCreated") {
      const { creator, symbol } = log.args;
      Object.assign(tokenAt(log.args.token), {
        creator: lower(creator),
        symbol,
        createdAt: at,
        createdBlock: block,
      });
    } else if (log.eventName === "CurveOpened") {
      const { virtualBnbReserves, virtualTokenReserves } = log.args;
      const price = (virtualBnbReserves * 10n ** 36n) / virtualTokenReserves;
      Object.assign(tokenAt(log.args.token), { openedBlock: block, openingPrice: price, price });
    } else if (log.eventName === "Transfer" && created.has(lower(log.address)) && log.args.value > 0n) {
      const [from, to] = [lower(log.args.from), lower(log.args.to)];
      moveBalance(tokenAt(log.address), from, to, log.args.value);
      if (!deals.has(log.transactionHash)) giveOn(tokenAt(log.address), from, to, log.args.value);
    } else if (log.eventName === "Trade") {
      const { token, isBuy, bnbAmount, tokenAmount, virtualBnbReserves, virtualTokenReserves } = log.args;
      const price = (virtualBnbReserves * 10n ** 36n) / virtualTokenReserves;
      addTrade(tokenAt(token), { isBuy, bnb: bnbAmount, tokens: tokenAmount, price });
      tokenAt(token).liquidity += isBuy ? bnbAmount : -bnbAmount;
    } else if (log.eventName === "Graduated") {
      const token = tokenAt(log.args.token);
      const { bnbLiquidity: liquidity, pair } = log.args;
      const graduatedBy = token.trades.at(-1)?.trader;
      Object.assign(token, { graduatedAt: at, pair: lower(pair), liquidity, graduatedBy });
    } else if (log.eventName === "Sync") {
      const [reserve0, reserve1] = [log.args.reserve0, log.args.reserve1];
      reserves.set(lower(log.address), [reserve0, reserve1]);
      const found = [...tokens].find(([, { pair }]) => pair === lower(log.address));
      if (found !== undefined) {
        found[1].liquidity = found[0] < lower(chain.deployment.wbnb) ? reserve1 : reserve0;
      }
    } else if (log.eventName === "Swap") {
      const found = [...tokens].find(([, { pair }]) => pair === lower(log.address));
      if (found === undefined) continue;
      const [address, token] = found;
      const isToken0 = address < lower(chain.deployment.wbnb);
      const [reserve0, reserve1] = reserves.get(lower(log.address)) as [bigint, bigint];
      const { amount0In, amount0Out, amount1In, amount1Out } = log.args;
      const [bnbIn, bnbOut, tokensIn, tokensOut] = isToken0
        ? [amount1In, amount1Out, amount0In, amount0Out]
        : [amount0In, amount0Out, amount1In, amount1Out];
      addTrade(token, {
        isBuy: bnbIn > 0n,
        bnb: bnbIn > 0n ? bnbIn : bnbOut,
        tokens: bnbIn > 0n ? tokensOut : tokensIn,
        price: isToken0 ? (reserve1 * 10n ** 36n) / reserve0 : (reserve0 * 10n ** 36n) / reserve1,
      });
    }
  }
  return { tokens, rate, rateAt };
}

function moveBalance(token: Token, from: Address, to: Address, value: bigint): void {
  const { balances } = token;
  if (from === zero) token.supply += value;
  else balances.set(from, (balances.get(from) ?? 0n) - value);
  if (to === zero) token.supply -= value;
  else balances.set(to, (balances.get(to) ?? 0n) + value);
}

function isAccount(holder: Address, token: Token, { deployment }: LaunchpadChain): boolean {
  return ![lower(deployment.launchpad), token.pair, ...burnAddresses].includes(holder);
}

function traded(trades: Trade[], hasRate: boolean) {
  const buys = trades.filter(({ isBuy }) => isBuy).length;
  return {
    volumeBnb: formatEther(sum(trades.map(({ bnb }) => bnb))),
    ...(hasRate ? { volumeUsd: formatEther(sum(trades.map(({ usd }) => usd))) } : {}),
    trades: trades.length,
    buys,
    sells: trades.length - buys,
  };
}

/** Returns the percentage of the BNB that all buys have paid which some of them paid. */
function ofBuys({ trades }: Token, isOne: (trade: Trade) => boolean): number | null {
  const buys = trades.filter(({ isBuy }) => isBuy);
  const paid = (some: Trade[]) => sum(some.map(({ bnb }) => bnb));
  return buys.length === 0 ? null : percent(paid(buys.filter(isOne)), paid(buys));
}

/** Returns what each account paid less what it received, or the other way round, added up. */
function netVolume({ trades }: Token): bigint {
  const paid = new Map<Address, bigint>();
  for (const { trader, isBuy, bnb } of trades) {
    paid.set(trader, (paid.get(trader) ?? 0n) + (isBuy ? bnb : -bnb));
  }
  return sum([...paid.values()].map((net) => (net < 0n ? -net : net)));
}

function perWindow<Value>(value: (length: bigint) => Value) {
  return Object.fromEntries(Object.entries(windowLengths).map(([name, length]) => [name, value(length)]));
}

function percent(part: bigint, whole: bigint): number {
  return Number((part * 1_000_000n) / whole) / 10_000;
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function iso(seconds = 0n): string {
  return new Date(Number(seconds) * 1_000).toISOString();
}

function lower(address: string): Address {
  return address.toLowerCase() as Address;
}
