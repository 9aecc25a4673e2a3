"""Reads a launchpad with Python's standard library alone: a list, a quote, GraphQL, and events as they happen.

    python3 examples/market.py http://localhost:42069            the most traded tokens
    python3 examples/market.py http://localhost:42069 0x...      one token: quote, trades, then its events

Names and symbols are written by anyone: treat them as hostile text. Here, repr() keeps them from controlling the terminal.
"""

import json
import sys
import time
from decimal import Decimal
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

WEI = 10**18


class Problem(Exception):
    """An error of the API. `code` is stable; `detail` says what to do."""

    def __init__(self, code, detail):
        super().__init__(f"{code}: {detail}")
        self.code = code


def problem_of(error):
    """Returns the error of the API in an answer. Something else may have answered, such as a proxy."""
    try:
        problem = json.load(error)
        return Problem(problem["code"], problem["detail"])
    except (ValueError, KeyError, TypeError):
        return Problem("not_the_api", f"{error.url} answered {error.code}, but not as the API does")


def request(url, body=None):
    """Returns the JSON at a URL. Waits and tries again while the service is busy, restarts or can't be reached."""
    headers = {"accept": "application/json", "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(4):
        try:
            # Long polling takes up to 25 seconds.
            with urlopen(Request(url, data, headers), timeout=60) as answer:
                return json.load(answer)
        except HTTPError as error:
            retry_after = error.headers.get("retry-after") or ""
            # A proxy in front of a service that restarts doesn't say when to ask again.
            is_temporary = retry_after.isdigit() or error.code in (502, 503, 504)
            if attempt == 3 or not is_temporary:
                raise problem_of(error) from None
            time.sleep(int(retry_after) if retry_after.isdigit() else 2**attempt)
        except (OSError, HTTPException):
            if attempt == 3:
                raise
            time.sleep(2**attempt)


def get(base, path, **query):
    return request(f"{base}{path}?{urlencode(query)}")


def tokens(base, **query):
    """Yields all tokens of a list, page by page. By cursors, since numbered pages shift while the market moves."""
    while True:
        answer = get(base, "/api/tokens", **query, limit=100)
        yield from answer["tokens"]
        if answer["nextCursor"] is None:
            return
        query["cursor"] = answer["nextCursor"]


TRADES = """
query ($chainId: Int!, $token: String!, $after: String) {
  trades(where: { chainId: $chainId, token: $token }, orderBy: "timestamp", orderDirection: "desc", limit: 100, after: $after) {
    items { id side bnbAmountWei tokenAmountRaw }
    pageInfo { hasNextPage endCursor }
  }
}"""


def trades(base, chain_id, mint):
    """Yields all trades of a token over GraphQL, newest first."""
    after = None
    while True:
        variables = {"chainId": chain_id, "token": mint, "after": after}
        answer = request(f"{base}/graphql", {"query": TRADES, "variables": variables})
        # GraphQL answers 200 to a refused query.
        for error in answer.get("errors", []):
            raise Problem(error.get("extensions", {}).get("code", "graphql_error"), error["message"])
        page = answer["data"]["trades"]
        yield from page["items"]
        if not page["pageInfo"]["hasNextPage"]:
            return
        after = page["pageInfo"]["endCursor"]


def events(base, cursor, **query):
    """Yields the events after a cursor for ever, and misses none. Store the last event's cursor to continue after a restart."""
    while True:
        answer = get(base, "/api/events", cursor=cursor, **query)
        yield from answer["events"]
        cursor = answer["nextCursor"]


def main(base, mint=None):
    if mint is None:
        for token in tokens(base, sort="volume", view="compact"):
            print(token["mint"], repr(token["symbol"]), token["priceBnb"], "BNB,", token["volume24hBnb"], "BNB in 24h")
        return
    # The position comes first, so that no event between the state and the stream is lost.
    cursor = get(base, "/api/events", timeout=0)["nextCursor"]
    chain_id = get(base, "/api")["chain"]["id"]

    # Amounts are whole numbers of wei or base units, as text: never make floats of them.
    quote = get(base, f"/api/curve/{mint}/quote", side="buy", amount=WEI // 1000)
    print("quote: 0.001 BNB buys", Decimal(quote["amountOutRaw"]) / WEI, "tokens")

    bought = sum(int(trade["bnbAmountWei"]) for trade in trades(base, chain_id, mint) if trade["side"] == "buy")
    print("bought so far:", Decimal(bought) / WEI, "BNB", flush=True)

    for event in events(base, cursor, mint=mint):
        print("event:", event["kind"], event["cursor"], flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1].rstrip("/"), *sys.argv[2:3])
    except Problem as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        pass
