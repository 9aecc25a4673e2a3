// urql with a normalised cache.
//
//   npm install @urql/core @urql/exchange-graphcache graphql http://localhost:42069/client.tgz
//   API_URL=http://localhost:42069 node urql.mjs
import { graphqlKeys } from "@launchpad-indexer/client";
import { Client, fetchExchange, gql } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";

const { API_URL = "http://localhost:42069" } = process.env;

/** urql wants the key of each type. A row whose key isn't selected in full, and a page, are kept in the query that has them. */
const keys = Object.fromEntries(
  Object.entries(graphqlKeys).flatMap(([type, fields]) => [
    [
      type,
      (row) =>
        fields.every((field) => row[field] != null) ? fields.map((field) => row[field]).join(":") : null,
    ],
    [`${type}Page`, () => null],
  ]),
);

const client = new Client({
  url: `${API_URL}/graphql`,
  preferGetMethod: false,
  exchanges: [cacheExchange({ keys: { ...keys, PageInfo: () => null } }), fetchExchange],
});

const trades = gql`
  query LatestTrades {
    mainnet: trades(where: { chainId: 56 }, orderBy: "timestamp", orderDirection: "desc", limit: 3) {
      ...latest
    }
    testnet: trades(where: { chainId: 97 }, orderBy: "timestamp", orderDirection: "desc", limit: 3) {
      ...latest
    }
  }
  fragment latest on tradePage {
    items {
      chainId
      id
      side
      bnbAmountWei
      tradedToken {
        chainId
        address
        symbol
      }
    }
  }
`;
const { data, error } = await client.query(trades, {}).toPromise();
if (error) throw error;
for (const { chainId, side, bnbAmountWei, tradedToken } of [...data.mainnet.items, ...data.testnet.items])
  console.log(chainId, side, bnbAmountWei, JSON.stringify(tradedToken.symbol));
