import type { PonderGraphql } from "../../ponder/ponder-graphql.ts";
import { graphqlLimits } from "../limits.ts";

const { groupedRows, groupedDays } = graphqlLimits;

const days = `"""
  The first day in UTC, such as \`2026-01-01\`: by default 29 days before \`to\`, and at most ${groupedDays - 1}.
  """
  from: String
  """The last day, which counts too. By default the day of the last indexed block."""
  to: String`;

const tradeSums = `
  """Number of trades."""
  trades: Int!
  """Number of buys."""
  buys: Int!
  """Number of sells."""
  sells: Int!
  """Number of sells that realised a gain in BNB."""
  profitableSells: Int!
  """Number of accounts that traded."""
  traders: Int!
  """Number of tokens that were traded."""
  tokens: Int!
  """Wei traded, buys and sells."""
  volumeWei: BigInt!
  """USD traded with 18 decimals, each trade at its own rate; null if a trade had no rate."""
  volumeUsdX18: BigInt
  """Wei that the sells realised, by the average cost of each account; below 0 is a loss."""
  realisedWei: BigInt!
  """USD that the sells realised with 18 decimals, below 0 is a loss; null if one has no result in USD."""
  realisedUsdX18: BigInt`;

/** What we add to Ponder's schema: sums by group. */
const types = `
"""A block of the chain that is queried."""
input blockHeight {
  """The block's number."""
  number: Int!
}

extend type Query {
  """
  Trades counted and summed by group: by day, or by any of the keys. A group without trades has no row. Days of all tokens, or of
  one, may have any number of trades if only \`day\`, \`trades\`, \`buys\`, \`sells\`, \`volumeWei\` and \`volumeUsdX18\` are selected.
  Everything else reads all trades of the days (of the trader or the token, if \`where\` names one), at most ${groupedRows.toLocaleString("en")}.
  """
  tradeGroups(
    """Conditions on trades, all of which must hold. \`chainId\` is one of them."""
    where: tradeFilter!
    """What the trades of a group have in common."""
    by: [tradeGroupKey!]! = [day]
    ${days}
    """The maximum number of groups on the page: 50 by default, at most 1,000."""
    limit: Int
    """The number of groups to skip."""
    offset: Int
  ): tradeGroupPage!
  """
  A token's candles of whole days in UTC, the newest first. A day without trades has no candle.
  """
  candlesByDay(
    """56 (mainnet) or 97 (testnet)."""
    chainId: Int!
    """The token."""
    token: String!
    ${days}
  ): [dayCandle!]!
  """
  Positions counted and summed: those of a token, of an account, or of others that match. Reads all of them, at most ${groupedRows.toLocaleString("en")}.
  """
  positionTotals(
    """Conditions on positions, all of which must hold. \`chainId\` is one of them."""
    where: positionFilter!
  ): positionTotals!
}

"""What trades can be grouped by."""
enum tradeGroupKey {
  """The day in UTC."""
  day
  """The token that was traded."""
  token
  """The account that traded."""
  trader
  """On the curve or on the DEX."""
  venue
  """Buys or sells."""
  side
}

"""A page of groups of trades, and the sums of all groups together."""
type tradeGroupPage {
  """The groups: if they are of days, the newest first; those of one day, and all others, by volume, the largest first."""
  items: [tradeGroup!]!
  """The sums over all groups, whether they are on the page or not."""
  total: tradeSums!
  """Whether there are groups before and after the page."""
  pageInfo: ViewPageInfo!
}

"""The sums of a group of trades."""
type tradeGroup {
  """The day in UTC, such as \`2026-01-01\`; null unless the groups are by day."""
  day: String
  """The token; null unless the groups are by token."""
  token: String
  """The account; null unless the groups are by trader."""
  trader: String
  """Where the trades took place; null unless the groups are by venue."""
  venue: tradeVenue
  """Buys or sells; null unless the groups are by side."""
  side: tradeSide${tradeSums}
}

"""Sums of trades."""
type tradeSums {${tradeSums}
}

"""What was traded of a token on a day in UTC."""
type dayCandle {
  """The day, such as \`2026-01-01\`."""
  day: String!
  """BNB per token with 36 decimals: the price before the first trade of the day."""
  openBnbX36: BigInt!
  """BNB per token with 36 decimals: the highest price, the opening one included."""
  highBnbX36: BigInt!
  """BNB per token with 36 decimals: the lowest price, the opening one included."""
  lowBnbX36: BigInt!
  """BNB per token with 36 decimals: the price after the last trade."""
  closeBnbX36: BigInt!
  """Wei traded, buys and sells."""
  volumeWei: BigInt!
  """Base units traded, buys and sells."""
  volumeRaw: BigInt!
  """Number of trades."""
  trades: Int!
  """USD per token with 36 decimals; null where no trade of the day had a rate."""
  openUsdX36: BigInt
  """USD per token with 36 decimals, each price at the rate of its trade; null as openUsdX36."""
  highUsdX36: BigInt
  """USD per token with 36 decimals, each price at the rate of its trade; null as openUsdX36."""
  lowUsdX36: BigInt
  """USD per token with 36 decimals at the rate of the last trade that had one; null as openUsdX36."""
  closeUsdX36: BigInt
  """USD traded with 18 decimals, each trade at its own rate; null as openUsdX36."""
  volumeUsdX18: BigInt
}

"""Sums of positions."""
type positionTotals {
  """Number of positions."""
  positions: Int!
  """Number of accounts that have them."""
  accounts: Int!
  """Number of tokens that they are in."""
  tokens: Int!
  """Number of positions that have realised a gain in BNB."""
  profitable: Int!
  """Number of positions that have realised a loss in BNB."""
  losing: Int!
  """Number of buys."""
  buys: Int!
  """Number of sells."""
  sells: Int!
  """Wei paid for buys."""
  bnbSpentWei: BigInt!
  """Wei received for sells."""
  bnbReceivedWei: BigInt!
  """Wei that the tokens cost that are not sold or sent yet."""
  openCostWei: BigInt!
  """Wei realised by sells; below 0 is a loss."""
  realisedWei: BigInt!
  """USD paid for buys with 18 decimals, each at its own rate; null if one of the positions has no amounts in USD."""
  spentUsdX18: BigInt
  """USD received for sells with 18 decimals; null as spentUsdX18."""
  receivedUsdX18: BigInt
  """USD that the tokens cost that are not sold or sent yet, with 18 decimals; null as spentUsdX18."""
  openCostUsdX18: BigInt
  """USD realised by sells with 18 decimals, below 0 is a loss; null as spentUsdX18."""
  realisedUsdX18: BigInt
}
`;

/** Adds the fields of `Query` that sum rows by group, without resolvers. */
export function addGroups({ schema, graphql }: PonderGraphql): PonderGraphql {
  return { schema: graphql.extendSchema(schema, graphql.parse(types)), graphql };
}
