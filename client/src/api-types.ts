// Generated from the OpenAPI document: `npm run client:generate`.

export interface paths {
    "/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The manifest: contracts with their ABIs, endpoints, and how to launch a token.
         * @description For programs and agents: everything they need to create, register and trade a token.
         */
        get: operations["getManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service and its database are up, and how far the index is behind the chains.
         * @description Never queued and not subject to limits, so a load balancer can call it as often as it likes.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List registered tokens, by board, search, creator or mint.
         * @description Filters can be combined. `view=compact` returns short rows, `fields` chooses fields, and `mint` takes up to 100 mints. The list is never older than the last indexed block and the last registration, and `total` is exact. Follow `nextCursor` to read all of a list while the market moves: no page repeats or skips a token, unless that token itself moves past the cursor. Numbered pages shift with every token that moves. With `cursor`, `page` of the answer is the number of the page on which it begins now.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Register a token that exists on the chain, so that it appears in the list.
         * @description Possible as soon as the creating transaction is mined. Everything is checked against the chain. A registration signed by the token's creator is marked as verified, and replaces an unsigned one or one that was signed earlier.
         */
        post: operations["registerToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/vanity-salt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A salt for createTokenWithSalt whose token address ends in 5afe.
         * @description The address depends on name, symbol and salt, so create the token with exactly these. Every request gets a different salt, which works until a token is created with it. With creator, the salt begins with that address, and the factory refuses it from anyone else; without, whoever sees your transaction waiting can create the token first.
         */
        get: operations["getVanitySalt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/curve/{mint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The bonding curve of a token: reserves, tokens sold, progress, graduation.
         * @description For every token that the factory created, registered or not, as of the last indexed block.
         */
        get: operations["getCurve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/curves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Progress of up to 100 curves at once.
         * @description Mints that the index does not have are listed in `missing`; they are not an error.
         */
        get: operations["getCurves"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/curve/{mint}/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Quote a buy or a sell to the wei, with the transaction to sign.
         * @description On the curve until the token has graduated, on its DEX pair afterwards, as of the last indexed block. Exact for a transaction that is mined before any other trade of the token; for any other minAmountOutRaw or minAmountOutWei is the limit, under which it reverts. A buy that reaches the end of the curve takes what is left, gets the rest refunded (not swapped on the DEX) and graduates the token; its limit acts as a price for each token, so that it still goes through, for fewer tokens, if somebody buys first.
         */
        get: operations["getQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/first-buy/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a first buy brings, to the wei, in the transaction that creates the token, with that transaction to sign.
         * @description For a token that does not exist yet. tokenFactory.createTokenAndBuy creates it and buys from its curve in one step, for the sender, who is its creator: nobody can buy earlier. What comes out depends on burnPercent and amount alone. With name and symbol, and optionally a salt, the response has the transaction.
         */
        get: operations["getFirstBuyQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metadata/{mint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Name, symbol, description, image and links of a token, registered or not, for wallets and explorers.
         * @description In the format that wallets and explorers expect. A value that is not registered is an empty string or left out.
         */
        get: operations["getMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{mint}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who holds a token: the number of holders, their concentration, and holders by balance with their share of the supply.
         * @description The launchpad, the pair and burn addresses are listed with a label, but do not count as holders. With `at`, holders, balances, shares and labels are those of a past block; what `labels` says of an account is as of now. With `Accept: text/csv`, all holders come at once, for snapshots and airdrops, with the columns address, balance_raw (base units), percent and label; `page`, `limit` and `cursor` don't apply. Follow `nextCursor` to read the list while balances change: no page repeats or skips a holder, unless its own balance moves it past the cursor. With `cursor`, `rank` and `page` are as of now.
         */
        get: operations["getHolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{mint}/holders/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many holders a token had at the end of each day, and how concentrated their holdings were, for charts.
         * @description Days begin at midnight UTC; the last one is that of the last indexed block. An answer is computed from at most 500000 balances, one per holder and day: a token with 10,000 holders has 50 days.
         */
        get: operations["getHolderHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{mint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One token, registered or not: price, market cap, volume and price change by window, holders, risk and the creator's record.
         * @description The same entry as in the list, also for unregistered tokens, with the number of other tokens that have the same symbol and the price impact of small buys. `fields` chooses fields.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{mint}/registrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a token's registration says and said before, newest first.
         * @description The first version is the current one. A signed registration replaces the one before; the first and the last 99 replaced ones are kept. Empty if nobody has registered the token.
         */
        get: operations["getRegistrationHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The launchpad's totals: tokens, trades and volume, to date and by time window.
         * @description As of the last indexed block of the chain, at which the windows end.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The launchpad's daily volume, trades, and tokens created and graduated, for charts.
         * @description Days begin at midnight UTC; the last one is that of the last indexed block. Read at most every 10 seconds, on demand: `asOf` has the block.
         */
        get: operations["getDailyStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{mint}/candles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A token's candles: open, high, low, close and volume, in one series across curve and DEX.
         * @description The oldest first and without gaps: an interval without trades is a flat candle at the last close. The first candle is the one of the token's creation, at the price at which its curve opened; the last is the one of the last indexed block or of `to`, and changes until its interval is over. If the range has more candles than `limit`, the answer has the first ones if `from` is given, else the last ones. To continue: for older ones, `to` = the first candle's time - 1 without `from`; for newer ones, `from` = the last candle's time + the interval. Prices are those after each trade. Adding or removing DEX liquidity does not affect candles.
         */
        get: operations["getCandles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/udf/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the data feed for TradingView's charts supports.
         * @description The base URL of the feed is `/api/udf`: `new Datafeeds.UDFCompatibleDatafeed("https://example.com/api/udf")`.
         */
        get: operations["getUdfConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/udf/time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The server's time.
         * @description In seconds since 1970, as text: charts draw the present bar by it.
         */
        get: operations["getUdfTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/udf/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A token as a symbol of TradingView's charts.
         * @description Its price has as many decimals as show six significant digits now.
         */
        get: operations["getUdfSymbol"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/udf/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Searches listed tokens for TradingView's charts.
         * @description Each token is found with its price in BNB and, where a BNB/USD feed is configured, once more in USD.
         */
        get: operations["searchUdfSymbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/udf/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A token's candles for TradingView's charts.
         * @description As `/api/token/{mint}/candles`, with numbers of double precision. Volumes are in the prices' currency.
         */
        get: operations["getUdfHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{mint}/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trades of a token on curve and DEX, newest first, each with the reserves after it.
         * @description Follow `nextCursor` for older ones: however many trades are added meanwhile, no page repeats or skips one.
         */
        get: operations["getTokenTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trades of all tokens, of one token or of one trader, the newest first, each with the reserves after it.
         * @description Follow `nextCursor` for older ones: however many trades are added meanwhile, no page repeats or skips one. Trades of unregistered tokens are included.
         */
        get: operations["getTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{mint}/traders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A token's top traders, with what each paid, received, realised and still holds.
         * @description Accounts that bought or sold the token, on the curve and the DEX, the largest value first. GraphQL's `positions` has all of them.
         */
        get: operations["getTokenTraders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{mint}/liquidity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liquidity added to and removed from a token's DEX pair, newest first, with the pair's reserves after each change.
         * @description The oldest change is what the launchpad added at graduation, which nobody can withdraw; before graduation there are none. Follow `nextCursor` for older ones: no page repeats or skips a change, even if new ones come in meanwhile.
         */
        get: operations["getTokenLiquidity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token/{mint}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of a token beside its trades, newest first.
         * @description Movements of tokens that are no part of a trade, a creation, a graduation or a change of liquidity: gifts, airdrops, fees, burns. Follow `nextCursor` for older ones: no page repeats or skips a transfer, even if new ones come in meanwhile.
         */
        get: operations["getTokenTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/{address}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers by and to an account beside its trades, newest first.
         * @description Movements of tokens that are no part of a trade, a creation, a graduation or a change of liquidity: gifts, airdrops, fees, burns. Follow `nextCursor` for older ones: no page repeats or skips a transfer, even if new ones come in meanwhile. Those by the account have it as `from`, those to it as `to`.
         */
        get: operations["getAccountTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transaction/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a transaction, decoded.
         * @description Read from the chain itself, so a transaction is here as soon as the RPC endpoint knows it. Once it is mined, `X-Index-Block` says whether its block is indexed.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An account: its BNB, holdings with their value at spot and at exit, tokens created, trades, realised and unrealised results.
         * @description The first page of every list, and totals over all of them. Continue with nextCursor at /api/account/{address}/holdings, /created-tokens, /positions and at /api/trades?trader={address}. An account without any activity gets 200 with empty lists. Results use average cost: a buy adds its tokens and their cost to the open position; a sell realises its proceeds less the average cost of as many open tokens; a transfer moves the average cost along with the tokens, from the sender's open position to the receiver's. What comes from the mint or from liquidity costs nothing. Gas is not counted.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/{address}/holdings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens that an account holds, the most valuable first.
         * @description Ordered by current value: if prices move between two requests, a token may appear on both pages or on neither.
         */
        get: operations["getHoldings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/{address}/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An account's results by token, the last traded first.
         * @description Results use average cost: a buy adds its tokens and their cost to the open position; a sell realises its proceeds less the average cost of as many open tokens; a transfer moves the average cost along with the tokens, from the sender's open position to the receiver's. What comes from the mint or from liquidity costs nothing. Gas is not counted.
         */
        get: operations["getPositions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/{address}/created-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tokens that an account created, the newest first, registered or not.
         * @description Pages neither repeat nor skip a token, whatever is created in between.
         */
        get: operations["getCreatedTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/{address}/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an account traded and realised on each of the last days.
         * @description Days are in UTC; today's is as of the last indexed block. An answer is computed from the account's last 200,000 trades, so it has fewer days if these don't reach as far back. Results use average cost: a buy adds its tokens and their cost to the open position; a sell realises its proceeds less the average cost of as many open tokens; a transfer moves the average cost along with the tokens, from the sender's open position to the receiver's. What comes from the mint or from liquidity costs nothing. Gas is not counted.
         */
        get: operations["getAccountDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts by what they realised or traded, or by the tokens that they created or graduated.
         * @description Values are totals over all of an account's tokens, largest first; accounts with equal values are ordered by address, highest first. A board by `realised` has all accounts that sold in the window; by `volume` and `trades`, all that traded; by `created` and `graduated`, all with such a token. Windows are read at most every 30 seconds, on demand, and `asOf` names the block of that read; while a new read is under way, the last result is returned. Follow `nextCursor` to read a board while accounts move: no page repeats or skips an account, unless its own value moves it past the cursor. With `cursor`, `rank` and `page` are as of now. Results use average cost: a buy adds its tokens and their cost to the open position; a sell realises its proceeds less the average cost of as many open tokens; a transfer moves the average cost along with the tokens, from the sender's open position to the receiver's. What comes from the mint or from liquidity costs nothing. Gas is not counted.
         */
        get: operations["getLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dexscreener/latest-block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * DEX Screener adapter: the last final block, up to which events are available.
         * @description Implements DEX Screener's adapter specification, with the base URL `/api/dexscreener`. Covers final blocks only, which no reorg can revert. On a quiet chain this is the last block with an event.
         */
        get: operations["getDexScreenerLatestBlock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dexscreener/asset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * DEX Screener adapter: a launched token, or WBNB.
         * @description As of the last final block.
         */
        get: operations["getDexScreenerAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dexscreener/pair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * DEX Screener adapter: a token's bonding curve or its DEX pair.
         * @description As of the last final block.
         */
        get: operations["getDexScreenerPair"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dexscreener/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * DEX Screener adapter: every swap, join and exit in a range of blocks.
         * @description At most 10000 blocks, both ends inclusive; all of their events, in chain order. A range that goes beyond the last final block is refused, never truncated. Trades of zero tokens or zero BNB have no price and are left out. Curves have neither joins nor exits; the first join of a DEX pair is its graduation.
         */
        get: operations["getDexScreenerEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coingecko/tickers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * CoinGecko's and GeckoTerminal's format: tokens traded in the last 24 hours.
         * @description Base URL: `/api/coingecko`; also available at `/api`, for aggregators that take a single base URL. Covers final blocks only, which no reorg can revert. The 24 hours end with the last indexed block. Without parameters, returns the 1000 most recently traded tokens; the others are on the next pages, which go on in the order of the first one that the same address asked for in the last five minutes, up to 100000 tokens in all. A token that was not traded in 24 hours is returned only if asked for by its ticker_id.
         */
        get: operations["getCoinGeckoTickers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coingecko/historical_trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * CoinGecko's and GeckoTerminal's format: a ticker's trades, the latest first.
         * @description Base URL: `/api/coingecko`; also available at `/api`, for aggregators that take a single base URL. Covers final blocks only, which no reorg can revert. Trades of zero tokens or zero BNB have no price and are left out.
         */
        get: operations["getCoinGeckoHistoricalTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tickers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * CoinGecko's and GeckoTerminal's format: tokens traded in the last 24 hours.
         * @description Base URL: `/api/coingecko`; also available at `/api`, for aggregators that take a single base URL. Covers final blocks only, which no reorg can revert. The 24 hours end with the last indexed block. Without parameters, returns the 1000 most recently traded tokens; the others are on the next pages, which go on in the order of the first one that the same address asked for in the last five minutes, up to 100000 tokens in all. A token that was not traded in 24 hours is returned only if asked for by its ticker_id.
         */
        get: operations["getCoinGeckoTickersAtRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/historical_trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * CoinGecko's and GeckoTerminal's format: a ticker's trades, the latest first.
         * @description Base URL: `/api/coingecko`; also available at `/api`, for aggregators that take a single base URL. Covers final blocks only, which no reorg can revert. Trades of zero tokens or zero BNB have no price and are left out.
         */
        get: operations["getCoinGeckoHistoricalTradesAtRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokenlist.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A Uniswap token list of the registered tokens of all indexed chains.
         * @description Conforms to the published schema, https://uniswap.org/tokenlist.schema.json. Only tokens of final blocks. At most 10,000, as the schema allows: verified ones in order of registration, then graduated ones in order of graduation, then the others in order of registration. A token whose name (over 60 characters, or with white space other than spaces) or symbol (over 20 characters, or with white space) the schema does not allow is left out. The major version goes up when a token is removed, the minor version when one is added, and the patch version when one changes; while the list is full, each change is a major one. The version and the timestamp, which is that of the latest change of a token on the list, change only when the list does.
         */
        get: operations["getTokenList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events as they happen: creations, trades, graduations, registrations, and events removed by reorgs.
         * @description Server-sent events (text/event-stream), each with `id` (the event's cursor), `event` and one line of JSON as `data`:
         *
         *     - `ready`: you get everything after this cursor. Comes once, at the beginning or after the events that you had missed.
         *     - `created`: a new token. mint, name, symbol, creator, burnPercent, createdAt, block, tx.
         *     - `trade`: on the curve or on the DEX. As in `GET /api/trades`: mint, name, symbol, creator, trader, venue (curve, dex), side (buy, sell), bnbAmountWei (wei), tokenAmountRaw (base units), priceBnb (BNB for one token, on average of this trade), priceAfterBnb (after it), bnbReservesWei and tokenReservesRaw after it (the curve's virtual ones, or the pair's), progress after it, block, timestamp, tx, logIndex; bnbUsd, amountUsd, priceUsd and priceAfterUsd where the rate was known.
         *     - `graduated`: mint, name, symbol, creator, pair, graduatedAt, block.
         *     - `registered`: a registration, or a change of one. mint, name, symbol, creator, burnPercent, description, imageUrl, twitterUrl, telegramUrl, websiteUrl, verified, registeredAt. After a reconnect each comes once, in its current state.
         *     - `transfer`: only if `kind` asks for it. A movement of tokens that is no part of a trade, a creation, a graduation or a change of liquidity, as in `GET /api/token/{mint}/transfers`. mint, name, symbol, creator, from, to, amountRaw (base units), block, timestamp, tx, logIndex.
         *     - `liquidity_added`, `liquidity_removed`: only if `kind` asks for them. Liquidity of the DEX pair that someone added after graduation, or removed, as in `GET /api/token/{mint}/liquidity`. mint, name, symbol, creator, pair, provider, bnbAmountWei and tokenAmountRaw that moved, bnbReservesWei and tokenReservesRaw after it, block, timestamp, tx, logIndex.
         *     - `removed`: a reorg removed an event that was sent. data is that of the event that is no longer true, `kind` says which kind it was; the latest one comes first. The events of the new blocks follow as usual.
         *     - `position`: you have everything up to this cursor. Comes after five minutes without an event for you, so that EventSource reconnects from here.
         *
         *     The data of `ready` and `position` has only `cursor`. All others have `id` (the event's own, as in `GET /api/events`), `kind` and `chainId`, and all but `registered` have `block`, the number of the event's block; `hidden` is true if the operator has hidden the token (then don't show its name to people). Amounts are decimal strings in base units, times ISO 8601, addresses lower-case. More fields and kinds may be added.
         *
         *     Reconnect with the last id that you saw in `Last-Event-ID`, as EventSource does by itself: you get exactly what you have missed, in order, even after a restart of the service or from another replica. A comment comes every 15 seconds, with an `id:` line that advances your position even if no event matched. For events from before your first connection, use the other endpoints. A client that falls more than a megabyte behind is disconnected, and can reconnect.
         */
        get: operations["stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The next events of the stream, for clients that can't keep one open: waits until there are some.
         * @description The same events as `GET /api/stream`, one batch per request. Without `cursor`, it waits for new events. With it, it returns the events since, at once if there are any. Ask again with nextCursor, and no event is missed or repeated, even after a restart of the service or from another replica.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The message that a wallet signs to make a subscription or, without url and rule, to manage its subscriptions.
         * @description Sign typedData (eth_signTypedData_v4), add the signature to body, and post that to `POST /api/alerts`, or without url and rule to `POST /api/alerts/tokens`. Nothing is stored.
         */
        post: operations["prepareAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A token with which a wallet manages its subscriptions for a day.
         * @description For a signed message of `POST /api/alerts/message` without url and rule.
         */
        post: operations["createAlertToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A wallet's subscriptions, the newest first.
         * @description Those of the wallet and the chain to which the token belongs.
         */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Make a subscription, signed by the wallet that it belongs to.
         * @description Sends the receiver a challenge at once: a message of the type `challenge`, whose `data.challenge` the answer has to contain. If it doesn't, the subscription stays unverified, and `POST /api/alerts/{id}/verify` tries again. Events count from now on. The same signed message makes the subscription once: sent again, the answer is the same without the secret.
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A subscription with its last deliveries.
         * @description Its status, why it is paused if it is, and the last 20 attempts to deliver.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        /**
         * End a subscription.
         * @description Nothing more is sent, and it can't be undone: pause it to keep its place.
         */
        delete: operations["endAlert"];
        options?: never;
        head?: never;
        /**
         * Pause or resume a subscription, replay it, rotate its secret, or change its receiver.
         * @description A new receiver has to be verified again. After a rotation, messages are signed with both secrets for a day.
         */
        patch: operations["changeAlert"];
        trace?: never;
    };
    "/api/alerts/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the receiver another challenge.
         * @description A receiver proves itself by answering with the challenge. Nothing else is sent before.
         */
        post: operations["verifyAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a verified receiver a message of the type `test`, outside of its order.
         * @description The answer says what the receiver answered.
         */
        post: operations["testAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an image for a registration: re-encoded without metadata, and stored on IPFS.
         * @description One PNG, JPEG, GIF, WebP or AVIF of up to 5 MB. Its type is read from its bytes. It is stored upright, in sRGB and without metadata, so its CID is not that of the uploaded file; an animated PNG becomes its first frame. Use `url` as the imageUrl of a registration within 24 hours: an upload that no registration mentions is dropped after that, or sooner, usually after 15 minutes, if there are too many of them.
         */
        post: operations["uploadImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload-image/from-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store the image at a URL for a registration, as if it had been uploaded.
         * @description For programs that can't send files. The service fetches the image, checks and stores it as `POST /api/upload-image` does. Only where the operator has set `IMAGES_FROM_URLS=on`. The URL must lead to a public address over https, without a redirect, and the image must arrive within 20 seconds.
         */
        post: operations["uploadImageFromUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ipfs/{cid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An uploaded image by its CID, in its original size or resized.
         * @description Only images that were uploaded here are served. With `width`, it is a WebP of that width in pixels with the same proportions; a smaller image is not enlarged. An animation stays animated if that is small enough, and otherwise becomes its first frame.
         */
        get: operations["getImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run one SQL query over everything that is indexed and registered.
         * @description In a read-only transaction of a role that can read the on-chain tables, the views over them and what the API shows of registrations, and nothing else. At most 10 s, 10,000 rows and 10 MB. Rows of the last blocks, which a reorg may take back, are included; `chains.final_block` says where they begin. A query is cancelled when its client hangs up. Operators: `= <> != < > <= >= + - * / % ^ ||`, `like`, `ilike`, `between`, `in`, `is distinct from`, `any`, `all`. Expressions: `case`, `coalesce`, `nullif`, `greatest`, `least`. Functions: `count bool_and bool_or every corr covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope row_number rank dense_rank percent_rank cume_dist ntile length char_length character_length octet_length ascii chr starts_with md5 to_hex array_position sign random pi width_bucket scale min_scale degrees radians now clock_timestamp statement_timestamp transaction_timestamp date_trunc date_part extract date_bin age timezone to_timestamp to_date make_date make_time make_timestamp make_timestamptz make_interval justify_days justify_hours justify_interval isfinite pg_typeof current_database current_schema version launchpad.seconds generate_series cardinality array_length num_nulls num_nonnulls min max any_value mode percentile_disc percentile_cont lag lead first_value last_value nth_value substr substring left right reverse btrim ltrim rtrim unnest array_remove concat concat_ws array_append array_prepend array_cat lower upper initcap like_escape to_char array_to_string sum abs ceil ceiling floor trunc round trim_scale avg mod div stddev stddev_pop stddev_samp variance var_pop var_samp power pow exp sqrt cbrt ln log log10 array_agg string_agg`. Casts to `bool int2 int4 int8 float4 float8 date time timetz timestamp timestamptz interval text varchar bpchar numeric decimal`, and lists of them.
         */
        post: operations["runSql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Manifest: {
            name: string;
            description: string;
            discoverability: string;
            barrierToLaunch: string;
            version: string;
            baseUrl: string;
            docs: string;
            /** @description What to do, step by step, one line per step. */
            agentQuickStart: string;
            agentFaq: {
                q: string;
                a: string;
            }[];
            chain: {
                id: number;
                name: string;
                /** @enum {number} */
                testnetId: 97;
                testnetName: string;
            };
            contracts: {
                launchpad: string;
                tokenFactory: string;
                tokenFactoryAbi: {
                    [key: string]: unknown;
                }[];
                launchpadAbi: {
                    [key: string]: unknown;
                }[];
                /** @description The ABI of every token: together with the two others it decodes every error of a trade. */
                tokenAbi: {
                    [key: string]: unknown;
                }[];
                note: string;
            };
            endpoints: {
                method: string;
                path: string;
                description: string;
            }[];
            forAgents: string[];
            /** @description The EIP-712 typed data of a signed registration. */
            registrationSignature: {
                domain: {
                    name: string;
                    version: string;
                    chainId: number;
                    verifyingContract: string;
                };
                types: {
                    [key: string]: {
                        name: string;
                        type: string;
                    }[];
                };
                primaryType: string;
                note: string;
            };
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            /** @description What is wrong and what to do about it, for people to read. */
            detail: string;
            /**
             * @description Stable: programs may switch on it. More codes may be added.
             * @example invalid_request
             * @enum {string}
             */
            code: "alert_not_found" | "alert_unreadable" | "alert_unverified" | "alerts_off" | "already_registered" | "answer_too_large" | "amount_too_large" | "amount_too_small" | "block_not_final" | "block_not_indexed" | "body_too_large" | "broken_image" | "busy" | "chain_not_indexed" | "chain_unavailable" | "client_not_built" | "contradicts_chain" | "database_unavailable" | "denied" | "dex_not_supported" | "explorer_not_built" | "first_buy_not_supported" | "headers_too_large" | "image_decoder_failed" | "image_hidden" | "image_not_found" | "image_not_here" | "image_provider_error" | "image_provider_unavailable" | "image_too_complex" | "image_too_large" | "image_url_failed" | "images_from_urls_off" | "index_behind" | "internal_error" | "invalid_cid" | "invalid_request" | "invalid_signature" | "invalid_token" | "invalid_sql" | "malformed_multipart" | "malformed_request" | "method_not_allowed" | "missing_file" | "no_liquidity" | "not_found" | "not_indexed_yet" | "not_multipart" | "pair_not_found" | "query_timeout" | "refused" | "repairing" | "request_timeout" | "route_gone" | "service_unavailable" | "several_files" | "signature_expired" | "signature_not_newer" | "signature_used" | "sql_unavailable" | "storage_full" | "storage_unavailable" | "stream_position_gone" | "stream_position_unknown" | "token_hidden" | "token_list_empty" | "token_not_found" | "too_many_alerts" | "too_many_connections" | "too_many_pixels" | "too_many_requests" | "too_many_streams" | "too_many_uploads" | "transaction_not_found" | "unsupported_image_type" | "unsupported_media_type" | "upload_timeout" | "warming_up";
            /** @description Every value that is wrong. */
            errors?: {
                path: string;
                message: string;
            }[];
            /** @description For SQL: Postgres's error code. */
            sqlState?: string;
            /** @description For SQL: the position of the error in the statement, in characters from 1. */
            position?: number;
            /** @description Of the request, as in `X-Request-Id`, if the service logs requests. */
            requestId?: string;
        };
        Health: {
            ok: boolean;
            /** @enum {string} */
            status: "up" | "down";
            /** @description Whether the index is more than READY_MAX_LAG_SECONDS (60 if that is 0) behind a chain's head, so that answers are old: `index` says how old. Absent if down. */
            stale?: boolean;
            index?: components["schemas"]["IndexReport"];
        };
        /** @description How fresh the index is. Absent if down. */
        IndexReport: {
            /**
             * @description `gone`: no process is indexing into this schema, so the data no longer changes.
             * @enum {string}
             */
            writer: "live" | "gone";
            chains: {
                chainId: number;
                /** @description The last indexed block, as this process reads it. Null if there is none yet. */
                block: number | null;
                /** @description The chain's head, as the RPC endpoints last reported it. Null if not known yet. */
                headBlock: number | null;
                /** @description How many blocks the index is behind the head. Null if not known yet. */
                lagBlocks: number | null;
                /** @description Seconds since the first block that the index is missing; while no endpoint answers, at least the seconds since the last answer. 0 if the chain has no newer block. Null if not known yet. */
                lagSeconds: number | null;
                /** @description Whether any of the chain's RPC endpoints answered the last request. */
                endpointsAnswer: boolean;
                selfCheck?: components["schemas"]["SelfCheckReport"];
            }[];
            replica?: components["schemas"]["ReplicaReport"];
        };
        /** @description How the index compares with the contracts. Absent if this process doesn't compare them: only the one that indexes does. */
        SelfCheckReport: {
            /** @description The final block at which rows were last compared. Null before the first time. */
            block: number | null;
            /**
             * Format: date-time
             * @description When that was.
             */
            checkedAt: string | null;
            /** @description How many answers of contracts were compared then. */
            samples: number;
            /** @description Why the last comparison was not possible, such as an RPC endpoint without the state of that block. Null if it was. */
            problem: string | null;
            /** @description Values that differed at two final blocks, the last comparison's included: at most 20. Empty for a sound index. */
            differences: {
                token: string;
                /** @description The holder, or the DEX pair. Null if the value is the token's. */
                account: string | null;
                /** @description What differs, such as `balance`. */
                what: string;
                /** @description The value in the index. */
                ours: string;
                /** @description The value that the contract returned. */
                onChain: string;
                /** @description The final block at which they last differed. */
                block: number;
            }[];
        };
        /** @description The replica that this process reads from. Absent if it reads from the primary only. */
        ReplicaReport: {
            /**
             * @description Where this process reads: from the primary after it writes a registration until the replica has it, and while the replica is unavailable.
             * @enum {string}
             */
            readsFrom: "replica" | "primary";
            /**
             * @description `away`: it does not answer. `no_replica`: it no longer follows the primary, for example since it was promoted.
             * @enum {string}
             */
            state: "following" | "away" | "no_replica";
            /** @description Bytes of the primary's WAL that it has not replayed. Null if unknown. */
            lagBytes: number | null;
            /** @description Seconds since the primary committed what it replayed last; 0 if that is everything. Null if unknown. */
            lagSeconds: number | null;
        };
        TokenPage: {
            tokens: components["schemas"]["Token"][];
            total: number;
            page: number;
            limit: number;
            hasMore: boolean;
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        Token: {
            /** @description The token's contract address. */
            mint: string;
            chainId: number;
            name: string;
            symbol: string;
            creator: string;
            /** @description Percent of the supply burned at launch. */
            burnPercent: number;
            description: string | null;
            /** @description The URL as registered. */
            imageUrl: string | null;
            /** @description The same image on this service's own gateway, which returns 404 if it was not uploaded here. Add `?width=64`, `128`, `256` or `512` for a resized one. Null if imageUrl is not the IPFS address of such an image. */
            imageHttpUrl: string | null;
            twitterUrl: string | null;
            telegramUrl: string | null;
            websiteUrl: string | null;
            launchpadAddress: string;
            /** @description Whether anyone has registered the token. True in lists. */
            registered: boolean;
            /** @description Whether the token's creator signed this entry. */
            verified: boolean;
            /**
             * Format: date-time
             * @description Null if nobody has registered the token.
             */
            registeredAt: string | null;
            /**
             * Format: date-time
             * @description When the token was created on the chain. Null only in the response to a registration of a token whose block is not indexed yet; holders and trades are empty then, too.
             */
            createdAt: string | null;
            /** @description Block of the creation. Null whenever createdAt is. */
            createdBlock: number | null;
            /** @description Percent of the curve that is sold, up to 4 decimals. 100 if and only if graduated. */
            progress: number;
            graduated: boolean;
            /**
             * Format: date-time
             * @description When it graduated. Null before, and in the response to a registration of a token whose block is not indexed yet.
             */
            graduatedAt: string | null;
            /** @description BNB for one token, on the curve or, after graduation, on the DEX pair. */
            priceBnb: string;
            /** @description USD for one token: priceBnb at the BNB/USD feed's last answer. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description BNB for the whole supply at that price. */
            marketCapBnb: string;
            /** @description USD for the whole supply at that price. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            marketCapUsd?: string;
            holderCount: number;
            /** @description BNB that sells can withdraw: what the curve holds for the token or, after graduation, the DEX pair's BNB reserve. */
            liquidityBnb: string;
            /** @description liquidityBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            liquidityUsd?: string;
            /** @description The DEX pair, once graduated. */
            pair: string | null;
            /**
             * Format: date-time
             * @description Null if nobody has traded the token.
             */
            lastTradeAt: string | null;
            /** @description BNB that was paid for tokens, by buyers and to sellers. */
            volumeBnb: string;
            /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            volumeUsd?: string;
            /** @description Buys and sells. */
            trades: number;
            buys: number;
            sells: number;
            /** @description volumeBnb without back and forth trading of one account, which costs next to nothing: for each account, what it paid less what it received, or the other way round, all added up. */
            netVolumeBnb: string;
            /** @description What happened in the last 5 minutes, 1 hour, 6 hours and 24 hours, up to the time of the chain's last indexed block. A window begins just after its start: what happened exactly that long ago is not in it. */
            windows: {
                "5m": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
                "1h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
                "6h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
                "24h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
            };
            risk: components["schemas"]["Risk"];
            creatorRecord: components["schemas"]["CreatorRecord"];
        };
        Risk: {
            /** @description Percent of the circulating supply, rounded down to 4 decimals: what the token's creator holds. The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0. */
            creatorPercent: number | null;
            /** @description Percent of the circulating supply, rounded down to 4 decimals: what the ten largest holders hold. The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0. */
            top10Percent: number | null;
            /** @description Percent of the circulating supply, rounded down to 4 decimals: what early buyers hold now, including the creator if it bought early. The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0. */
            earlyBuyersPercent: number | null;
            /** @description creatorPercent, as percent of the total supply, rounded down to 4 decimals. */
            creatorOfSupplyPercent: number;
            /** @description top10Percent, as percent of the total supply, rounded down to 4 decimals. */
            top10OfSupplyPercent: number;
            /** @description earlyBuyersPercent, as percent of the total supply, rounded down to 4 decimals. */
            earlyBuyersOfSupplyPercent: number;
            /** @description Accounts that bought in the first three blocks of the curve, including the one in which it opened. */
            earlyBuyers: number;
            /** @description Early buyers other than the token's creator. */
            snipers: number;
            /** @description Percent of the circulating supply, rounded down to 4 decimals: what snipers hold now. The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0. */
            snipersPercent: number | null;
            /** @description Percent of the circulating supply, rounded down to 4 decimals: what snipers bought in the first three blocks, of which they may hold less now. The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0. */
            snipersBoughtPercent: number | null;
            /** @description Snipers that bought in the very block in which the curve opened. */
            bundlers: number;
            /** @description Percent of the circulating supply, rounded down to 4 decimals: what bundlers hold now. The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0. */
            bundlersPercent: number | null;
            /** @description Percent of the circulating supply, rounded down to 4 decimals: what bundlers bought in the first three blocks. The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0. */
            bundlersBoughtPercent: number | null;
            /** @description Accounts that got the token by transfer from its creator, or from such an account, over at most three transfers. */
            insiders: number;
            /** @description Percent of the circulating supply, rounded down to 4 decimals: what insiders hold now, however they came by it. The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0. */
            insidersPercent: number | null;
            /** @description Percent of the circulating supply, rounded down to 4 decimals: what the creator has transferred to insiders. The circulating supply excludes what launchpad, DEX pair and burn addresses hold. Null if it is 0. */
            insidersReceivedPercent: number | null;
            /** @description Effective number of holders (inverse Herfindahl index): the square of the circulating supply divided by the sum of the squares of all balances, rounded down to 4 decimals. That many holders with equal balances would be equally concentrated. Null if nothing circulates. */
            effectiveHolders: number | null;
            /** @description Percent of the BNB that all buys have paid so far, rounded down to 4 decimals: what the creator's buys paid. Null before the first buy. */
            creatorBuysPercent: number | null;
            /** @description Percent of the BNB that all buys have paid so far, rounded down to 4 decimals: what buys paid in the block in which the curve opened, the creator's included. Null before the first buy. */
            openingBuysPercent: number | null;
            /** @description Whether the creator once held the token and now holds none of it. */
            creatorSoldOut: boolean;
            /** @description Whether the creator made the buy that graduated the token. Null before graduation. */
            creatorGraduated: boolean | null;
        };
        /** @description An account's record as a creator on this chain, including the token in question if there is one. */
        CreatorRecord: {
            /** @description Tokens that the account has created. */
            tokensCreated: number;
            /** @description Of these, how many have graduated. */
            tokensGraduated: number;
            /** @description Of these, how many the account once held and now holds none of. */
            tokensSoldOut: number;
        };
        /** @description The response with `view=compact`. */
        CompactTokenPage: {
            /** @enum {string} */
            view: "compact";
            tokens: components["schemas"]["CompactToken"][];
            total: number;
            page: number;
            limit: number;
            hasMore: boolean;
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        CompactToken: {
            /** @description The token's contract address. */
            mint: string;
            name: string;
            symbol: string;
            /**
             * Format: date-time
             * @description When the token was created on the chain.
             */
            createdAt: string;
            /** @description Percent of the curve that is sold, up to 4 decimals. 100 if and only if graduated. */
            progress: number;
            /** @description As in the full entry, rounded to 6 significant digits. */
            priceBnb: string;
            /** @description As in the full entry, rounded to 6 significant digits. */
            marketCapBnb: string;
            /** @description `volumeBnb` of the full entry's 24-hour window, rounded to 6 significant digits: BNB paid by buyers and to sellers. */
            volume24hBnb: string;
            holderCount: number;
        };
        /** @description The response with `fields`, which it repeats. */
        ChosenTokenPage: {
            fields: ("mint" | "chainId" | "name" | "symbol" | "creator" | "burnPercent" | "description" | "imageUrl" | "imageHttpUrl" | "twitterUrl" | "telegramUrl" | "websiteUrl" | "launchpadAddress" | "registered" | "verified" | "registeredAt" | "createdAt" | "createdBlock" | "progress" | "graduated" | "graduatedAt" | "priceBnb" | "priceUsd" | "marketCapBnb" | "marketCapUsd" | "holderCount" | "liquidityBnb" | "liquidityUsd" | "pair" | "lastTradeAt" | "volumeBnb" | "volumeUsd" | "trades" | "buys" | "sells" | "netVolumeBnb" | "windows" | "risk" | "creatorRecord")[];
            tokens: components["schemas"]["ChosenToken"][];
            total: number;
            page: number;
            limit: number;
            hasMore: boolean;
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        /** @description The requested fields of a Token, and `mint`. */
        ChosenToken: {
            /** @description The token's contract address. */
            mint: string;
            chainId?: number;
            name?: string;
            symbol?: string;
            creator?: string;
            /** @description Percent of the supply burned at launch. */
            burnPercent?: number;
            description?: string | null;
            /** @description The URL as registered. */
            imageUrl?: string | null;
            /** @description The same image on this service's own gateway, which returns 404 if it was not uploaded here. Add `?width=64`, `128`, `256` or `512` for a resized one. Null if imageUrl is not the IPFS address of such an image. */
            imageHttpUrl?: string | null;
            twitterUrl?: string | null;
            telegramUrl?: string | null;
            websiteUrl?: string | null;
            launchpadAddress?: string;
            /** @description Whether anyone has registered the token. True in lists. */
            registered?: boolean;
            /** @description Whether the token's creator signed this entry. */
            verified?: boolean;
            /**
             * Format: date-time
             * @description Null if nobody has registered the token.
             */
            registeredAt?: string | null;
            /**
             * Format: date-time
             * @description When the token was created on the chain. Null only in the response to a registration of a token whose block is not indexed yet; holders and trades are empty then, too.
             */
            createdAt?: string | null;
            /** @description Block of the creation. Null whenever createdAt is. */
            createdBlock?: number | null;
            /** @description Percent of the curve that is sold, up to 4 decimals. 100 if and only if graduated. */
            progress?: number;
            graduated?: boolean;
            /**
             * Format: date-time
             * @description When it graduated. Null before, and in the response to a registration of a token whose block is not indexed yet.
             */
            graduatedAt?: string | null;
            /** @description BNB for one token, on the curve or, after graduation, on the DEX pair. */
            priceBnb?: string;
            /** @description USD for one token: priceBnb at the BNB/USD feed's last answer. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description BNB for the whole supply at that price. */
            marketCapBnb?: string;
            /** @description USD for the whole supply at that price. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            marketCapUsd?: string;
            holderCount?: number;
            /** @description BNB that sells can withdraw: what the curve holds for the token or, after graduation, the DEX pair's BNB reserve. */
            liquidityBnb?: string;
            /** @description liquidityBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            liquidityUsd?: string;
            /** @description The DEX pair, once graduated. */
            pair?: string | null;
            /**
             * Format: date-time
             * @description Null if nobody has traded the token.
             */
            lastTradeAt?: string | null;
            /** @description BNB that was paid for tokens, by buyers and to sellers. */
            volumeBnb?: string;
            /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            volumeUsd?: string;
            /** @description Buys and sells. */
            trades?: number;
            buys?: number;
            sells?: number;
            /** @description volumeBnb without back and forth trading of one account, which costs next to nothing: for each account, what it paid less what it received, or the other way round, all added up. */
            netVolumeBnb?: string;
            /** @description What happened in the last 5 minutes, 1 hour, 6 hours and 24 hours, up to the time of the chain's last indexed block. A window begins just after its start: what happened exactly that long ago is not in it. */
            windows?: {
                "5m": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
                "1h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
                "6h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
                "24h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
            };
            risk?: components["schemas"]["Risk"];
            creatorRecord?: components["schemas"]["CreatorRecord"];
        };
        VanitySalt: {
            salt: string;
            address: string;
        };
        /** @description For fields that are not required, null and an empty string mean the same as leaving them out. */
        Registration: {
            /**
             * @description The token's contract address.
             * @example 0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe
             */
            mint: string;
            /** @description Exactly as given to the factory. */
            name: string;
            /** @description Exactly as given to the factory. */
            symbol: string;
            /**
             * @description The account that created the token.
             * @example 0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe
             */
            creator: string;
            /** @description Exactly as given to the factory. */
            burnPercent: number;
            description?: string;
            /** Format: uri */
            imageUrl?: string;
            /** Format: uri */
            twitterUrl?: string;
            /** Format: uri */
            telegramUrl?: string;
            /** Format: uri */
            websiteUrl?: string;
            /** @example 0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe */
            launchpadAddress?: string;
            /** @enum {integer} */
            chainId?: 56 | 97;
            /** @description The creator's signature of the EIP-712 typed data that `GET /api` describes as registrationSignature, made with the creator's key or, for a contract wallet, by ERC-1271. */
            signature?: string;
            /** @description When it was signed, in seconds since 1970. Required with a signature. */
            issuedAt?: number;
        };
        Curve: {
            mint: string;
            chainId: number;
            /** @description Wei. On the curve the price is virtualBnbReserves / virtualTokenReserves; after graduation it is the DEX price. */
            virtualBnbReserves: string;
            /** @description Base units (18 decimals). */
            virtualTokenReserves: string;
            /** @description Base units left to buy on the curve. */
            realTokenReserves: string;
            /** @description Base units sold on the curve. */
            tokensSold: string;
            /** @description Base units that the curve sells before the token graduates. */
            totalToSell: string;
            /** @description Percent of the supply burned at launch. */
            burnPercent: number;
            /** @description Percent of totalToSell that has been sold, up to 4 decimals. 100 if and only if graduated. */
            progress: number;
            graduated: boolean;
            /** @description True once graduated: the reserves and tokensSold stay as they were when the curve ended, and priceBnb is the live price of the DEX pair. */
            reservesAreFinal: boolean;
            /** @description The DEX pair, once graduated. */
            pair: string | null;
            /** @description BNB for one token after the last trade, on the curve or, once graduated, on the DEX. */
            priceBnb: string;
            /** @description priceBnb at the BNB/USD feed's last answer. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description The chain's last indexed block: the state is as of this block. */
            block: number;
        };
        CurveProgress: {
            curves: {
                [key: string]: {
                    /** @description Percent of totalToSell that has been sold, up to 4 decimals. 100 if and only if graduated. */
                    progress: number;
                    graduated: boolean;
                };
            };
            /** @description The mints that the index does not have (yet), spelled as in the request. */
            missing: string[];
        };
        Quote: {
            mint: string;
            chainId: number;
            /** @enum {string} */
            side: "buy" | "sell";
            /**
             * @description `dex` once the token has graduated.
             * @enum {string}
             */
            venue: "curve" | "dex";
            /** @description Of a buy: the wei paid in. */
            amountInWei?: string;
            /** @description Of a sell: the base units paid in. */
            amountInRaw?: string;
            /** @description Of a buy: the base units that come out, exactly what the contract pays at `block`. */
            amountOutRaw?: string;
            /** @description Of a sell: the wei that come out, exactly what the contract pays at `block`. */
            amountOutWei?: string;
            /** @description Wei refunded, if a buy reaches the end of the curve; otherwise 0. */
            refundWei: string;
            /** @description Of a buy: the minimum that the transaction accepts for the amount paid without refund: amountOutRaw less slippage, rounded up. On the curve it bounds the price for each token, even if the curve ends within the buy. */
            minAmountOutRaw?: string;
            /** @description Of a sell: the minimum that the transaction accepts, amountOutWei less slippage, rounded up. */
            minAmountOutWei?: string;
            slippagePercent: number;
            /** @description The pool's fee, in percent of the amount paid in: 0 on the curve. Output amounts are after the fee. */
            feePercent: number;
            /** @description BNB for one token before the trade: the ratio of the reserves. */
            priceBnb: string;
            /** @description BNB for one token in this trade: the amount paid (without refund) for the amount received, including the fee. */
            averagePriceBnb: string;
            /** @description BNB for one token after the trade. */
            priceAfterBnb: string;
            /** @description How many percent less comes out than at priceBnb, for the amount paid in without refund and fee: the cost of the trade's size. Rounded down to 4 decimals. */
            priceImpactPercent: number;
            /** @description The BNB paid (without refund) or received, in USD at the price feed's last answer. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            amountUsd?: string;
            /** @description priceBnb in USD. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description averagePriceBnb in USD. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            averagePriceUsd?: string;
            /** @description priceAfterBnb in USD. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceAfterUsd?: string;
            /** @description Percent of the curve that is sold after the trade, up to 4 decimals. 100 once the token has graduated. */
            progressAfterPercent: number;
            /** @description Whether this buy graduates the token. */
            graduates: boolean;
            /** @description If this buy graduates the token: what that costs holders. Otherwise null. */
            graduationExit: components["schemas"]["GraduationExit"] | null;
            /** @description The chain's last indexed block, on which the quote is based. */
            block: number;
            /** @description The latest time at which the transaction may be mined, in seconds since 1970. */
            deadline: number;
            /** @description Of a sell with `account`: what that account holds at `block`, in base units. If it is less than amountInRaw, the transaction reverts. */
            accountBalanceRaw?: string;
            /** @description With `account`: reasons why the transaction would revert if that account sent it now. Empty without an account. */
            warnings: {
                /**
                 * @description `balance_too_low`: the account has less than the amount to pay in (for a buy, gas comes on top). `allowance_too_low`: send `approval` first. `permit_not_valid`: `signature` is not the account's of a permit for this amount and deadline, or has been used: sign `permit`. `account_not_checked`: the chain's RPC endpoint, which is asked for BNB, allowance and permit, did not answer, or the token has no permits. `salt_of_another_account`: of a first buy, whose salt is bound to another account. `salt_already_used`: of a first buy, whose token exists. More codes may be added.
                 * @enum {string}
                 */
                code: "balance_too_low" | "allowance_too_low" | "permit_not_valid" | "account_not_checked" | "salt_of_another_account" | "salt_already_used";
                message: string;
            }[];
            /** @description With `simulation=true`: what the transaction would do at the chain's latest state, in which the price may have moved since `block`. */
            simulation?: {
                /** @enum {string} */
                outcome: "succeeds" | "reverts" | "not_simulated";
                /** @description The name of the contract's error, or why there was no simulation. */
                reason?: string;
            };
            /** @description Ready to sign and send. Null on the DEX if `account` is not given. */
            transaction: {
                /** @description The contract to call. */
                to: string;
                /** @description The call data. */
                data: string;
                /** @description Wei to send along. */
                value: string;
                /** @description The gas limit to set: at least what the call can need when it is mined, so don't estimate. Unused gas costs nothing. An estimate is of the chain as it is now. A buy on the curve needs several times as much if other buys make it the one that graduates the token, a trade on the DEX more in a new second, and a sale can't be estimated before its approval is mined. */
                gas: number;
                chainId: number;
                /** @description The same in the form that `eth_sendTransaction` takes, with quantities in hexadecimal. */
                rpc: {
                    /** @description The account, if one was given. If absent, add the sender. */
                    from?: string;
                    /** @description The contract to call. */
                    to: string;
                    /** @description The call data. */
                    data: string;
                    /** @description Wei to send along. */
                    value: string;
                    /** @description The gas limit. */
                    gas: string;
                    /** @description The chain. */
                    chainId: string;
                };
            } | null;
            /** @description How to get the transaction if it is null. */
            hint?: string;
            /** @description Sells only: the transaction to send first, which allows the spender to take exactly amountInRaw. Null for a buy, and with `signature`. */
            approval: {
                /** @description The contract to call. */
                to: string;
                /** @description The call data. */
                data: string;
                /** @description Wei to send along. */
                value: string;
                /** @description The gas limit to set: at least what the call can need when it is mined, so don't estimate. Unused gas costs nothing. An estimate is of the chain as it is now. A buy on the curve needs several times as much if other buys make it the one that graduates the token, a trade on the DEX more in a new second, and a sale can't be estimated before its approval is mined. */
                gas: number;
                chainId: number;
                /** @description The same in the form that `eth_sendTransaction` takes, with quantities in hexadecimal. */
                rpc: {
                    /** @description The account, if one was given. If absent, add the sender. */
                    from?: string;
                    /** @description The contract to call. */
                    to: string;
                    /** @description The call data. */
                    data: string;
                    /** @description Wei to send along. */
                    value: string;
                    /** @description The gas limit. */
                    gas: string;
                    /** @description The chain. */
                    chainId: string;
                };
                /** @description The launchpad on the curve, the router on the DEX. */
                spender: string;
            } | null;
            /** @description Instead of sending `approval`: the typed data (EIP-712) of an ERC-2612 permit. Sign it, and repeat the request with `signature` and this `deadline`: `transaction` then needs no approval. Null if nothing has to be approved, with a valid `signature`, on the DEX, without `account`, and if the chain's contracts have no permits. */
            permit: {
                domain: {
                    name: string;
                    version: string;
                    chainId: number;
                    /** @description The token. */
                    verifyingContract: string;
                };
                types: {
                    EIP712Domain: {
                        name: string;
                        type: string;
                    }[];
                    Permit: {
                        name: string;
                        type: string;
                    }[];
                };
                /** @enum {string} */
                primaryType: "Permit";
                message: {
                    /** @description The account. */
                    owner: string;
                    /** @description The launchpad. */
                    spender: string;
                    /** @description amountInRaw. */
                    value: string;
                    /** @description The number of permits that the account has used on this token. */
                    nonce: string;
                    /** @description The quote's deadline, in seconds since 1970. */
                    deadline: string;
                };
            } | null;
        };
        /** @description The BNB that all who bought on the curve can take out together by selling everything, on both sides of the graduation. */
        GraduationExit: {
            /** @description Just before it: the BNB that buyers will have paid to the curve. */
            beforeBnb: string;
            /** @description Just after it, on the DEX, without its fee. */
            afterBnb: string;
        };
        FirstBuyQuote: {
            chainId: number;
            burnPercent: number;
            /** @description Wei that are paid in. */
            amountInWei: string;
            /** @description Base units that come out: exactly what the contract pays. */
            amountOutRaw: string;
            /** @description Wei refunded, if the buy reaches the end of the curve; otherwise 0. */
            refundWei: string;
            /** @description The last argument of createTokenAndBuy: amountOutRaw, scaled to all of amountIn. Nobody can buy earlier, so there is no slippage. */
            minTokensOutRaw: string;
            /** @description BNB for one token before the trade: the ratio of the reserves. */
            priceBnb: string;
            /** @description BNB for one token in this trade: the amount paid (without refund) for the amount received, including the fee. */
            averagePriceBnb: string;
            /** @description BNB for one token after the trade. */
            priceAfterBnb: string;
            /** @description How many percent less comes out than at priceBnb, for the amount paid in without refund and fee: the cost of the trade's size. Rounded down to 4 decimals. */
            priceImpactPercent: number;
            /** @description The BNB paid (without refund) or received, in USD at the price feed's last answer. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            amountUsd?: string;
            /** @description priceBnb in USD. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description averagePriceBnb in USD. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            averagePriceUsd?: string;
            /** @description priceAfterBnb in USD. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceAfterUsd?: string;
            /** @description Percent of the curve that is sold after the trade, up to 4 decimals. 100 once the token has graduated. */
            progressAfterPercent: number;
            /** @description Whether this buy graduates the token. */
            graduates: boolean;
            /** @description With `account`: reasons why the transaction would revert if that account sent it now. Empty without an account. */
            warnings: {
                /**
                 * @description `balance_too_low`: the account has less than the amount to pay in (for a buy, gas comes on top). `allowance_too_low`: send `approval` first. `permit_not_valid`: `signature` is not the account's of a permit for this amount and deadline, or has been used: sign `permit`. `account_not_checked`: the chain's RPC endpoint, which is asked for BNB, allowance and permit, did not answer, or the token has no permits. `salt_of_another_account`: of a first buy, whose salt is bound to another account. `salt_already_used`: of a first buy, whose token exists. More codes may be added.
                 * @enum {string}
                 */
                code: "balance_too_low" | "allowance_too_low" | "permit_not_valid" | "account_not_checked" | "salt_of_another_account" | "salt_already_used";
                message: string;
            }[];
            /** @description Ready to sign and send. Null if name and symbol are not given. */
            transaction: {
                /** @description The contract to call. */
                to: string;
                /** @description The call data. */
                data: string;
                /** @description Wei to send along. */
                value: string;
                /** @description The gas limit to set: at least what the call can need when it is mined, so don't estimate. Unused gas costs nothing. An estimate is of the chain as it is now. A buy on the curve needs several times as much if other buys make it the one that graduates the token, a trade on the DEX more in a new second, and a sale can't be estimated before its approval is mined. */
                gas: number;
                chainId: number;
                /** @description The same in the form that `eth_sendTransaction` takes, with quantities in hexadecimal. */
                rpc: {
                    /** @description The account, if one was given. If absent, add the sender. */
                    from?: string;
                    /** @description The contract to call. */
                    to: string;
                    /** @description The call data. */
                    data: string;
                    /** @description Wei to send along. */
                    value: string;
                    /** @description The gas limit. */
                    gas: string;
                    /** @description The chain. */
                    chainId: string;
                };
            } | null;
            /** @description How to get the transaction if it is null. */
            hint?: string;
        };
        Metadata: {
            name: string;
            symbol: string;
            /** @enum {number} */
            decimals: 18;
            /** @description Empty if there is none. */
            description: string;
            /** @description URL (http, https or ipfs) of the image; empty if there is none. */
            image: string;
            /** @description The token's website. */
            external_url?: string;
            website?: string;
            twitter?: string;
            telegram?: string;
            mint: string;
            chainId: number;
            creator: string;
            /** @description Whether anyone has registered the token. */
            registered: boolean;
            /** @description Whether the creator signed the registration. */
            verified: boolean;
        };
        Holders: {
            mint: string;
            chainId: number;
            /** @description Accounts with a balance, not counting the launchpad, the pair and burn addresses. */
            holderCount: number;
            /** @description Base units (18 decimals). */
            totalSupplyRaw: string;
            risk?: components["schemas"]["Risk"] & unknown;
            /** @description With `at`: the last block up to it in which the token moved. Its balances are those of every block from this one to `at`. Null if the token did not exist yet. */
            asOf?: {
                block: number;
                /** Format: date-time */
                time: string;
            } | null;
            holders: {
                rank: number;
                address: string;
                /** @description Base units (18 decimals). */
                balanceRaw: string;
                /** @description Percent of totalSupplyRaw, rounded down to 4 decimals. */
                percent: number;
                /** @enum {string|null} */
                label: "launchpad" | "pair" | "creator" | "burn" | null;
                /** @description Whether it bought in the curve's first three blocks. */
                earlyBuyer: boolean;
                /** @description What the account is to the token. `creator`: created it. `sniper`: bought in the first three blocks of its curve. `bundler`: a sniper that bought in the very block in which the curve opened. `insider`: got it by transfer from the creator, or from an insider, over at most three transfers. The creator is none of the three. */
                labels: ("creator" | "bundler" | "sniper" | "insider")[];
            }[];
            page: number;
            limit: number;
            hasMore: boolean;
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        HolderDays: {
            mint: string;
            chainId: number;
            /** @description The last indexed block. It is in the last day, which is not over yet. */
            asOf: {
                block: number;
                /** Format: date-time */
                time: string;
            };
            /** @description Oldest first, each day once, from the token's creation at the earliest. */
            days: {
                /**
                 * Format: date
                 * @description The day in UTC.
                 */
                day: string;
                /** @description Accounts with a balance, not counting the launchpad, the pair and burn addresses. */
                holders: number;
                /** @description Percent of the circulating supply that the ten largest holders held, rounded down to 4 decimals. Null if nothing circulated. */
                top10Percent: number | null;
                /** @description Effective number of holders, as in `risk`. Null if nothing circulated. */
                effectiveHolders: number | null;
            }[];
        };
        TokenDetails: components["schemas"]["Token"] & {
            /** @description Other tokens of the chain with the same symbol, registered or not. Case and surrounding blanks are ignored. */
            sameSymbolTokens: number;
            /** @description The largest older or much larger token of the chain whose symbol or name looks the same, also with other letters that look alike. Null if there is none. */
            lookAlike: components["schemas"]["LookAlike"] | null;
            /** @description What graduation costs holders. Null once the token has graduated. */
            graduationExit: components["schemas"]["GraduationExit"] | null;
            /** @description The price impact of buying for 0.01 BNB and for 0.1 BNB now. */
            buyImpacts: components["schemas"]["BuyImpact"][];
        };
        LookAlike: {
            mint: string;
            name: string;
            symbol: string;
            /** Format: date-time */
            createdAt: string;
            graduated: boolean;
            /** @description BNB that sells can withdraw: what the curve holds for the token or, after graduation, the DEX pair's BNB reserve. */
            liquidityBnb: string;
            /** @description What looks alike. */
            same: ("symbol" | "name")[];
            /**
             * @description Why this is rather the token that is meant: `older` was created first and is not much smaller, `larger` has graduated and at least twice the liquidity.
             * @enum {string}
             */
            reason: "older" | "larger";
        };
        BuyImpact: {
            /** @description BNB paid. */
            amountBnb: string;
            /** @description Percent by which the buy returns fewer tokens than at the price before it, not counting the fee, up to 4 decimals, as in a quote. Null if such a buy is not possible, or the fee of the chain's DEX can't be read. */
            priceImpactPercent: number | null;
        };
        /** @description The response with `fields`, which it repeats, and `mint`. */
        ChosenTokenDetails: {
            /** @description The token's contract address. */
            mint: string;
            chainId?: number;
            name?: string;
            symbol?: string;
            creator?: string;
            /** @description Percent of the supply burned at launch. */
            burnPercent?: number;
            description?: string | null;
            /** @description The URL as registered. */
            imageUrl?: string | null;
            /** @description The same image on this service's own gateway, which returns 404 if it was not uploaded here. Add `?width=64`, `128`, `256` or `512` for a resized one. Null if imageUrl is not the IPFS address of such an image. */
            imageHttpUrl?: string | null;
            twitterUrl?: string | null;
            telegramUrl?: string | null;
            websiteUrl?: string | null;
            launchpadAddress?: string;
            /** @description Whether anyone has registered the token. True in lists. */
            registered?: boolean;
            /** @description Whether the token's creator signed this entry. */
            verified?: boolean;
            /**
             * Format: date-time
             * @description Null if nobody has registered the token.
             */
            registeredAt?: string | null;
            /**
             * Format: date-time
             * @description When the token was created on the chain. Null only in the response to a registration of a token whose block is not indexed yet; holders and trades are empty then, too.
             */
            createdAt?: string | null;
            /** @description Block of the creation. Null whenever createdAt is. */
            createdBlock?: number | null;
            /** @description Percent of the curve that is sold, up to 4 decimals. 100 if and only if graduated. */
            progress?: number;
            graduated?: boolean;
            /**
             * Format: date-time
             * @description When it graduated. Null before, and in the response to a registration of a token whose block is not indexed yet.
             */
            graduatedAt?: string | null;
            /** @description BNB for one token, on the curve or, after graduation, on the DEX pair. */
            priceBnb?: string;
            /** @description USD for one token: priceBnb at the BNB/USD feed's last answer. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description BNB for the whole supply at that price. */
            marketCapBnb?: string;
            /** @description USD for the whole supply at that price. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            marketCapUsd?: string;
            holderCount?: number;
            /** @description BNB that sells can withdraw: what the curve holds for the token or, after graduation, the DEX pair's BNB reserve. */
            liquidityBnb?: string;
            /** @description liquidityBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            liquidityUsd?: string;
            /** @description The DEX pair, once graduated. */
            pair?: string | null;
            /**
             * Format: date-time
             * @description Null if nobody has traded the token.
             */
            lastTradeAt?: string | null;
            /** @description BNB that was paid for tokens, by buyers and to sellers. */
            volumeBnb?: string;
            /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            volumeUsd?: string;
            /** @description Buys and sells. */
            trades?: number;
            buys?: number;
            sells?: number;
            /** @description volumeBnb without back and forth trading of one account, which costs next to nothing: for each account, what it paid less what it received, or the other way round, all added up. */
            netVolumeBnb?: string;
            /** @description What happened in the last 5 minutes, 1 hour, 6 hours and 24 hours, up to the time of the chain's last indexed block. A window begins just after its start: what happened exactly that long ago is not in it. */
            windows?: {
                "5m": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
                "1h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
                "6h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
                "24h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    /** @description Accounts that bought or sold. */
                    traders: number;
                    /** @description Percent, up to 4 decimals, from the price after the last trade before the window (or, without one, the price at which the curve opened) to the price after the latest trade. Null if there is no price to compare with. */
                    priceChangePercent: number | null;
                };
            };
            risk?: components["schemas"]["Risk"];
            creatorRecord?: components["schemas"]["CreatorRecord"];
            /** @description Other tokens of the chain with the same symbol, registered or not. Case and surrounding blanks are ignored. */
            sameSymbolTokens?: number;
            /** @description The largest older or much larger token of the chain whose symbol or name looks the same, also with other letters that look alike. Null if there is none. */
            lookAlike?: components["schemas"]["LookAlike"] | null;
            /** @description What graduation costs holders. Null once the token has graduated. */
            graduationExit?: components["schemas"]["GraduationExit"] | null;
            /** @description The price impact of buying for 0.01 BNB and for 0.1 BNB now. */
            buyImpacts?: components["schemas"]["BuyImpact"][];
            fields: ("mint" | "chainId" | "name" | "symbol" | "creator" | "burnPercent" | "description" | "imageUrl" | "imageHttpUrl" | "twitterUrl" | "telegramUrl" | "websiteUrl" | "launchpadAddress" | "registered" | "verified" | "registeredAt" | "createdAt" | "createdBlock" | "progress" | "graduated" | "graduatedAt" | "priceBnb" | "priceUsd" | "marketCapBnb" | "marketCapUsd" | "holderCount" | "liquidityBnb" | "liquidityUsd" | "pair" | "lastTradeAt" | "volumeBnb" | "volumeUsd" | "trades" | "buys" | "sells" | "netVolumeBnb" | "windows" | "risk" | "creatorRecord" | "sameSymbolTokens" | "lookAlike" | "graduationExit" | "buyImpacts")[];
        };
        RegistrationHistory: {
            mint: string;
            chainId: number;
            versions: components["schemas"]["RegistrationVersion"][];
        };
        RegistrationVersion: {
            /**
             * Format: date-time
             * @description When it was registered. Null if versions before it are no longer kept.
             */
            since: string | null;
            /** @description Whether the token's creator signed it. */
            verified: boolean;
            description: string | null;
            imageUrl: string | null;
            twitterUrl: string | null;
            telegramUrl: string | null;
            websiteUrl: string | null;
            /** @description The fields that differ from the version before. Empty for the oldest, and after versions that are no longer kept. */
            changed: ("description" | "imageUrl" | "twitterUrl" | "telegramUrl" | "websiteUrl")[];
        };
        Stats: {
            chainId: number;
            /** @description The chain's last indexed block. All values are as of this block. */
            asOf: {
                block: number;
                /** Format: date-time */
                time: string;
            };
            /** @description Tokens created. */
            tokens: number;
            /** @description Tokens in the list. */
            registeredTokens: number;
            graduatedTokens: number;
            /** @description BNB that the curves hold: what buyers paid, less what sellers got back and what graduations moved to the DEX. */
            inCurvesBnb: string;
            /** @description inCurvesBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            inCurvesUsd?: string;
            /** @description BNB that was paid for tokens, by buyers and to sellers. */
            volumeBnb: string;
            /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            volumeUsd?: string;
            /** @description Buys and sells. */
            trades: number;
            buys: number;
            sells: number;
            /** @description USD for one BNB: the last answer of the BNB/USD feed. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            bnbUsd?: string;
            /**
             * Format: date-time
             * @description The time of that answer's block.
             */
            bnbUsdAt?: string;
            /** @description What happened in the last 5 minutes, 1 hour, 6 hours and 24 hours, up to the time of the chain's last indexed block. A window begins just after its start: what happened exactly that long ago is not in it. */
            windows: {
                "5m": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    tokensCreated: number;
                    tokensGraduated: number;
                };
                "1h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    tokensCreated: number;
                    tokensGraduated: number;
                };
                "6h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    tokensCreated: number;
                    tokensGraduated: number;
                };
                "24h": {
                    /** @description BNB that was paid for tokens, by buyers and to sellers. */
                    volumeBnb: string;
                    /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                    volumeUsd?: string;
                    /** @description Buys and sells. */
                    trades: number;
                    buys: number;
                    sells: number;
                    tokensCreated: number;
                    tokensGraduated: number;
                };
            };
        };
        DailyStats: {
            chainId: number;
            /** @description All values are as of this block. It is in the last day, which is not over yet. */
            asOf: {
                block: number;
                /** Format: date-time */
                time: string;
            };
            /** @description Oldest first, each day once, including those on which nothing happened. */
            days: {
                /**
                 * Format: date
                 * @description The day in UTC.
                 */
                day: string;
                /** @description BNB that was paid for tokens, by buyers and to sellers. */
                volumeBnb: string;
                /** @description The same in USD, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                volumeUsd?: string;
                /** @description Buys and sells. */
                trades: number;
                buys: number;
                sells: number;
                tokensCreated: number;
                tokensGraduated: number;
            }[];
        };
        Candles: {
            mint: string;
            chainId: number;
            /** @enum {string} */
            interval: "1m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
            candles: components["schemas"]["Candle"][];
        };
        Candle: {
            /** @description When the interval began, in seconds since 1970. */
            time: number;
            /**
             * Format: date-time
             * @description The same as ISO 8601.
             */
            openTime: string;
            /** @description BNB for one token: the price before the interval, which is the previous candle's close. */
            openBnb: string;
            /** @description BNB for one token: the highest price, including the open. */
            highBnb: string;
            /** @description BNB for one token: the lowest price, including the open. */
            lowBnb: string;
            /** @description BNB for one token: after the last trade, on curve or DEX. */
            closeBnb: string;
            /** @description BNB traded, buys and sells. */
            volumeBnb: string;
            /** @description Tokens traded, buys and sells, in whole tokens. */
            volumeTokens: string;
            /** @description 0: nothing was traded, and the price stays at the last close. */
            trades: number;
            /** @description USD for one token at the rate of the trade that set the price; for the opening price, at the rate when the curve opened. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            openUsd?: string;
            /** @description As openUsd. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            highUsd?: string;
            /** @description As openUsd. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            lowUsd?: string;
            /** @description As openUsd. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            closeUsd?: string;
            /** @description USD traded, each trade at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            volumeUsd?: string;
        };
        UdfConfig: {
            supported_resolutions: ("1" | "5" | "15" | "30" | "60" | "240" | "1D" | "D" | "1W" | "W")[];
            /** @enum {boolean} */
            supports_search: true;
            /** @enum {boolean} */
            supports_group_request: false;
            /** @enum {boolean} */
            supports_marks: false;
            /** @enum {boolean} */
            supports_timescale_marks: false;
            /** @enum {boolean} */
            supports_time: true;
            exchanges: {
                value: string;
                name: string;
                desc: string;
            }[];
            symbols_types: {
                name: string;
                value: string;
            }[];
        };
        UdfSymbol: {
            name: string;
            ticker: string;
            description: string;
            /** @enum {string} */
            type: "crypto";
            /** @enum {string} */
            session: "24x7";
            /** @enum {string} */
            timezone: "Etc/UTC";
            exchange: string;
            listed_exchange: string;
            /** @enum {string} */
            currency_code: "BNB" | "USD";
            /** @enum {string} */
            format: "price";
            /** @enum {number} */
            minmov: 1;
            /** @description A power of ten, by which prices show six significant digits. */
            pricescale: number;
            /** @description Decimals of volumes, which are in the prices' currency. */
            volume_precision: number;
            /** @enum {boolean} */
            has_intraday: true;
            /** @enum {boolean} */
            has_daily: true;
            /** @enum {boolean} */
            has_weekly_and_monthly: true;
            supported_resolutions: ("1" | "5" | "15" | "30" | "60" | "240" | "1D" | "D" | "1W" | "W")[];
            intraday_multipliers: string[];
            /** @enum {string} */
            data_status: "streaming";
        };
        UdfFoundSymbol: {
            symbol: string;
            full_name: string;
            description: string;
            exchange: string;
            ticker: string;
            /** @enum {string} */
            type: "crypto";
        };
        UdfHistory: {
            /** @enum {string} */
            s: "ok";
            t: number[];
            o: number[];
            h: number[];
            l: number[];
            c: number[];
            v: number[];
        } | {
            /** @enum {string} */
            s: "no_data";
        };
        TokenTrades: {
            mint: string;
            chainId: number;
            trades: components["schemas"]["Trade"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        Trade: {
            /**
             * @description Chain, block and log index, zero-padded, so that text order is chain order. Unique over chains, and the same in the stream and in GraphQL.
             * @example 56-000045612378-000042
             */
            id: string;
            /** @description The token's contract address. */
            mint: string;
            chainId: number;
            /** @description The account that the bought tokens reached, or that the sold ones came from, in the transaction. */
            trader: string;
            /**
             * @description The bonding curve or, after graduation, the DEX.
             * @enum {string}
             */
            venue: "curve" | "dex";
            /**
             * @description `buy`: tokens for BNB. `sell`: BNB for tokens.
             * @enum {string}
             */
            side: "buy" | "sell";
            /** @description Wei that the trader paid or received. */
            bnbAmountWei: string;
            /** @description Base units (18 decimals) that the trader received or sold. */
            tokenAmountRaw: string;
            /** @description BNB for one token, on average of this trade; 0 if no tokens moved. */
            priceBnb: string;
            /** @description BNB for one token after this trade: bnbReservesWei / tokenReservesRaw. */
            priceAfterBnb: string;
            /** @description Wei after this trade: the curve's virtual BNB reserve (so you need no curve maths), or the DEX pair's. */
            bnbReservesWei: string;
            /** @description Base units after this trade, like bnbReservesWei. */
            tokenReservesRaw: string;
            block: number;
            /**
             * Format: date-time
             * @description The time of the block.
             */
            timestamp: string;
            tx: string;
            /** @description The event's log index in its block. */
            logIndex: number;
            /** @description What bnbAmountWei was worth in USD at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            amountUsd?: string;
            /** @description priceBnb in USD at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description priceAfterBnb in USD at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceAfterUsd?: string;
            /** @description USD for one BNB at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            bnbUsd?: string;
        };
        Trades: {
            chainId: number;
            trades: components["schemas"]["NamedTrade"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        NamedTrade: {
            /**
             * @description Chain, block and log index, zero-padded, so that text order is chain order. Unique over chains, and the same in the stream and in GraphQL.
             * @example 56-000045612378-000042
             */
            id: string;
            /** @description The token's contract address. */
            mint: string;
            chainId: number;
            /** @description The account that the bought tokens reached, or that the sold ones came from, in the transaction. */
            trader: string;
            /**
             * @description The bonding curve or, after graduation, the DEX.
             * @enum {string}
             */
            venue: "curve" | "dex";
            /**
             * @description `buy`: tokens for BNB. `sell`: BNB for tokens.
             * @enum {string}
             */
            side: "buy" | "sell";
            /** @description Wei that the trader paid or received. */
            bnbAmountWei: string;
            /** @description Base units (18 decimals) that the trader received or sold. */
            tokenAmountRaw: string;
            /** @description BNB for one token, on average of this trade; 0 if no tokens moved. */
            priceBnb: string;
            /** @description BNB for one token after this trade: bnbReservesWei / tokenReservesRaw. */
            priceAfterBnb: string;
            /** @description Wei after this trade: the curve's virtual BNB reserve (so you need no curve maths), or the DEX pair's. */
            bnbReservesWei: string;
            /** @description Base units after this trade, like bnbReservesWei. */
            tokenReservesRaw: string;
            block: number;
            /**
             * Format: date-time
             * @description The time of the block.
             */
            timestamp: string;
            tx: string;
            /** @description The event's log index in its block. */
            logIndex: number;
            /** @description What bnbAmountWei was worth in USD at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            amountUsd?: string;
            /** @description priceBnb in USD at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description priceAfterBnb in USD at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceAfterUsd?: string;
            /** @description USD for one BNB at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            bnbUsd?: string;
            /** @description The token's name. Untrusted text. */
            name: string;
            /** @description The token's symbol. Untrusted text. */
            symbol: string;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
        };
        Traders: {
            mint: string;
            chainId: number;
            /** @enum {string} */
            sort: "realised" | "unrealised" | "volume" | "bought" | "sold";
            traders: components["schemas"]["Trader"][];
        };
        /** @description Results use average cost: a buy adds its tokens and their cost to the open position; a sell realises its proceeds less the average cost of as many open tokens; a transfer moves the average cost along with the tokens, from the sender's open position to the receiver's. What comes from the mint or from liquidity costs nothing. Gas is not counted. */
        Trader: {
            rank: number;
            /** @description The account. */
            address: string;
            /** @description What the account is to the token. `creator`: created it. `sniper`: bought in the first three blocks of its curve. `bundler`: a sniper that bought in the very block in which the curve opened. `insider`: got it by transfer from the creator, or from an insider, over at most three transfers. The creator is none of the three. */
            labels: ("creator" | "bundler" | "sniper" | "insider")[];
            /** @description Base units (18 decimals) that the account holds now. */
            balanceRaw: string;
            buys: number;
            sells: number;
            /** @description Base units (18 decimals). */
            tokensBoughtRaw: string;
            /** @description Base units (18 decimals). */
            tokensSoldRaw: string;
            /** @description Wei. */
            bnbSpentWei: string;
            /** @description Wei. */
            bnbReceivedWei: string;
            /** @description Base units received other than by buys: by transfers, and from liquidity. */
            receivedRaw: string;
            /** @description Wei that receivedRaw cost their senders. */
            receivedCostWei: string;
            /** @description Base units sent other than by sells: by transfers, to burn addresses, and to liquidity. */
            sentRaw: string;
            /** @description Wei that sentRaw cost, by the average cost when they were sent. */
            sentCostWei: string;
            /** @description BNB of realised profit; below 0 is a loss. */
            realisedBnb: string;
            /** @description Base units bought or received and not yet sold or sent. */
            openTokensRaw: string;
            /** @description Wei that the open tokens cost. */
            openCostWei: string;
            /** @description BNB for the open tokens at priceBnb. */
            valueBnb: string;
            /** @description valueBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            valueUsd?: string;
            /** @description BNB that selling the open tokens on the curve or the DEX pair would bring after fees, as in a quote. Null if that includes a graduated token and the DEX's fee can't be read from the chain. */
            exitBnb: string | null;
            /** @description exitBnb in USD now; left out if that is null. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            exitUsd?: string;
            /** @description BNB: valueBnb less what the open tokens cost; negative is a loss. */
            unrealisedBnb: string;
            /** @description BNB: what selling all open tokens would bring, as in exitBnb, less what they cost. */
            unrealisedAtExitBnb: string | null;
            /** @description The same in USD, less what the open tokens cost in USD at the time. */
            unrealisedAtExitUsd?: string;
            /** @description USD spent on buys, each at the rate of its time. Left out, like the other results in USD, if a trade had no rate. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            spentUsd?: string;
            /** @description USD received from sells, each at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            receivedUsd?: string;
            /** @description USD of realised profit, each trade at the rate of its time; below 0 is a loss. */
            realisedUsd?: string;
            /** @description USD: the current value, less what the open tokens cost when they were bought; below 0 is a loss. */
            unrealisedUsd?: string;
            /**
             * Format: date-time
             * @description Null if the account has only received or sent the token.
             */
            firstTradeAt: string | null;
            /**
             * Format: date-time
             * @description Null if the account has only received or sent the token.
             */
            lastTradeAt: string | null;
        };
        TokenLiquidity: {
            mint: string;
            chainId: number;
            liquidity: components["schemas"]["LiquidityChange"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        LiquidityChange: {
            /**
             * @description Chain, block and log index, zero-padded, so that text order is chain order. Unique over chains, and the same in the stream and in GraphQL.
             * @example 56-000045612378-000042
             */
            id: string;
            /** @description The token's contract address. */
            mint: string;
            chainId: number;
            /** @description The DEX pair. */
            pair: string;
            /** @description The account that the pair's liquidity tokens reached, or came from; the launchpad for what it added at graduation. */
            provider: string;
            /**
             * @description `add`: BNB and tokens went into the pair. `remove`: they came out of it.
             * @enum {string}
             */
            kind: "add" | "remove";
            /** @description Wei added or removed. */
            bnbAmountWei: string;
            /** @description The same in BNB. */
            amountBnb: string;
            /** @description Base units (18 decimals) added or removed. */
            tokenAmountRaw: string;
            /** @description Wei in the pair after the change. */
            bnbReservesWei: string;
            /** @description The same in BNB. */
            reservesBnb: string;
            /** @description Base units (18 decimals) in the pair after the change. */
            tokenReservesRaw: string;
            block: number;
            /**
             * Format: date-time
             * @description The time of the block.
             */
            timestamp: string;
            tx: string;
            /** @description The log index of the event: the pair's Mint or Burn, or the launchpad's Graduated. */
            logIndex: number;
        };
        TokenTransfers: {
            mint: string;
            chainId: number;
            transfers: components["schemas"]["Transfer"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        Transfer: {
            /**
             * @description Chain, block and log index, zero-padded, so that text order is chain order. Unique over chains, and the same in the stream and in GraphQL.
             * @example 56-000045612378-000042
             */
            id: string;
            /** @description The token's contract address. */
            mint: string;
            chainId: number;
            /** @description The token's name. Untrusted text. */
            name: string;
            /** @description The token's symbol. Untrusted text. */
            symbol: string;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
            /** @description Who had the tokens; the zero address for a mint. */
            from: string;
            /** @description Who got the tokens; the zero address for a burn. */
            to: string;
            /** @description Base units (18 decimals), without those that the same movement carried for a trade or a change of liquidity. */
            amountRaw: string;
            block: number;
            /**
             * Format: date-time
             * @description The time of the block.
             */
            timestamp: string;
            tx: string;
            /** @description The log index of the Transfer event. */
            logIndex: number;
        };
        AccountTransfers: {
            address: string;
            chainId: number;
            transfers: components["schemas"]["Transfer"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        Transaction: {
            hash: string;
            chainId: number;
            /** @enum {string} */
            status: "pending" | "succeeded" | "reverted";
            /** @description Of a reverted one: the name of the contract's error, or a short text by the contract, which is untrusted. Found by simulating it at the state before its block. */
            revertReason?: string;
            /** @description The block that has it; null while it is pending. With it as `minBlock`, reads see what it did. */
            block: number | null;
            from: string;
            /** @description Null if it creates a contract. */
            to: string | null;
            /** @description Wei sent along. */
            valueWei: string;
            /** @description Null while it is pending. */
            gasUsed: number | null;
            /** @description Null if it calls no function of the launchpad, a token or the DEX router. Other contracts may have those of a token and the router: check `to`. */
            call: {
                functionName: string;
                /** @description The arguments by name: addresses in lower case, numbers as decimal strings. Texts are untrusted. */
                args: {
                    [key: string]: string;
                };
            } | null;
            /** @description The first 40 events of launchpad, tokens and DEX pairs, in order. Those of the launchpad and its factory are their own; other contracts may emit those of a token or a pair: check `contract`. */
            events: {
                contract: string;
                name: string;
                /** @description The arguments by name: addresses in lower case, numbers as decimal strings. Texts are untrusted. */
                args: {
                    [key: string]: string;
                };
            }[];
            /** @description Whether there are more than 40. */
            moreEvents: boolean;
        };
        Account: {
            address: string;
            chainId: number;
            /**
             * Format: date-time
             * @description When it first held, traded or created a token; null if it never did.
             */
            firstSeenAt: string | null;
            /** @description The account's BNB at the block in X-Index-Block, as everything else here. Null if the chain's RPC endpoint does not answer, or no longer has the state at that block. */
            nativeBalanceBnb: string | null;
            /** @description nativeBalanceBnb in USD now; left out if that is null. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            nativeBalanceUsd?: string;
            totals: components["schemas"]["AccountTotals"];
            creatorRecord: components["schemas"]["CreatorRecord"];
            /** @description The most valuable first. */
            holdings: components["schemas"]["Holding"][];
            /** @description The newest first. */
            createdTokens: components["schemas"]["CreatedToken"][];
            /** @description Results by token, the last traded first. Those that were never traded, only received or sent, come last. */
            positions: components["schemas"]["Position"][];
            /** @description The newest first. */
            trades: components["schemas"]["NamedTrade"][];
            /** @description For each list the `cursor` of its next page; null if there is none. */
            nextCursor: {
                /** @description The `cursor` of the next page; null on the last page. */
                holdings: string | null;
                /** @description The `cursor` of the next page; null on the last page. */
                createdTokens: string | null;
                /** @description The `cursor` of the next page; null on the last page. */
                positions: string | null;
                /** @description The `cursor` of the next page; null on the last page. */
                trades: string | null;
            };
        };
        /** @description Over all tokens, including those on other pages. */
        AccountTotals: {
            /** @description Tokens that the account has a balance of. Balances of the launchpad, pairs and burn addresses do not count as holdings: see a token's holders. */
            holdings: number;
            /** @description Tokens that the account has traded, received or sent. */
            positions: number;
            buys: number;
            sells: number;
            /** @description Wei. */
            bnbSpentWei: string;
            /** @description Wei. */
            bnbReceivedWei: string;
            /** @description BNB of realised profit; below 0 is a loss. */
            realisedBnb: string;
            /** @description BNB: the current value of all open tokens, less what they cost; below 0 is a loss. */
            unrealisedBnb: string;
            /** @description BNB: what selling all open tokens would bring, as in exitBnb, less what they cost. */
            unrealisedAtExitBnb: string | null;
            /** @description The same in USD, less what the open tokens cost in USD at the time. */
            unrealisedAtExitUsd?: string;
            /** @description USD spent on buys, each at the rate of its time. Left out, like the other results in USD, if a trade had no rate. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            spentUsd?: string;
            /** @description USD received from sells, each at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            receivedUsd?: string;
            /** @description USD of realised profit, each trade at the rate of its time; below 0 is a loss. */
            realisedUsd?: string;
            /** @description USD: the current value, less what the open tokens cost when they were bought; below 0 is a loss. */
            unrealisedUsd?: string;
            /** @description BNB for all holdings at current prices. */
            valueBnb: string;
            /** @description valueBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            valueUsd?: string;
            /** @description BNB that selling each holding by itself on the curve or the DEX pair would bring after fees, as in a quote. Null if that includes a graduated token and the DEX's fee can't be read from the chain. */
            exitBnb: string | null;
            /** @description exitBnb in USD now; left out if that is null. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            exitUsd?: string;
        };
        Holding: {
            /** @description The token's contract address. */
            mint: string;
            /** @description Untrusted text. */
            name: string;
            /** @description Untrusted text. */
            symbol: string;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
            graduated: boolean;
            /** @description BNB for one token now, on the curve or the DEX. */
            priceBnb: string;
            /** @description priceBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description Base units (18 decimals). */
            balanceRaw: string;
            /** @description Percent of the supply, rounded down to 4 decimals. */
            percent: number;
            /** @description BNB for the balance at priceBnb, ignoring that selling it moves the price. */
            valueBnb: string;
            /** @description valueBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            valueUsd?: string;
            /** @description BNB that selling the balance on the curve or the DEX pair would bring after fees, as in a quote. Null if that includes a graduated token and the DEX's fee can't be read from the chain. */
            exitBnb: string | null;
            /** @description exitBnb in USD now; left out if that is null. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            exitUsd?: string;
        };
        CreatedToken: {
            /** @description The token's contract address. */
            mint: string;
            /** @description Untrusted text. */
            name: string;
            /** @description Untrusted text. */
            symbol: string;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
            graduated: boolean;
            /** @description BNB for one token now, on the curve or the DEX. */
            priceBnb: string;
            /** @description priceBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description Percent of the supply burned at launch. */
            burnPercent: number;
            /** Format: date-time */
            createdAt: string;
            /** @description Percent of the curve sold, up to 4 decimals. 100 if and only if graduated. */
            progress: number;
            /** @description The DEX pair, once graduated. */
            pair: string | null;
            /** @description BNB for the whole supply at priceBnb. */
            marketCapBnb: string;
            /** @description marketCapBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            marketCapUsd?: string;
            holderCount: number;
            /** @description BNB that the account's own sells of it realised; a loss is below 0. The curve pays creators nothing else. */
            realisedBnb: string;
        };
        /** @description Results use average cost: a buy adds its tokens and their cost to the open position; a sell realises its proceeds less the average cost of as many open tokens; a transfer moves the average cost along with the tokens, from the sender's open position to the receiver's. What comes from the mint or from liquidity costs nothing. Gas is not counted. */
        Position: {
            /** @description The token's contract address. */
            mint: string;
            /** @description Untrusted text. */
            name: string;
            /** @description Untrusted text. */
            symbol: string;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
            graduated: boolean;
            /** @description BNB for one token now, on the curve or the DEX. */
            priceBnb: string;
            /** @description priceBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            buys: number;
            sells: number;
            /** @description Base units (18 decimals). */
            tokensBoughtRaw: string;
            /** @description Base units (18 decimals). */
            tokensSoldRaw: string;
            /** @description Wei. */
            bnbSpentWei: string;
            /** @description Wei. */
            bnbReceivedWei: string;
            /** @description Base units received other than by buys: by transfers, and from liquidity. */
            receivedRaw: string;
            /** @description Wei that receivedRaw cost their senders. */
            receivedCostWei: string;
            /** @description Base units sent other than by sells: by transfers, to burn addresses, and to liquidity. */
            sentRaw: string;
            /** @description Wei that sentRaw cost, by the average cost when they were sent. */
            sentCostWei: string;
            /** @description BNB of realised profit; below 0 is a loss. */
            realisedBnb: string;
            /** @description Base units bought or received and not yet sold or sent. */
            openTokensRaw: string;
            /** @description Wei that the open tokens cost. */
            openCostWei: string;
            /** @description BNB for the open tokens at priceBnb. */
            valueBnb: string;
            /** @description valueBnb in USD now. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            valueUsd?: string;
            /** @description BNB that selling the open tokens on the curve or the DEX pair would bring after fees, as in a quote. Null if that includes a graduated token and the DEX's fee can't be read from the chain. */
            exitBnb: string | null;
            /** @description exitBnb in USD now; left out if that is null. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            exitUsd?: string;
            /** @description BNB: valueBnb less what the open tokens cost; negative is a loss. */
            unrealisedBnb: string;
            /** @description BNB: what selling all open tokens would bring, as in exitBnb, less what they cost. */
            unrealisedAtExitBnb: string | null;
            /** @description The same in USD, less what the open tokens cost in USD at the time. */
            unrealisedAtExitUsd?: string;
            /** @description USD spent on buys, each at the rate of its time. Left out, like the other results in USD, if a trade had no rate. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            spentUsd?: string;
            /** @description USD received from sells, each at the rate of its time. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            receivedUsd?: string;
            /** @description USD of realised profit, each trade at the rate of its time; below 0 is a loss. */
            realisedUsd?: string;
            /** @description USD: the current value, less what the open tokens cost when they were bought; below 0 is a loss. */
            unrealisedUsd?: string;
            /**
             * Format: date-time
             * @description Null if the account has only received or sent the token.
             */
            firstTradeAt: string | null;
            /**
             * Format: date-time
             * @description Null if the account has only received or sent the token.
             */
            lastTradeAt: string | null;
        };
        Holdings: {
            address: string;
            chainId: number;
            holdings: components["schemas"]["Holding"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        Positions: {
            address: string;
            chainId: number;
            positions: components["schemas"]["Position"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        CreatedTokens: {
            address: string;
            chainId: number;
            createdTokens: components["schemas"]["CreatedToken"][];
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        AccountDays: {
            address: string;
            chainId: number;
            /** @description The oldest first, without gaps, up to today. */
            days: {
                /**
                 * Format: date
                 * @description In UTC.
                 */
                day: string;
                buys: number;
                sells: number;
                /** @description How many of the sells realised a gain in BNB. */
                profitableSells: number;
                /** @description BNB paid and received for tokens. */
                volumeBnb: string;
                /** @description BNB that the sells realised; a loss is below 0. */
                realisedBnb: string;
                /** @description The same in USD, each trade at the rate of its time; a loss is below 0. Omitted if one of those trades had no BNB/USD rate. */
                realisedUsd?: string;
                /** @description volumeBnb in USD, each trade at the rate of its time. Omitted if one of those trades had no BNB/USD rate. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                volumeUsd?: string;
            }[];
        };
        Leaderboard: {
            chainId: number;
            /** @enum {string} */
            by: "realised" | "volume" | "trades" | "created" | "graduated";
            /** @enum {string} */
            window: "24h" | "7d" | "30d" | "all";
            /** @description The block at which the window ends. All values are as of this block. */
            asOf: {
                block: number;
                /** Format: date-time */
                time: string;
            };
            leaders: {
                rank: number;
                /** @description The account. */
                address: string;
                /** @description BNB that its sells realised; a loss is below 0. On boards of traders. */
                realisedBnb?: string;
                /** @description The same in USD, each trade at the rate of its time; a loss is below 0. Omitted if one of those trades had no BNB/USD rate. */
                realisedUsd?: string;
                /** @description BNB that it paid and received for tokens. On boards of traders. */
                volumeBnb?: string;
                /** @description The same in USD, each trade at the rate of its time. Omitted if one of those trades had no BNB/USD rate. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
                volumeUsd?: string;
                /** @description Buys and sells. On boards of traders. */
                trades?: number;
                /** @description How many of these were sells. */
                sells?: number;
                /** @description How many of the sells realised a gain in BNB. */
                profitableSells?: number;
                /** @description Tokens that it created. On boards of creators. */
                tokensCreated?: number;
                /** @description Tokens it created that graduated. On boards of creators. */
                tokensGraduated?: number;
            }[];
            /** @description The exact number of accounts on the board, including those below the lowest rank that pages reach. */
            total: number;
            page: number;
            limit: number;
            hasMore: boolean;
            /** @description The `cursor` of the next page; null on the last page. */
            nextCursor: string | null;
        };
        DexScreenerLatestBlock: {
            block: components["schemas"]["DexScreenerBlock"];
        };
        DexScreenerBlock: {
            blockNumber: number;
            /** @description Seconds since 1970. */
            blockTimestamp: number;
        };
        DexScreenerAssetAnswer: {
            asset: components["schemas"]["DexScreenerAsset"];
        };
        DexScreenerAsset: {
            /** @description The token's address, or WBNB's. Checksummed, as ids are case-sensitive in this format. */
            id: string;
            /** @description Never empty: control, zero-width and bidirectional characters are removed and the rest is trimmed; if nothing visible is left, the symbol, else the shortened address. */
            name: string;
            /** @description Never empty, likewise. */
            symbol: string;
            /** @description Whole tokens, as of the last final block. Left out for WBNB. */
            totalSupply?: string;
        };
        DexScreenerPairAnswer: {
            pair: components["schemas"]["DexScreenerPair"];
        };
        DexScreenerPair: {
            /** @description The token's address for a bonding curve, the pair's for a DEX pair. Checksummed, as ids are case-sensitive in this format. */
            id: string;
            /** @description The launchpad for a curve, the DEX's factory for a pair. Checksummed, as ids are case-sensitive in this format. */
            dexKey: string;
            /** @description Always the launched token. Checksummed, as ids are case-sensitive in this format. */
            asset0Id: string;
            /** @description Always the chain's WBNB. Checksummed, as ids are case-sensitive in this format. */
            asset1Id: string;
            createdAtBlockNumber?: number;
            /** @description Seconds since 1970. */
            createdAtBlockTimestamp?: number;
            createdAtTxnId?: string;
            /** @description The account that created the token. Checksummed, as ids are case-sensitive in this format. */
            creator?: string;
            /** @description 0 for a curve. Left out for a DEX pair, whose contracts don't expose it. */
            feeBps?: number;
            /** @description `name`: the pair's name, never empty. */
            metadata?: {
                [key: string]: string;
            };
        };
        DexScreenerEvents: {
            events: (components["schemas"]["DexScreenerSwap"] | components["schemas"]["DexScreenerJoinOrExit"])[];
        };
        DexScreenerSwap: {
            block: components["schemas"]["DexScreenerBlock"];
            txnId: string;
            txnIndex: number;
            /** @description The log's index in its block. */
            eventIndex: number;
            /** @enum {string} */
            eventType: "swap";
            /** @description The trader. Checksummed, as ids are case-sensitive in this format. */
            maker: string;
            /** @description The curve or the pair that it took place on. Checksummed, as ids are case-sensitive in this format. */
            pairId: string;
            /** @description Whole tokens sold. */
            asset0In?: string;
            /** @description BNB paid. */
            asset1In?: string;
            /** @description Whole tokens bought. */
            asset0Out?: string;
            /** @description BNB received. */
            asset1Out?: string;
            /** @description The swap's average price in BNB per token, with up to 50 decimals, rounded down. Never 0. */
            priceNative: string;
            /** @description After the swap: the pair's, or the curve's virtual ones from its Trade event. Their ratio is the price after the swap. */
            reserves: {
                /** @description Whole tokens. */
                asset0: string;
                /** @description BNB. */
                asset1: string;
            };
        };
        DexScreenerJoinOrExit: {
            block: components["schemas"]["DexScreenerBlock"];
            txnId: string;
            txnIndex: number;
            /** @description The log's index in its block. */
            eventIndex: number;
            /**
             * @description `join`: liquidity was added to a DEX pair. `exit`: it was removed.
             * @enum {string}
             */
            eventType: "join" | "exit";
            /** @description The account that the pair's liquidity tokens reached, or came from; the launchpad at graduation. Checksummed, as ids are case-sensitive in this format. */
            maker: string;
            /** @description The DEX pair. Checksummed, as ids are case-sensitive in this format. */
            pairId: string;
            /** @description Whole tokens added or removed. */
            amount0: string;
            /** @description BNB added or removed. */
            amount1: string;
            /** @description The pair's, after the join or exit. */
            reserves: {
                /** @description Whole tokens. */
                asset0: string;
                /** @description BNB. */
                asset1: string;
            };
        };
        CoinGeckoTicker: {
            /** @description base_currency, an underscore and target_currency. */
            ticker_id: string;
            /** @description The token's address. */
            base_currency: string;
            /** @description The address of the chain's WBNB. */
            target_currency: string;
            /** @description Where it trades: the token's own address while on its bonding curve, then its DEX pair. */
            pool_id: string;
            /** @description BNB per token after the last trade. */
            last_price: string;
            /** @description Whole tokens traded in 24 hours, on the curve and on the DEX. */
            base_volume: string;
            /** @description BNB traded in 24 hours. */
            target_volume: string;
            /** @description USD. For a pair, both sides at its price; for a curve, the BNB paid in and the tokens left to buy at its price. Left out if no price feed is configured. */
            liquidity_in_usd?: string;
            /** @description The price for selling the next token, before the DEX's fee: the last price, as there is no order book. */
            bid: string;
            /** @description The price for buying the next token, likewise. */
            ask: string;
            /** @description The highest price in 24 hours, out of the opening price and the price after each trade. */
            high: string;
            /** @description The lowest price in 24 hours, likewise. */
            low: string;
        };
        CoinGeckoTrades: {
            buy: components["schemas"]["CoinGeckoTrade"][];
            sell: components["schemas"]["CoinGeckoTrade"][];
        };
        CoinGeckoTrade: {
            /** @description Block number times 1,000,000 plus log index: increases with time. */
            trade_id: number;
            /** @description The trade's average price in BNB per token, with up to 50 decimals. */
            price: string;
            /** @description Whole tokens. */
            base_volume: string;
            /** @description BNB. */
            target_volume: string;
            /** @description Milliseconds since 1970. */
            trade_timestamp: number;
            /** @enum {string} */
            type: "buy" | "sell";
        };
        TokenList: {
            name: string;
            /** Format: date-time */
            timestamp: string;
            version: {
                major: number;
                minor: number;
                patch: number;
            };
            keywords: string[];
            tags: {
                [key: string]: {
                    name: string;
                    description: string;
                };
            };
            tokens: {
                chainId: number;
                /** @description With checksum, as the standard requires. */
                address: string;
                /** @enum {number} */
                decimals: 18;
                /** @description Untrusted text. */
                name: string;
                /** @description Untrusted text. */
                symbol: string;
                /**
                 * Format: uri
                 * @description The registered imageUrl, if it has the format `uri`.
                 */
                logoURI?: string;
                tags?: ("verified" | "graduated")[];
                extensions: {
                    /** @description Increases when anything in the registration changes: then read GET /api/metadata/<address> again. */
                    registration: number;
                };
            }[];
        };
        Events: {
            /** @description In order. Empty if there were none in time. */
            events: components["schemas"]["StreamEvent"][];
            /** @description The `cursor` of the next request, which continues right after these events. */
            nextCursor: string;
            /** @description Whether the wait ended without an event. */
            timedOut: boolean;
        };
        StreamEvent: components["schemas"]["CreatedEvent"] | components["schemas"]["TradeEvent"] | components["schemas"]["GraduatedEvent"] | components["schemas"]["RegisteredEvent"] | components["schemas"]["TransferEvent"] | components["schemas"]["LiquidityEvent"];
        CreatedEvent: {
            /**
             * @description The event's own id, the same wherever it is sent, and for a trade that of `GET /api/trades`: chain, block and log index, or `registration-…`. Unique over chains.
             * @example 56-000045612378-000042
             */
            id: string;
            /**
             * @description Its position in the stream, from which a request continues after it.
             * @example 152-31
             */
            cursor: string;
            /** @description Whether a reorg removed it: it is no longer true. */
            removed: boolean;
            chainId: number;
            mint: string;
            /** @description Untrusted text. */
            name: string;
            /** @description Untrusted text. */
            symbol: string;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "created";
            creator: string;
            burnPercent: number;
            /** Format: date-time */
            createdAt: string;
            block: number;
            tx: string;
            risk?: components["schemas"]["Risk"] & unknown;
            creatorRecord?: components["schemas"]["CreatorRecord"] & unknown;
        };
        TradeEvent: {
            /**
             * @description The event's own id, the same wherever it is sent, and for a trade that of `GET /api/trades`: chain, block and log index, or `registration-…`. Unique over chains.
             * @example 56-000045612378-000042
             */
            id: string;
            /** @description The token's contract address. */
            mint: string;
            chainId: number;
            /** @description The account that the bought tokens reached, or that the sold ones came from, in the transaction. */
            trader: string;
            /**
             * @description The bonding curve or, after graduation, the DEX.
             * @enum {string}
             */
            venue: "curve" | "dex";
            /**
             * @description `buy`: tokens for BNB. `sell`: BNB for tokens.
             * @enum {string}
             */
            side: "buy" | "sell";
            /** @description Wei that the trader paid or received. */
            bnbAmountWei: string;
            /** @description Base units (18 decimals) that the trader received or sold. */
            tokenAmountRaw: string;
            /** @description BNB for one token, on average of this trade; 0 if no tokens moved. */
            priceBnb: string;
            /** @description BNB for one token after this trade: bnbReservesWei / tokenReservesRaw. */
            priceAfterBnb: string;
            /** @description Wei after this trade: the curve's virtual BNB reserve (so you need no curve maths), or the DEX pair's. */
            bnbReservesWei: string;
            /** @description Base units after this trade, like bnbReservesWei. */
            tokenReservesRaw: string;
            block: number;
            /**
             * Format: date-time
             * @description The time of the block.
             */
            timestamp: string;
            tx: string;
            /** @description The event's log index in its block. */
            logIndex: number;
            /** @description What bnbAmountWei was worth in USD at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            amountUsd?: string;
            /** @description priceBnb in USD at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceUsd?: string;
            /** @description priceAfterBnb in USD at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            priceAfterUsd?: string;
            /** @description USD for one BNB at the time of the trade. Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet. */
            bnbUsd?: string;
            /** @description Untrusted text. */
            name: string | null;
            /** @description Untrusted text. */
            symbol: string | null;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
            /**
             * @description Its position in the stream, from which a request continues after it.
             * @example 152-31
             */
            cursor: string;
            /** @description Whether a reorg removed it: it is no longer true. */
            removed: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "trade";
            creator: string | null;
            /** @description Percent of the curve sold after the trade. */
            progress: number | null;
        };
        GraduatedEvent: {
            /**
             * @description The event's own id, the same wherever it is sent, and for a trade that of `GET /api/trades`: chain, block and log index, or `registration-…`. Unique over chains.
             * @example 56-000045612378-000042
             */
            id: string;
            /**
             * @description Its position in the stream, from which a request continues after it.
             * @example 152-31
             */
            cursor: string;
            /** @description Whether a reorg removed it: it is no longer true. */
            removed: boolean;
            chainId: number;
            mint: string;
            /** @description Untrusted text. */
            name: string;
            /** @description Untrusted text. */
            symbol: string;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "graduated";
            creator: string;
            pair: string;
            /** Format: date-time */
            graduatedAt: string;
            block: number;
        };
        RegisteredEvent: {
            /**
             * @description The event's own id, the same wherever it is sent, and for a trade that of `GET /api/trades`: chain, block and log index, or `registration-…`. Unique over chains.
             * @example 56-000045612378-000042
             */
            id: string;
            /**
             * @description Its position in the stream, from which a request continues after it.
             * @example 152-31
             */
            cursor: string;
            /** @description Whether a reorg removed it: it is no longer true. */
            removed: boolean;
            chainId: number;
            mint: string;
            /** @description Untrusted text. */
            name: string;
            /** @description Untrusted text. */
            symbol: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "registered";
            creator: string;
            burnPercent: number;
            /** @description Untrusted text. */
            description: string | null;
            /** @description Untrusted text. */
            imageUrl: string | null;
            /** @description Untrusted text. */
            twitterUrl: string | null;
            /** @description Untrusted text. */
            telegramUrl: string | null;
            /** @description Untrusted text. */
            websiteUrl: string | null;
            verified: boolean;
            /** Format: date-time */
            registeredAt: string;
        };
        TransferEvent: {
            /**
             * @description The event's own id, the same wherever it is sent, and for a trade that of `GET /api/trades`: chain, block and log index, or `registration-…`. Unique over chains.
             * @example 56-000045612378-000042
             */
            id: string;
            /** @description The token's contract address. */
            mint: string;
            chainId: number;
            /** @description Untrusted text. */
            name: string | null;
            /** @description Untrusted text. */
            symbol: string | null;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
            /** @description Who had the tokens; the zero address for a mint. */
            from: string;
            /** @description Who got the tokens; the zero address for a burn. */
            to: string;
            /** @description Base units (18 decimals), without those that the same movement carried for a trade or a change of liquidity. */
            amountRaw: string;
            block: number;
            /**
             * Format: date-time
             * @description The time of the block.
             */
            timestamp: string;
            tx: string;
            /** @description The log index of the Transfer event. */
            logIndex: number;
            /**
             * @description Its position in the stream, from which a request continues after it.
             * @example 152-31
             */
            cursor: string;
            /** @description Whether a reorg removed it: it is no longer true. */
            removed: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "transfer";
            creator: string | null;
        };
        LiquidityEvent: {
            /**
             * @description The event's own id, the same wherever it is sent, and for a trade that of `GET /api/trades`: chain, block and log index, or `registration-…`. Unique over chains.
             * @example 56-000045612378-000042
             */
            id: string;
            /** @description The token's contract address. */
            mint: string;
            chainId: number;
            /** @description The DEX pair. */
            pair: string;
            /** @description The account that the pair's liquidity tokens reached, or came from; the launchpad for what it added at graduation. */
            provider: string;
            /** @description Wei added or removed. */
            bnbAmountWei: string;
            /** @description The same in BNB. */
            amountBnb: string;
            /** @description Base units (18 decimals) added or removed. */
            tokenAmountRaw: string;
            /** @description Wei in the pair after the change. */
            bnbReservesWei: string;
            /** @description The same in BNB. */
            reservesBnb: string;
            /** @description Base units (18 decimals) in the pair after the change. */
            tokenReservesRaw: string;
            block: number;
            /**
             * Format: date-time
             * @description The time of the block.
             */
            timestamp: string;
            tx: string;
            /** @description The log index of the event: the pair's Mint or Burn, or the launchpad's Graduated. */
            logIndex: number;
            /**
             * @description Its position in the stream, from which a request continues after it.
             * @example 152-31
             */
            cursor: string;
            /** @description Whether a reorg removed it: it is no longer true. */
            removed: boolean;
            /**
             * @description Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.
             * @enum {boolean}
             */
            hidden?: true;
            /** @description Untrusted text. */
            name: string | null;
            /** @description Untrusted text. */
            symbol: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "liquidity_added" | "liquidity_removed";
            creator: string | null;
        };
        AlertMessageToSign: {
            typedData: {
                domain: {
                    name: string;
                    version: string;
                    chainId: number;
                    verifyingContract: string;
                };
                types: {
                    [key: string]: {
                        name: string;
                        type: string;
                    }[];
                };
                primaryType: string;
                message: {
                    [key: string]: string;
                };
            };
            /** @description To post with `signature` added. */
            body: {
                owner: string;
                chainId: number;
                issuedAt: number;
            } & {
                [key: string]: unknown;
            };
        };
        AlertRequest: {
            /** @example 0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe */
            owner: string;
            /** @enum {integer} */
            chainId?: 56 | 97;
            /**
             * Format: uri
             * @description The receiver, at a public address over https.
             * @example https://bot.example/launchpad
             */
            url?: string;
            rule?: components["schemas"]["AlertRule"];
            /**
             * @description The most events in one message. 1: each comes alone.
             * @default 1
             */
            batch: number;
        };
        AlertRule: components["schemas"]["EventsRule"] | components["schemas"]["CrossesRule"];
        /** @description Every event of the stream that its filter lets through. */
        EventsRule: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "events";
            /** @description Only events of these kinds. If omitted, all but transfer, liquidity_added and liquidity_removed. */
            kind?: ("created" | "trade" | "graduated" | "registered" | "transfer" | "liquidity_added" | "liquidity_removed")[];
            /** @description Only events of these tokens. */
            mint?: string[];
            /** @description Only events of tokens that these accounts created. */
            creator?: string[];
            /** @description Only trades by these accounts. */
            trader?: string[];
            /**
             * @description Only trades of this side.
             * @enum {string}
             */
            side?: "buy" | "sell";
            /**
             * @description Only trades there.
             * @enum {string}
             */
            venue?: "curve" | "dex";
            /**
             * @description Only trades of at least this many BNB.
             * @example 0.5
             */
            minBnb?: string;
        };
        /** @description The moments at which a value crosses a limit. */
        CrossesRule: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "crosses";
            /**
             * @description The token.
             * @example 0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe
             */
            mint: string;
            /**
             * @description priceBnb, priceUsd: of one token after a trade. marketCapBnb, marketCapUsd. progress: percent of the curve that is sold. volumeBnb: traded within windowMinutes. holders: accounts with a balance. creatorPercent, insidersPercent, snipersPercent, accountPercent: held by the creator, insiders, snipers, or `account`, in percent of what accounts hold.
             * @enum {string}
             */
            metric: "priceBnb" | "priceUsd" | "marketCapBnb" | "marketCapUsd" | "progress" | "volumeBnb" | "holders" | "creatorPercent" | "insidersPercent" | "snipersPercent" | "accountPercent";
            /**
             * @description Met when the value rises to this or more. Either this or below.
             * @example 80
             */
            above?: string;
            /** @description Met when the value falls to this or less. */
            below?: string;
            /**
             * @description How far, in percent of the limit, the value has to go back before the condition can be met again. If that is beyond 100 percent of a whole, half of the way from the limit to there.
             * @default 5
             */
            hysteresisPercent: number;
            /**
             * @description once: only the first time. always: each time that the limit is crossed.
             * @default always
             * @enum {string}
             */
            repeat: "once" | "always";
            /**
             * @description For accountPercent.
             * @example 0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe
             */
            account?: string;
            /** @description For volumeBnb. */
            windowMinutes?: number;
        };
        AlertToken: {
            token: string;
            owner: string;
            /** Format: date-time */
            expiresAt: string;
        };
        AlertAccess: {
            /** @example 0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe */
            owner: string;
            /** @enum {integer} */
            chainId?: 56 | 97;
            /** @description When it was signed, in seconds since 1970. Valid for ten minutes. */
            issuedAt: number;
            /** @description Of the typed data (EIP-712), by the owner's key or, for a contract wallet, by ERC-1271. */
            signature: string;
        };
        CreatedAlert: {
            alert: components["schemas"]["Alert"];
            /**
             * @description What messages are signed with (Standard Webhooks), shown this once. Null if it was shown before.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string | null;
            verification: components["schemas"]["AlertVerification"];
        };
        Alert: {
            id: string;
            owner: string;
            chainId: number;
            /** @description Null if the operator's key is another one by now, so that nothing can be delivered. */
            url: string | null;
            /** @description As in AlertRule. */
            rule: {
                type: string;
            } & {
                [key: string]: unknown;
            };
            batch: number;
            /**
             * @description unverified: the receiver has not echoed a challenge yet. paused: nothing is sent, its place is kept.
             * @enum {string}
             */
            status: "unverified" | "active" | "paused";
            /**
             * @description owner: its owner has paused it. failing: nothing arrived for 72 hours. gone: the receiver answered 410. Null if it is not paused.
             * @enum {string|null}
             */
            pausedBecause: "owner" | "failing" | "gone" | null;
            /** @description What the receiver has: a cursor of the stream, or the number of a condition's last message. */
            position: string;
            /** @description Failed attempts since the last message that arrived. */
            failures: number;
            /** Format: date-time */
            failingSince: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The last 20 attempts, the newest first. */
            deliveries: components["schemas"]["AlertAttempt"][];
        };
        AlertAttempt: {
            /** Format: date-time */
            at: string;
            /** @description The id of its first message. */
            first: string;
            /** @description The id of its last one. */
            last: string;
            /** @description As `from` of `PATCH /api/alerts/{id}`, it sends these messages again, and all later ones. Null for a test. */
            from: string | null;
            /** @description The HTTP status; null without an answer. */
            status: number | null;
            /** @description Milliseconds until then. */
            ms: number;
            /** @description Why it failed, about the receiver; null if it has arrived. */
            error: string | null;
            /**
             * @description The same for programs; null also for attempts of versions that had no codes.
             * @enum {string|null}
             */
            errorCode: "unresolved" | "not_public" | "timeout" | "closed" | "flood" | "tls" | "unreachable" | "status" | "redirect" | "rate_limited" | "too_many_challenges" | "not_echoed" | null;
        };
        /** @description What came of the challenge. */
        AlertVerification: {
            verified: boolean;
            status: number | null;
            error: string | null;
            /** @enum {string|null} */
            errorCode: "unresolved" | "not_public" | "timeout" | "closed" | "flood" | "tls" | "unreachable" | "status" | "redirect" | "rate_limited" | "too_many_challenges" | "not_echoed" | null;
        };
        SignedAlert: {
            /** @example 0x3f5ce5fbfe3e9af3971dd833d26ba9b5c9365afe */
            owner: string;
            /** @enum {integer} */
            chainId?: 56 | 97;
            /**
             * Format: uri
             * @description The receiver, at a public address over https.
             * @example https://bot.example/launchpad
             */
            url: string;
            rule: components["schemas"]["AlertRule"];
            /**
             * @description The most events in one message. 1: each comes alone.
             * @default 1
             */
            batch: number;
            /** @description When it was signed, in seconds since 1970. Valid for ten minutes. */
            issuedAt: number;
            /** @description Of the typed data (EIP-712), by the owner's key or, for a contract wallet, by ERC-1271. */
            signature: string;
        };
        Alerts: {
            alerts: components["schemas"]["Alert"][];
        };
        ChangedAlert: {
            alert: components["schemas"]["Alert"];
            /**
             * @description What messages are signed with (Standard Webhooks), shown this once. Null if it was shown before.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string | null;
        };
        AlertChange: {
            /**
             * @description active: resumes from where it stopped, at once.
             * @enum {string}
             */
            status?: "active" | "paused";
            /**
             * Format: uri
             * @description The receiver, at a public address over https.
             * @example https://bot.example/launchpad
             */
            url?: string;
            /** @description The most events in one message. 1: each comes alone. */
            batch?: number;
            /** @enum {boolean} */
            rotateSecret?: true;
            /**
             * @description Replays everything after this cursor. For a condition: after this number, such as 0 for all of its messages that are kept.
             * @example 152-31
             */
            from?: string;
        };
        EndedAlert: {
            id: string;
            /** @enum {boolean} */
            ended: true;
        };
        VerifiedAlert: {
            alert: components["schemas"]["Alert"];
            verification: components["schemas"]["AlertVerification"];
        };
        TestedAlert: {
            attempt: components["schemas"]["AlertAttempt"];
        };
        UploadedImage: {
            cid: string;
            /** @description `ipfs://<cid>`, to be used as imageUrl. */
            url: string;
            /** @description The URL for browsers. */
            gatewayUrl: string;
            /** @enum {string} */
            mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif";
            /** @description Bytes of the stored image. */
            size: number;
            /** @description Pixels. */
            width: number;
            /** @description Pixels. */
            height: number;
        };
        ImageSource: {
            /**
             * Format: uri
             * @example https://example.com/otter.png
             */
            url: string;
        };
        SqlAnswer: {
            /**
             * @example [
             *       {
             *         "name": "bnb_amount",
             *         "type": "numeric"
             *       }
             *     ]
             */
            columns: {
                name: string;
                /** @description Postgres's name of the type (int8, numeric, timestamptz, text, text[]); other for enums. */
                type: string;
            }[];
            /**
             * @description A list of values for each row, in the order of columns. int8 and numeric are strings, which keep every digit; times are ISO 8601 in UTC; arrays are lists. Numbers in JSON are as Postgres writes them: cast those above 2^53 to text if your parser rounds them.
             * @example [
             *       [
             *         "0.010000000000000000"
             *       ]
             *     ]
             */
            rows: unknown[][];
            /** @description Whether there are more rows than the 10,000 that a response has at most. */
            truncated: boolean;
        };
        SqlQuery: {
            /**
             * @description One SELECT (or WITH, VALUES, TABLE), or EXPLAIN and one, in PostgreSQL's SQL, of at most 10000 characters. Views in readable units are in the schema launchpad, which is searched first, followed by GraphQL's tables under their SQL names.
             * @example select time, side, bnb_amount from trades where chain_id = 56 order by timestamp desc limit 2
             */
            sql: string;
            /**
             * @description Values of $1, $2 and so on. Numbers above 2^53 and with more than 15 digits are text, since JSON rounds them, and so are lists, as in `{1,2}`.
             * @default []
             * @example []
             */
            params: (string | number | boolean | null)[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getManifest: {
        parameters: {
            query?: {
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The manifest of one chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Manifest"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description One connection has too many requests pending: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database did not answer within 2 seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description The page number, from 1. If omitted, the first page, unless there is a `cursor`. */
                page?: number;
                /** @description Entries on a page. Default: 20, or 100 with several mints. */
                limit?: number;
                /** @description Text in name, symbol or description, ignoring case, or the beginning of a mint. With one or two characters: the beginning of name or symbol or, if one of the characters is Chinese, Japanese, Korean, an emoji or another sign, any part of name or symbol, and if both are, of the description too. */
                q?: string;
                /** @description `true`: finds names and symbols that begin almost like `q`, in place of those that have it: with one character that is wrong, missing, too much, or exchanged with the next. For a `q` of 5 to 40 letters and digits that finds nothing. The first two characters must be right, or, with 7 or more, all from the fourth on. */
                typos?: true;
                /** @description `listed`: graduated. `graduating`: not graduated, progress 80 or more. `new`: all others. `all`: everything. */
                board?: "all" | "new" | "graduating" | "listed";
                /** @description Only tokens created by this account. */
                creator?: string;
                /** @description Only these tokens: up to 100 mints, separated by commas. Several come in the given order, whatever `sort`, each once; one that is not in the list is left out. */
                mint?: string;
                /**
                 * @description Highest first; ties newest first.
                 *
                 *     - `newest`: latest created first.
                 *     - `burn`: by `burnPercent`.
                 *     - `volume`: by the BNB traded in the last 24 hours, on the curve and on the DEX.
                 *     - `trades`: by the number of trades in the last 24 hours.
                 *     - `progress`: by `progress`, so that graduated tokens come first.
                 *     - `graduated`: latest graduated first, by `graduatedAt`, then those that have not graduated.
                 *     - `holders`: by `holderCount`.
                 *     - `marketcap`: by `marketCapBnb`.
                 *     - `trending`: by how many different accounts trade the token: 24 times those of the last hour, plus 4 times those of the last 6 hours, plus those of the last 24 hours, so that each of the three hourly rates has the same weight; then by volume. An account counts once in each window, however often it trades.
                 *     - `gainers`: by `priceChangePercent` of the `window`, the largest gain first. Only tokens with trades in that window.
                 *     - `losers`: by `priceChangePercent` of the `window`, the largest loss first. Only tokens with trades in that window.
                 *
                 *     The last hours end with the last indexed block of the chain; a trade exactly as old as a window is no longer in it. Volumes and
                 *     market caps that agree in 15 significant digits may count as equal, and so may price changes that agree in 7.
                 */
                sort?: "newest" | "burn" | "volume" | "trades" | "progress" | "graduated" | "holders" | "marketcap" | "trending" | "gainers" | "losers";
                /** @description The window of `gainers` and `losers`. Other sorts have none, and take `24h` alone. */
                window?: "1h" | "6h" | "24h";
                /** @description Only tokens with at least this volume in BNB in the last 24 hours. */
                minVolumeBnb?: number;
                /** @description Only tokens with at least this volume in BNB since creation without back and forth trading of one account (`netVolumeBnb`). */
                minNetVolumeBnb?: number;
                /** @description Only tokens that at least this many different accounts traded in the last 24 hours (`windows.24h.traders`), however often each did: volume alone costs little to fake. */
                minTraders?: number;
                /** @description Only tokens with at least this many holders. */
                minHolders?: number;
                /** @description Only tokens whose creator holds at most this percentage of the circulating supply, which is 0 for a token that nobody holds. */
                maxCreatorPercent?: number;
                /** @description Only tokens whose insiders (see `risk`) hold at most this percentage of the circulating supply, which is 0 for a token that nobody holds. */
                maxInsiderPercent?: number;
                /** @description Only tokens whose snipers (see `risk`) hold at most this percentage of the circulating supply, which is 0 for a token that nobody holds. */
                maxSniperPercent?: number;
                /** @description Only tokens whose bundlers (see `risk`) hold at most this percentage of the circulating supply, which is 0 for a token that nobody holds. */
                maxBundlerPercent?: number;
                /** @description Only tokens of which the creator's buys have paid at most this percentage of the BNB that all buys paid (`creatorBuysPercent` in `risk`); tokens without buys count as 0. */
                maxCreatorBuysPercent?: number;
                /** @description Only tokens of which buys in the block in which the curve opened have paid at most this percentage of the BNB that all buys paid (`openingBuysPercent` in `risk`); tokens without buys count as 0. */
                maxOpeningBuysPercent?: number;
                /** @description `true`: only tokens whose creator signed the registration. */
                verified?: true;
                /** @description `false`: without tokens that their own creator's buy graduated (`creatorGraduated` in `risk`), which costs next to nothing. */
                selfGraduated?: false;
                /** @description `compact`: only what is needed to choose among many tokens, in about 250 bytes each instead of 1,800, with 6 significant digits. */
                view?: "full" | "compact";
                /** @description Only these fields of each full entry, and `mint`: names separated by commas, out of mint, chainId, name, symbol, creator, burnPercent, description, imageUrl, imageHttpUrl, twitterUrl, telegramUrl, websiteUrl, launchpadAddress, registered, verified, registeredAt, createdAt, createdBlock, progress, graduated, graduatedAt, priceBnb, priceUsd, marketCapBnb, marketCapUsd, holderCount, liquidityBnb, liquidityUsd, pair, lastTradeAt, volumeBnb, volumeUsd, trades, buys, sells, netVolumeBnb, windows, risk, creatorRecord. Not together with `view=compact`. */
                fields?: string;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same sort and filters. Not together with `page`. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. `total` is exact. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPage"] | components["schemas"]["CompactTokenPage"] | components["schemas"]["ChosenTokenPage"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    registerToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Registration"];
            };
        };
        responses: {
            /** @description Already registered with this content, or replaced by what the creator signed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description Registered. It appears in the list as soon as its block is indexed. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description A field is wrong, missing or unknown. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The factory has no such token, or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body came too slowly. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Already registered with other content, or with a signature that is not older. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has more than 64 kB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It contradicts the chain, the signature is not the creator's, or the operator's deny list refuses the content of a field. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operator has hidden the token: `detail` has the reason. */
            451: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, the chain has to be queried and is unavailable, or too many registrations are waiting. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVanitySalt: {
        parameters: {
            query: {
                /** @description The token's name, exactly as you will give it to the factory: 1 to 64 bytes of UTF-8. */
                name: string;
                /** @description Its symbol: 1 to 16 bytes of UTF-8. */
                symbol: string;
                /** @description The account that will create the token: the salt is bound to it. A factory from before bound salts accepts it from anyone. */
                creator?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The salt, and the resulting address. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VanitySalt"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many searches are waiting, or the chain or the database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCurve: {
        parameters: {
            query?: {
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The curve. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Curve"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCurves: {
        parameters: {
            query: {
                /** @description Up to 100 mint addresses, separated by commas. */
                mints: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The curves by mint, spelled as in the request. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurveProgress"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getQuote: {
        parameters: {
            query: {
                /** @description `buy` takes tokens for BNB, `sell` gives tokens for BNB. */
                side: "buy" | "sell";
                /** @description The amount to pay in, more than 0: wei for a buy, base units of the token (18 decimals) for a sell. */
                amount: string;
                /** @description Percent, up to 2 decimals: how much less than quoted the transaction may bring. */
                slippage?: number;
                /** @description Who trades. On the DEX it receives the proceeds, and is required to get a transaction; on the curve the sender receives them. With it, warnings say whether it can make the trade, and a sell's response has accountBalanceRaw. */
                account?: string;
                /** @description The last second, in seconds since 1970, at which the transaction may be mined. Default: 20 minutes from now, or from the last block if its time is ahead. */
                deadline?: number;
                /** @description The account's signature of the `permit` of an earlier quote for the same amount and `deadline`, for a sell on the curve: the transaction then needs no approval. Has no effect once the token has graduated. */
                signature?: string;
                /** @description Simulates the transaction as sent by `account` now, after its approval if that is necessary, and adds `simulation`. */
                simulation?: true;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description In its current state, the chain would revert the trade: `amount_too_small` (it brings nothing), `amount_too_large` (more than anyone can hold, or than the pair can take), `no_liquidity` (the curve is not open, the pair is empty). Or `dex_not_supported`: the launchpad names no Uniswap V2 router. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable; or, once after a start and for a graduated token only, the chain's RPC endpoint, which is asked for the DEX router and its fee. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFirstBuyQuote: {
        parameters: {
            query: {
                /** @description Percent of the supply to burn at launch. What the buy brings depends on it. */
                burnPercent: number;
                /** @description Wei to buy with, more than 0. */
                amount: string;
                /** @description The token's name, exactly as you will give it to the factory: 1 to 64 bytes of UTF-8. */
                name?: string;
                /** @description Its symbol: 1 to 16 bytes of UTF-8. */
                symbol?: string;
                /** @description The salt of the token's address, such as one from `/api/tokens/vanity-salt`. Zero for an address as createToken assigns it. */
                salt?: string;
                /** @description The account that creates the token and buys. With it, warnings say whether it has the BNB, and whether the factory accepts the salt from it. */
                account?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirstBuyQuote"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `first_buy_not_supported`: the chain's contracts have no createTokenAndBuy. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable; or, on the first request for a burnPercent after a start, the chain's RPC endpoint, which is asked for the state in which a curve opens. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetadata: {
        parameters: {
            query?: {
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Metadata"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operator has hidden the token: `detail` has the reason. */
            451: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHolders: {
        parameters: {
            query?: {
                /** @description The page number, from 1. If omitted, the first page, unless there is a `cursor`. */
                page?: number;
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. Not together with `page`. */
                cursor?: string;
                /** @description The block whose balances to return, as `balanceOf` returned them at its end: a block number, or a time in ISO 8601 (in UTC if it names no zone) for the last block at or before it. */
                at?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of holders, the largest first. Pages reach down to rank 10000; CSV and GraphQL have all. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Holders"];
                    "text/csv": string;
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong, or there are more than 200000 holders for an answer in CSV (answer_too_large). */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), it has not reached the block or time of `at` (block_not_indexed), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHolderHistory: {
        parameters: {
            query?: {
                /** @description How many days, including today. */
                days?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HolderDays"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getToken: {
        parameters: {
            query?: {
                /** @description Only these fields, and `mint`: names separated by commas, out of mint, chainId, name, symbol, creator, burnPercent, description, imageUrl, imageHttpUrl, twitterUrl, telegramUrl, websiteUrl, launchpadAddress, registered, verified, registeredAt, createdAt, createdBlock, progress, graduated, graduatedAt, priceBnb, priceUsd, marketCapBnb, marketCapUsd, holderCount, liquidityBnb, liquidityUsd, pair, lastTradeAt, volumeBnb, volumeUsd, trades, buys, sells, netVolumeBnb, windows, risk, creatorRecord, sameSymbolTokens, lookAlike, graduationExit, buyImpacts. */
                fields?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenDetails"] | components["schemas"]["ChosenTokenDetails"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operator has hidden the token: `detail` has the reason. */
            451: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRegistrationHistory: {
        parameters: {
            query?: {
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions, newest first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistrationHistory"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operator has hidden the token: `detail` has the reason. */
            451: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The totals. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, or nothing is indexed yet. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDailyStats: {
        parameters: {
            query?: {
                /** @description How many days, including today. */
                days?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyStats"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, or nothing is indexed yet. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCandles: {
        parameters: {
            query?: {
                /** @description The length of a candle. Candles begin at multiples of it since 1970, in UTC; weeks begin on Monday. */
                interval?: "1m" | "5m" | "15m" | "30m" | "1h" | "4h" | "1d" | "1w";
                /** @description Seconds since 1970, or ISO 8601. The first candle is the one that contains this time. If left out, the answer has the last `limit` candles up to `to`. */
                from?: string;
                /** @description Seconds since 1970, or ISO 8601. The last candle is the one that contains this time. If left out or later than the last indexed block, that block's time. */
                to?: string;
                /** @description The maximum number of candles. */
                limit?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Candles, the oldest first. Empty if there are none in that range. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Candles"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUdfConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UdfConfig"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUdfTime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The time. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUdfSymbol: {
        parameters: {
            query: {
                /** @description A token's address, with `/USD` for prices in USD instead of BNB. With several chains, after the chain's id and a colon. Matches `ticker` of the search. */
                symbol: string;
                /** @description Ignored. */
                currencyCode?: string;
                /** @description Ignored. */
                unitId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The symbol. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UdfSymbol"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. As of all errors, the message is also in `errmsg`, and `s` is `error`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operator of this service has hidden the token. */
            451: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchUdfSymbols: {
        parameters: {
            query?: {
                /** @description As `q` of `/api/tokens`. */
                query?: string;
                /** @description Ignored. */
                type?: string;
                /** @description A chain's id; all chains if empty. */
                exchange?: string;
                /** @description At most 30 are returned. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Symbols, the most active tokens of each chain first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UdfFoundSymbol"][];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. As of all errors, the message is also in `errmsg`, and `s` is `error`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUdfHistory: {
        parameters: {
            query: {
                /** @description A token's address, with `/USD` for prices in USD instead of BNB. With several chains, after the chain's id and a colon. Matches `ticker` of the search. */
                symbol: string;
                /** @description How long a bar is: minutes, or with a D or W days or weeks. */
                resolution: "1" | "5" | "15" | "30" | "60" | "240" | "1D" | "D" | "1W" | "W";
                /** @description Seconds since 1970. Ignored with `countback`. */
                from?: number;
                /** @description Seconds since 1970. Bars begin before it. */
                to: number;
                /** @description The number of bars before `to`. At most 1500 are returned, the last ones. */
                countback?: number;
                /** @description Ignored. */
                currencyCode?: string;
                /** @description Ignored. */
                unitId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Bars, the oldest first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UdfHistory"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. As of all errors, the message is also in `errmsg`, and `s` is `error`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operator of this service has hidden the token. */
            451: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTokenTrades: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. If omitted, the first page. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of trades, newest first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenTrades"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTrades: {
        parameters: {
            query?: {
                /** @description Only trades of this token. */
                mint?: string;
                /** @description Only trades of this account. */
                trader?: string;
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. If omitted, the first page. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of trades, newest first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trades"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTokenTraders: {
        parameters: {
            query?: {
                /** @description What traders are ordered by: BNB realised by their sells, BNB that their open tokens would add at the current price, BNB traded, BNB paid for buys, or BNB received for sells. */
                sort?: "realised" | "unrealised" | "volume" | "bought" | "sold";
                /** @description Entries per page. */
                limit?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first traders in the order. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Traders"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTokenLiquidity: {
        parameters: {
            query?: {
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. If omitted, the first page. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes, newest first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenLiquidity"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTokenTransfers: {
        parameters: {
            query?: {
                /** @description Only transfers by or to this account. */
                account?: string;
                /** @description Only transfers by this account. */
                from?: string;
                /** @description Only transfers to this account. */
                to?: string;
                /** @description Only transfers at this time or later: seconds since 1970, or ISO 8601. */
                after?: string;
                /** @description Only transfers before this time: seconds since 1970, or ISO 8601. */
                before?: string;
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. If omitted, the first page. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The token's contract address. */
                mint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transfers, newest first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenTransfers"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The index has no such token (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAccountTransfers: {
        parameters: {
            query?: {
                /** @description Only transfers of this token. */
                mint?: string;
                /** @description Only transfers by this account. */
                from?: string;
                /** @description Only transfers to this account. */
                to?: string;
                /** @description Only transfers at this time or later: seconds since 1970, or ISO 8601. */
                after?: string;
                /** @description Only transfers before this time: seconds since 1970, or ISO 8601. */
                before?: string;
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. If omitted, the first page. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The account. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transfers, newest first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountTransfers"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: {
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The transaction's hash. */
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain's RPC endpoint does not know the transaction (yet), or the chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain's RPC endpoint gives no usable answer. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: {
                /** @description Only entries of this token in the lists. The totals cover all tokens. */
                mint?: string;
                /** @description Entries per list. */
                limit?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The account. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHoldings: {
        parameters: {
            query?: {
                /** @description Only entries of this token. */
                mint?: string;
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. If omitted, the first page. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The account. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Holdings"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPositions: {
        parameters: {
            query?: {
                /** @description Only entries of this token. */
                mint?: string;
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. If omitted, the first page. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The account. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Positions"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCreatedTokens: {
        parameters: {
            query?: {
                /** @description Only entries of this token. */
                mint?: string;
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. If omitted, the first page. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The account. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTokens"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAccountDays: {
        parameters: {
            query?: {
                /** @description How many days, including today. */
                days?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path: {
                /** @description The account. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDays"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, or nothing is indexed yet. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLeaderboard: {
        parameters: {
            query?: {
                /** @description What accounts are ordered by: BNB realised by their sells, BNB traded, number of trades, tokens created, or created tokens that graduated. */
                by?: "realised" | "volume" | "trades" | "created" | "graduated";
                /** @description The period that counts: the last 24 hours, 7 days or 30 days up to the block in `asOf`, or everything. */
                window?: "24h" | "7d" | "30d" | "all";
                /** @description The page number, from 1. If omitted, the first page, unless there is a `cursor`. */
                page?: number;
                /** @description Entries per page. */
                limit?: number;
                /** @description Where the page begins: the `nextCursor` of the page before, with the same other parameters. Not together with `page`. */
                cursor?: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the board. Pages reach down to rank 5000; GraphQL's accounts have all of them, to date. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Leaderboard"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, nothing is indexed yet, or a window is being read for the first time. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDexScreenerLatestBlock: {
        parameters: {
            query?: {
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The block. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DexScreenerLatestBlock"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, or nothing is indexed yet. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDexScreenerAsset: {
        parameters: {
            query: {
                /** @description The address of a launched token, or of WBNB. */
                id: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The asset. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DexScreenerAssetAnswer"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such token in a final block. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, nothing is indexed yet, or the chain's WBNB address can't be read. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDexScreenerPair: {
        parameters: {
            query: {
                /** @description The address of a launched token or of its DEX pair. */
                id: string;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pair. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DexScreenerPairAnswer"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No token with this address was launched, and none graduated to it, in a final block. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, nothing is indexed yet, or the chain's WBNB address can't be read. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDexScreenerEvents: {
        parameters: {
            query: {
                /** @description The first block. */
                fromBlock: number;
                /** @description The last block. Not above the one of latest-block. */
                toBlock: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DexScreenerEvents"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong, or the range is too large. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Some of the blocks are not final yet. The detail names the last final one. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, or nothing is indexed yet. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCoinGeckoTickers: {
        parameters: {
            query?: {
                /** @description Only this ticker. */
                ticker_id?: string;
                /** @description The page, from 1. Pages after the last one are empty. */
                page?: number;
                /** @description Tickers on a page. */
                limit?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tickers, the most recently traded first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoinGeckoTicker"][];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed, or the token was not launched in a final block. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, nothing is indexed yet, or the chain's WBNB address can't be read. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCoinGeckoHistoricalTrades: {
        parameters: {
            query: {
                /** @description As in /tickers. */
                ticker_id: string;
                /** @description Only buys, or only sells, of the token. */
                type?: "buy" | "sell";
                /** @description How many of the latest trades to return, both types together; 0 for all. */
                limit?: number;
                /** @description The earliest time, inclusive: seconds or milliseconds since 1970. */
                start_time?: number;
                /** @description The latest time, inclusive: seconds or milliseconds since 1970. */
                end_time?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trades by type. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoinGeckoTrades"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed, or the token was not launched in a final block. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, nothing is indexed yet, or the chain's WBNB address can't be read. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCoinGeckoTickersAtRoot: {
        parameters: {
            query?: {
                /** @description Only this ticker. */
                ticker_id?: string;
                /** @description The page, from 1. Pages after the last one are empty. */
                page?: number;
                /** @description Tickers on a page. */
                limit?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tickers, the most recently traded first. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoinGeckoTicker"][];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed, or the token was not launched in a final block. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, nothing is indexed yet, or the chain's WBNB address can't be read. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCoinGeckoHistoricalTradesAtRoot: {
        parameters: {
            query: {
                /** @description As in /tickers. */
                ticker_id: string;
                /** @description Only buys, or only sells, of the token. */
                type?: "buy" | "sell";
                /** @description How many of the latest trades to return, both types together; 0 for all. */
                limit?: number;
                /** @description The earliest time, inclusive: seconds or milliseconds since 1970. */
                start_time?: number;
                /** @description The latest time, inclusive: seconds or milliseconds since 1970. */
                end_time?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trades by type. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoinGeckoTrades"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed, or the token was not launched in a final block. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, nothing is indexed yet, or the chain's WBNB address can't be read. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTokenList: {
        parameters: {
            query?: {
                /** @description The chain of minBlock and X-Index-Block: 56 (mainnet) or 97 (testnet). The list covers all chains. Left out: mainnet if it is indexed, else the one chain that is. */
                chainId?: 56 | 97;
                /** @description Respond once this block of the chain is indexed, such as the one in your transaction's receipt: waits up to 5 seconds for it, then 503 with the code `block_not_indexed`. */
                minBlock?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenList"];
                };
            };
            /** @description The client's copy (If-None-Match) is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no token to list yet, and the schema allows no empty list; or the chain is not indexed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stream: {
        parameters: {
            query?: {
                /** @description Only events of these tokens: up to 100 addresses, separated by commas. With creator: only events that match both. */
                mint?: string;
                /** @description Only events of tokens that these accounts created: up to 100 addresses, separated by commas. */
                creator?: string;
                /** @description Only events of these kinds, separated by commas: created, trade, graduated, registered, transfer, liquidity_added, liquidity_removed. If omitted, all but transfer, liquidity_added, liquidity_removed. `removed` comes with the kind of the event that it removes. */
                kind?: string;
                /** @description Only trades by these accounts: up to 100 addresses, separated by commas. Excludes all other kinds, as do side, venue and minBnb. */
                trader?: string;
                /** @description Only trades of this side. */
                side?: "buy" | "sell";
                /** @description Only trades on the curve, or only those on the DEX. */
                venue?: "curve" | "dex";
                /** @description Only trades of at least this many BNB. */
                minBnb?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description The same as Last-Event-ID, for clients that can't set a header. The header takes precedence. */
                lastEventId?: string;
            };
            header?: {
                /** @description The cursor of the last event that you have. Without it, you get only new events. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until one side ends the connection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description A parameter is wrong, or Last-Event-ID is not a cursor. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This database has never had such an event (stream_position_unknown): read the state and reconnect without Last-Event-ID. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The events after that one are no longer kept (stream_position_gone): read the state and reconnect without Last-Event-ID. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description All streams of this process are taken, or the database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description Only events of these tokens: up to 100 addresses, separated by commas. With creator: only events that match both. */
                mint?: string;
                /** @description Only events of tokens that these accounts created: up to 100 addresses, separated by commas. */
                creator?: string;
                /** @description Only events of these kinds, separated by commas: created, trade, graduated, registered, transfer, liquidity_added, liquidity_removed. If omitted, all but transfer, liquidity_added, liquidity_removed. `removed` comes with the kind of the event that it removes. */
                kind?: string;
                /** @description Only trades by these accounts: up to 100 addresses, separated by commas. Excludes all other kinds, as do side, venue and minBnb. */
                trader?: string;
                /** @description Only trades of this side. */
                side?: "buy" | "sell";
                /** @description Only trades on the curve, or only those on the DEX. */
                venue?: "curve" | "dex";
                /** @description Only trades of at least this many BNB. */
                minBnb?: number;
                /** @description 56 (mainnet) or 97 (testnet). If omitted, mainnet if it is indexed, otherwise the one chain that is. */
                chainId?: 56 | 97;
                /** @description The nextCursor of the previous response, or the cursor of an event. */
                cursor?: string;
                /** @description Seconds to wait for an event. */
                timeout?: number;
                /** @description The most events. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, and the cursor to continue with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Events"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description This database has never had such an event (stream_position_unknown): read the state and start over, without cursor. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The events after that one are no longer kept (stream_position_gone): read the state and start over, without cursor. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description All streams of this process are taken, or the database is unavailable, or the stream has not begun. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    prepareAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertRequest"];
            };
        };
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertMessageToSign"];
                };
            };
            /** @description A field is wrong, missing or unknown. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here, or alerts are off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAlertToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertAccess"];
            };
        };
        responses: {
            /** @description The token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertToken"];
                };
            };
            /** @description A field is wrong, missing or unknown. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here, or alerts are off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The signature has yielded a token before (signature_used): sign again. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The signature is not the owner's (invalid_signature), or too old (signature_expired). */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database or the chain is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: never;
            header: {
                /** @description `Bearer` and a token from `POST /api/alerts/tokens`. */
                Authorization: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscriptions. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alerts"];
                };
            };
            /** @description A parameter or a field is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token is not valid, or no longer (invalid_token): sign for a new one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token's wallet has no such subscription (alert_not_found), or alerts are off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedAlert"];
            };
        };
        responses: {
            /** @description The same signed message has made it before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAlert"];
                };
            };
            /** @description The subscription, and its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAlert"];
                };
            };
            /** @description A field is wrong, missing or unknown. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The chain is not indexed here, or alerts are off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The wallet, the client's address or the receiver's host has as many subscriptions as it may (too_many_alerts), or the subscription that this signature made has ended (signature_used). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The signature is not the owner's (invalid_signature), or too old (signature_expired). */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database or the chain is unavailable, or the stream has not begun. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header: {
                /** @description `Bearer` and a token from `POST /api/alerts/tokens`. */
                Authorization: string;
            };
            path: {
                /** @description The subscription's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription. */
            200: {
                headers: {
                    /** @description Chain id and number of the last block indexed before the answer was read. The answer reflects this block, or a newer one. */
                    "X-Index-Block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description A parameter or a field is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token is not valid, or no longer (invalid_token): sign for a new one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token's wallet has no such subscription (alert_not_found), or alerts are off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endAlert: {
        parameters: {
            query?: never;
            header: {
                /** @description `Bearer` and a token from `POST /api/alerts/tokens`. */
                Authorization: string;
            };
            path: {
                /** @description The subscription's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedAlert"];
                };
            };
            /** @description A parameter or a field is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token is not valid, or no longer (invalid_token): sign for a new one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token's wallet has no such subscription (alert_not_found), or alerts are off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeAlert: {
        parameters: {
            query?: never;
            header: {
                /** @description `Bearer` and a token from `POST /api/alerts/tokens`. */
                Authorization: string;
            };
            path: {
                /** @description The subscription's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertChange"];
            };
        };
        responses: {
            /** @description The subscription, and the new secret if it was rotated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedAlert"];
                };
            };
            /** @description A parameter or a field is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token is not valid, or no longer (invalid_token): sign for a new one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token's wallet has no such subscription (alert_not_found), or alerts are off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The receiver is not verified, so that its status can't be changed (alert_unverified); too many subscriptions wait for the new one's host to be verified (too_many_alerts); or the operator's key has changed, so that nothing can be sent (alert_unreadable): end it, and make another one. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyAlert: {
        parameters: {
            query?: never;
            header: {
                /** @description `Bearer` and a token from `POST /api/alerts/tokens`. */
                Authorization: string;
            };
            path: {
                /** @description The subscription's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedAlert"];
                };
            };
            /** @description A parameter or a field is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token is not valid, or no longer (invalid_token): sign for a new one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token's wallet has no such subscription (alert_not_found), or alerts are off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It can't be verified: the operator's key has changed, so that nothing can be sent (alert_unreadable): end it, and make another one. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testAlert: {
        parameters: {
            query?: never;
            header: {
                /** @description `Bearer` and a token from `POST /api/alerts/tokens`. */
                Authorization: string;
            };
            path: {
                /** @description The subscription's id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What became of it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestedAlert"];
                };
            };
            /** @description A parameter or a field is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token is not valid, or no longer (invalid_token): sign for a new one. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The token's wallet has no such subscription (alert_not_found), or alerts are off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The receiver is not verified (alert_unverified), or the operator's key has changed, so that nothing can be sent (alert_unreadable): end it, and make another one. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uploadImage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Stored. The same file uploaded again has the same CID, and is stored only once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedImage"];
                };
            };
            /** @description There is no file in the field `file`, more than one, or the body is broken. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The upload is too slow: it may take a minute, with at least 32 kB every 5 seconds until it is complete. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The file has more than 5 MB, as sent or as it would be stored. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not multipart/form-data, or the file is not an image of these types. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The image is broken, has too many pixels, or takes too much memory or time to decode. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests; or `too_many_uploads`: one address uploads too many at a time, or has too many uploads that no registration mentions yet. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The IPFS provider refused it. */
            502: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The IPFS provider or the database is unavailable, the decoder has failed, too many images are being uploaded, or `storage_full`: there is no room for more images at the moment. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uploadImageFromUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageSource"];
            };
        };
        responses: {
            /** @description Stored. The same image has the same CID again, and is stored only once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedImage"];
                };
            };
            /** @description The URL is not an https URL. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `images_from_urls_off`: the operator doesn't allow it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The image has more than 5 MB, as fetched or as it would be stored; or the body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON, or what is at the URL is not an image of these types. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `image_url_failed`: nothing was fetched, and `detail` says why; or the image is broken, has too many pixels, or takes too much memory or time to decode. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description As for an upload. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The IPFS provider refused it. */
            502: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description As for an upload. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getImage: {
        parameters: {
            query?: {
                /** @description Pixels. Left out: the original image. */
                width?: 64 | 128 | 256 | 512;
            };
            header?: never;
            path: {
                /** @description CIDv1 in base32. */
                cid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image, which never changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "image/webp": string;
                    "image/avif": string;
                };
            };
            /** @description The client's copy (If-None-Match) is still valid. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description This is not the CID of an image, or not one of these widths. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No such image was uploaded here, it was dropped, or another replica has it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The operator has hidden the image: `detail` has the reason. */
            451: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database or the image store is unavailable, the disk can't be read, or too many images are being loaded or resized. Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runSql: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SqlQuery"];
            };
        };
        responses: {
            /** @description The rows. `Accept` chooses the form: JSON by default, CSV with a header line, or one JSON object per line with a field for each column (NDJSON). In the latter two, null is an empty field and null, and the header `X-Truncated` says whether there are more rows. */
            200: {
                headers: {
                    /** @description Whether there are more rows than the answer has. */
                    "X-Truncated": "true" | "false";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SqlAnswer"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The statement is wrong, is not a single query, calls or casts to something that is not available here, or could take too long for one row (invalid_sql, with a message, and sqlState and position if known); or its result has more than 10 MB, or more than 100,000 values in lists (answer_too_large). */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body has more than 64 kB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests: try again after Retry-After seconds. */
            429: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The database is unavailable, has no role for this, or is still running a statement that can't be stopped (sql_unavailable). Code `busy`: too many requests are queued. */
            503: {
                headers: {
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It took longer than 10 s (query_timeout). */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
