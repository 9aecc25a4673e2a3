import {
  type Address,
  decodeEventLog,
  getAbiItem,
  type Hex,
  numberToHex,
  type RpcLog,
  toEventSelector,
} from "viem";
import { launchpadAbi } from "../../abis/Launchpad.ts";
import { launchTokenAbi } from "../../abis/LaunchToken.ts";
import { tokenFactoryAbi } from "../../abis/TokenFactory.ts";
import type { Rpc } from "./rpc.ts";

export type MarketToken = {
  address: Address;
  creator: Address;
  name: string;
  symbol: string;
  burnPercent: number;
  graduated: boolean;
  pair: Address | undefined;
  /** Balances of all accounts in base units, contracts included. */
  balances: Map<Address, bigint>;
  /** `account spender` pairs with an unlimited allowance. */
  approvals: Set<string>;
};

/** The most frequent events come first: for each log, viem hashes one after the other until one matches. */
const abi = [
  getAbiItem({ abi: launchTokenAbi, name: "Transfer" }),
  getAbiItem({ abi: launchTokenAbi, name: "Approval" }),
  getAbiItem({ abi: tokenFactoryAbi, name: "TokenCreated" }),
  getAbiItem({ abi: launchpadAbi, name: "Graduated" }),
] as const;
const selectors = abi.map((event) => toEventSelector(event));
const [transferred, approved, tokenCreated] = selectors;

/** The state of the market for the simulated traders, read from logs so that it survives a restart. */
export type MarketView = ReturnType<typeof createMarketView>;

export function createMarketView(rpc: Rpc) {
  const tokens = new Map<Address, MarketToken>();
  let nextBlock = 0;

  function tokenAt(address: Address): MarketToken {
    const token = tokens.get(address);
    if (token !== undefined) return token;
    const added: MarketToken = {
      address,
      creator: address,
      name: "",
      symbol: "",
      burnPercent: 0,
      graduated: false,
      pair: undefined,
      balances: new Map(),
      approvals: new Set(),
    };
    tokens.set(address, added);
    return added;
  }

  function move(token: MarketToken, account: Address, change: bigint): void {
    token.balances.set(account, (token.balances.get(account) ?? 0n) + change);
  }

  function apply(log: RpcLog): void {
    const event = decodeEventLog({ abi, topics: log.topics as [Hex, ...Hex[]], data: log.data });
    const emitter = log.address.toLowerCase() as Address;
    if (event.eventName === "TokenCreated") {
      const { token, creator, name, symbol, burnPercent } = event.args;
      Object.assign(tokenAt(lower(token)), { creator: lower(creator), name, symbol, burnPercent });
    } else if (event.eventName === "Graduated") {
      const token = tokenAt(lower(event.args.token));
      token.graduated = true;
      token.pair = lower(event.args.pair);
    } else if (event.eventName === "Transfer") {
      const token = tokenAt(emitter);
      move(token, lower(event.args.from), -event.args.value);
      move(token, lower(event.args.to), event.args.value);
    } else {
      tokenAt(emitter).approvals.add(`${lower(event.args.owner)} ${lower(event.args.spender)}`);
    }
  }

  return {
    tokens,
    /** Applies the logs of new blocks. */
    async refresh(): Promise<void> {
      const [head] = await rpc<[Hex]>([["eth_blockNumber"]]);
      if (Number(head) < nextBlock) return;
      const range = { fromBlock: numberToHex(nextBlock), toBlock: head, topics: [selectors] };
      const [logs] = await rpc<[RpcLog[]]>([["eth_getLogs", [range]]]);
      nextBlock = Number(head) + 1;
      const created = new Set(tokens.keys());
      for (const log of logs) {
        if (log.topics[0] === tokenCreated) created.add(lower(`0x${log.topics[1]?.slice(26)}`));
      }
      // WBNB and LP tokens emit Transfer and Approval as well.
      for (const log of logs) {
        const isTokenEvent = log.topics[0] === transferred || log.topics[0] === approved;
        if (!isTokenEvent || created.has(lower(log.address))) apply(log);
      }
    },
  };
}

function lower(address: string): Address {
  return address.toLowerCase() as Address;
}
