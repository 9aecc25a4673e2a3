import type pg from "pg";
import { type Address, encodeFunctionData, parseAbi } from "viem";
import { statement } from "../offchain/connection.ts";
import { type FinalChain, finalRows, readChangedRows } from "../runtime/ponder/final-rows.ts";
import type { CallResult, ContractCall } from "./read-calls.ts";

/** Which rows to compare. Addresses are in lower case. */
export type Selection = {
  balances: { token: Address; account: Address }[];
  /** Tokens, each with its curve, its pair and the sum of its balances. */
  tokens: Address[];
};

/** A call, and what it returns if the index is right. */
export type Check = {
  token: Address;
  /** The holder, or the pair. */
  account?: Address;
  call: ContractCall;
  /** What each 32-byte word of the result is; undefined where the index doesn't have it. */
  words: (Word | undefined)[];
  /** Another order of the words that is right too: a pair's first Sync shows which of its reserves is BNB. */
  isEitherOrder?: boolean;
};

type Word = { name: string; value: bigint; isAddress?: boolean };

/** What the checks are about. */
export type CheckedIndex = {
  /** The Postgres schema of the on-chain tables. */
  schema: string;
  chain: { id: number; tokenFactory: Address; launchpad: Address };
  /** Leaves out the sum of all balances for tokens with more rows than this. Default: no token. */
  maxSummed?: number;
};

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function totalSupply() view returns (uint256)",
  "function tokens(address) view returns (address creator, uint8 burnPercent)",
  "function curves(address) view returns (uint256, uint256, uint256, uint256, uint256, uint8, bool)",
  "function getReserves() view returns (uint112, uint112, uint32)",
]);
const totalSupplyCall = encodeFunctionData({ abi, functionName: "totalSupply" });
const getReservesCall = encodeFunctionData({ abi, functionName: "getReserves" });

type Snapshot = { client: pg.ClientBase; final: FinalChain };
type BalanceRow = { token: Address; account: Address; balance_raw: string };
type TokenRow = { address: Address; creator: Address; burn_percent: number; total_supply_raw: string };
type CurveRow = {
  burn_percent: number;
  virtual_bnb_reserves: string;
  virtual_token_reserves: string;
  real_token_reserves: string;
  tokens_sold: string;
  total_to_sell: string;
  graduated: boolean;
  pair: Address | null;
};
type PairRow = {
  address: Address;
  token: Address;
  bnb_reserves_wei: string;
  token_reserves_raw: string;
  token_is_token0: boolean | null;
};
const tokenColumns = ["creator", "burn_percent", "total_supply_raw"];
const curveColumns = [
  ...["burn_percent", "virtual_bnb_reserves", "virtual_token_reserves", "real_token_reserves"],
  ...["tokens_sold", "total_to_sell", "graduated", "pair"],
];
const pairColumns = ["token", "bnb_reserves_wei", "token_reserves_raw", "token_is_token0"];

/** Reads rows as they were at a final block, in the snapshot that it is from, and returns what the chain must say there. */
export async function readChecks(
  snapshot: Snapshot,
  index: CheckedIndex,
  { balances, tokens }: Selection,
): Promise<Check[]> {
  return [
    ...(await readBalanceChecks(snapshot, index, balances)),
    ...(await readTokenChecks(snapshot, index, tokens)),
  ];
}

async function readBalanceChecks(
  { client, final }: Snapshot,
  { schema, chain }: CheckedIndex,
  keys: Selection["balances"],
): Promise<Check[]> {
  if (keys.length === 0) return [];
  const keyOf = ({ token, account }: Pick<BalanceRow, "token" | "account">) => `${token} ${account}`;
  // One look-up of the primary key each, whatever the statistics say.
  const { rows } = await client.query<BalanceRow>(
    statement`select h.token, h.account, h.balance_raw from unnest($2::text[], $3::text[]) asked (token, account)
      cross join lateral (select token, account, balance_raw from ${schema}.holder
        where chain_id = $1 and token = asked.token and account = asked.account limit 1) h`,
    [chain.id, keys.map(({ token }) => token), keys.map(({ account }) => account)],
  );
  const current = new Map(rows.map((row) => [keyOf(row), row]));
  const changed = await readChangedRows<BalanceRow>(client, { schema, table: "holder", chain: final }, keyOf);
  return keys.flatMap(({ token, account }) => {
    const key = keyOf({ token, account });
    const row = changed.has(key) ? changed.get(key) : current.get(key);
    // It is newer than the final block, and its token may be, too.
    if (row === undefined) return [];
    const call = { to: token, data: encodeFunctionData({ abi, functionName: "balanceOf", args: [account] }) };
    return [{ token, account, call, words: [{ name: "balance", value: BigInt(row.balance_raw) }] }];
  });
}

