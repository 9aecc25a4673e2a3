// Apollo Client with a normalised cache.
//
//   npm install @apollo/client rxjs graphql http://localhost:42069/client.tgz
//   API_URL=http://localhost:42069 node apollo.mjs
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { graphqlKeys } from "@launchpad-indexer/client";

const { API_URL = "http://localhost:42069" } = process.env;

const client = new ApolloClient({
  link: new HttpLink({ uri: `${API_URL}/graphql` }),
  cache: new InMemoryCache({
    // Apollo takes a row's id for its identity, such as a trade's: it is unique over both chains. A type without one needs the name of
    // its key, whose fields are then to be selected in each query: Apollo throws if one is missing.
    typePolicies: { token: { keyFields: graphqlKeys.token } },
  }),
});

const { data } = await client.query({
  query: gql`
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
        id
        chainId
        side
        bnbAmountWei
        tradedToken {
          chainId
          address
          symbol
        }
      }
    }
  `,
});
for (const { chainId, side, bnbAmountWei, tradedToken } of [...data.mainnet.items, ...data.testnet.items])
  console.log(chainId, side, bnbAmountWei, JSON.stringify(tradedToken.symbol));