async function readTokenChecks(
  { client, final }: Snapshot,
  { schema, chain, maxSummed }: CheckedIndex,
  addresses: readonly Address[],
): Promise<Check[]> {
  if (addresses.length === 0) return [];
  const ofTable = (table: string, key: readonly string[], columns: readonly string[]) =>
    finalRows({
      schema,
      table,
      key: ["chain_id", ...key],
      chain: final,
      columns: [...key, ...columns].map((column) => statement`r.${column}`).join(", "),
    });
  async function read<Row extends pg.QueryResultRow>(
    ...[table, key, columns, keys]: [table: string, key: string, columns: string[], keys: readonly string[]]
  ): Promise<Map<string, Row>> {
    const query = `select * from (${ofTable(table, [key], columns)}) r where ${statement`${key}`} = any($1)`;
    const { rows } = await client.query<Row>(query, [keys]);
    return new Map(rows.map((row) => [row[key], row]));
  }
  const tokens = await read<TokenRow>("token", "address", tokenColumns, addresses);
  const curves = await read<CurveRow>("curve", "token", curveColumns, addresses);
  const pairsOfTokens = [...curves.values()].flatMap(({ pair }) => pair ?? []);
  const pairs = await read<PairRow>("dex_pair", "address", pairColumns, pairsOfTokens);
  const sums = `select token, sum(balance_raw) as sum from (${ofTable("holder", ["token", "account"], ["balance_raw"])}) r
    where token = any($1) group by token`;
  const summed =
    maxSummed === undefined
      ? addresses
      : await withFewHolders({ client, schema, chain }, addresses, maxSummed);
  const { rows } = await client.query<{ token: Address; sum: string }>(sums, [summed]);
  const sumOf = new Map(rows.map(({ token, sum }) => [token, BigInt(sum)]));

  return [...tokens.values()].flatMap((token) => {
    const { address } = token;
    const curve = curves.get(address);
    const pair = pairs.get(curve?.pair ?? "");
    return [
      ...tokenChecks(token, curve, chain),
      // A holder without a row is in no page of holders.
      ...(summed.includes(address) ? [sumCheck(address, sumOf.get(address) ?? 0n)] : []),
      // A pair belongs to the first token that named it.
      ...(pair?.token === address ? [pairCheck(pair)] : []),
    ];
  });
}

/** Returns the tokens with at most so many rows in holder. */
async function withFewHolders(
  { client, schema, chain }: Pick<CheckedIndex, "schema" | "chain"> & { client: pg.ClientBase },
  tokens: readonly Address[],
  max: number,
): Promise<Address[]> {
  const { rows } = await client.query<{ token: Address }>(
    statement`select token from unnest($2::text[]) asked (token) where not exists (
      select from ${schema}.holder h where h.chain_id = $1 and h.token = asked.token offset $3)`,
    [chain.id, tokens, max],
  );
  return rows.map(({ token }) => token);
}

function tokenChecks(
  token: TokenRow,
  curve: CurveRow | undefined,
  { tokenFactory, launchpad }: CheckedIndex["chain"],
): Check[] {
  const { address } = token;
  const ofFactory = encodeFunctionData({ abi, functionName: "tokens", args: [address] });
  const ofLaunchpad = encodeFunctionData({ abi, functionName: "curves", args: [address] });
  return [
    {
      token: address,
      call: { to: address, data: totalSupplyCall },
      words: [{ name: "totalSupply", value: BigInt(token.total_supply_raw) }],
    },
    {
      token: address,
      call: { to: tokenFactory, data: ofFactory },
      words: [
        { name: "creator", value: BigInt(token.creator), isAddress: true },
        { name: "burnPercent", value: BigInt(token.burn_percent) },
      ],
    },
    {
      token: address,
      call: { to: launchpad, data: ofLaunchpad },
      // Without a curve, the launchpad returns zeros.
      words: [
        { name: "virtualBnbReserves", value: BigInt(curve?.virtual_bnb_reserves ?? 0) },
        { name: "virtualTokenReserves", value: BigInt(curve?.virtual_token_reserves ?? 0) },
        { name: "realTokenReserves", value: BigInt(curve?.real_token_reserves ?? 0) },
        { name: "tokensSold", value: BigInt(curve?.tokens_sold ?? 0) },
        { name: "totalToSell", value: BigInt(curve?.total_to_sell ?? 0) },
        { name: "burnPercent of the curve", value: BigInt(curve?.burn_percent ?? 0) },
        { name: "graduated", value: BigInt(curve?.graduated ?? false) },
      ],
    },
  ];
}

const sumCheck = (token: Address, sum: bigint): Check => ({
  token,
  call: { to: token, data: totalSupplyCall },
  words: [{ name: "the sum of all balances", value: sum }],
});

function pairCheck(pair: PairRow): Check {
  const bnb = { name: "bnbReserves", value: BigInt(pair.bnb_reserves_wei) };
  const tokens = { name: "tokenReserves", value: BigInt(pair.token_reserves_raw) };
  return {
    token: pair.token,
    account: pair.address,
    call: { to: pair.address, data: getReservesCall },
    // The third word is a time.
    words: [...(pair.token_is_token0 === true ? [tokens, bnb] : [bnb, tokens]), undefined],
    isEitherOrder: pair.token_is_token0 === null,
  };
}

type WordDifference = { name: string; ours: string; onChain: string };

/** Returns where a call's result differs from what it should be. */
export function compareWords({ words, isEitherOrder }: Check, result: CallResult): WordDifference[] {
  const values = (result.slice(2).match(/[\da-f]{64}/g) ?? []).map((text) => BigInt(`0x${text}`));
  const isMissing = values.length < words.length;
  if (isEitherOrder && !isMissing && words[0]?.value === values[1] && words[1]?.value === values[0])
    return [];
  return words.flatMap((word, place) => {
    if (word === undefined || word.value === values[place]) return [];
    const onChain = isMissing
      ? "nothing, since the contract doesn't answer,"
      : show(word, values[place] ?? 0n);
    return [{ name: word.name, ours: show(word, word.value), onChain }];
  });
}

const show = ({ isAddress = false }: Word, value: bigint): string =>
  isAddress ? `0x${value.toString(16).padStart(40, "0")}` : String(value);
