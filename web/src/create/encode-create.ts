import { readContracts } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { parseAmount } from "../format/number.ts";
import { assertAsAsked } from "../wallet/chain.ts";
import { Refusal } from "../wallet/explain.ts";
import type { RpcTransaction } from "../wallet/transaction.ts";
import type { Launch } from "./draft.ts";
import type { FirstBuyQuote } from "./first-buy.tsx";

/** Encodes calls of the token factory by hand: three words and two strings aren't worth a library. */

/** createToken(string,string,uint8), createTokenWithSalt(string,string,uint8,bytes32), createTokenAndBuy(string,string,uint8,bytes32,uint256). */
const createToken = "0xe8a0aed3";
const createTokenWithSalt = "0x157ed770";
const createTokenAndBuy = "0x1bf7b743";

/** The topic of TokenCreated(address,address,string,string,uint8,uint256,bytes32), whose first indexed value is the token. */
const tokenCreated = "0x61d222857d57b783ed6bc8d01417fcf924c3193a1b61c32ecfd28ec2d282f361";

const word = (value: number | bigint) => value.toString(16).padStart(64, "0");

function text(value: string): string {
  const bytes = new TextEncoder().encode(value);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return word(bytes.length) + hex.padEnd(Math.ceil(bytes.length / 32) * 64, "0");
}

export type CreateCall = {
  name: string;
  symbol: string;
  burnPercent: number;
  salt?: string | undefined;
  /** Of a first buy; undefined for none. */
  minTokensOut?: bigint;
};

/** The data of a transaction that creates a token, and buys it if there is a minimum. */
export function encodeCreate({ name, symbol, burnPercent, salt, minTokensOut }: CreateCall): string {
  const [nameText, symbolText] = [text(name), text(symbol)];
  const isBuy = minTokensOut !== undefined;
  const last = isBuy ? [(salt ?? "").replace("0x", "").padStart(64, "0"), word(minTokensOut)] : [];
  if (!isBuy && salt !== undefined) last.push(salt.replace("0x", ""));
  const nameAt = 32 * (3 + last.length);
  const symbolAt = nameAt + nameText.length / 2;
  const head = word(nameAt) + word(symbolAt) + word(burnPercent) + last.join("");
  const selector = isBuy ? createTokenAndBuy : salt === undefined ? createToken : createTokenWithSalt;
  return selector + head + nameText + symbolText;
}

/** The token that a transaction created, in lower case. */
export function createdToken(logs: { topics: string[] }[]): string | undefined {
  const topics = logs.find((log) => log.topics[0] === tokenCreated)?.topics;
  return topics?.[1] === undefined ? undefined : `0x${topics[1].slice(-40)}`.toLowerCase();
}

/**
 * The transaction that creates the token. The service builds it if there is a first buy, and the page compares it with its own;
 * otherwise it is a plain call of the factory.
 *
 * @param shown the quote of the first buy that the page showed
 */
export async function creationCall(
  { form, chainId: id, creator, salt }: Launch,
  shown: FirstBuyQuote | undefined,
): Promise<RpcTransaction> {
  const chainId = id as 56 | 97;
  const { name, symbol, burnPercent } = form;
  if (salt !== undefined && !/^0x[0-9a-f]{64}$/.test(salt)) throw new Refusal("The salt is malformed.");
  // Someone else could take the address.
  if (salt?.startsWith(creator.toLowerCase()) === false) throw new Refusal("The salt is not bound to you.");
  const { problem, units = 0n } = parseAmount(form.firstBuy);
  if (problem !== undefined) throw new Refusal(problem);
  const { tokenFactory } = await readContracts(chainId);
  const token = { name, symbol, burnPercent, salt };
  if (units === 0n) return { to: tokenFactory, data: encodeCreate(token), value: "0x0" };

  const query = { ...token, amount: String(units), chainId, account: creator };
  const quote = await dataOf(api.GET("/api/first-buy/quote", { params: { query } }));
  const tooLow = quote.warnings.find(({ code }) => code === "balance_too_low");
  if (tooLow !== undefined) throw new Refusal(tooLow.message);
  const data = encodeCreate({ ...token, minTokensOut: minimumOf(quote, units) });
  const value = `0x${units.toString(16)}`;
  const own = [creator, tokenFactory, data, value, chainId].join().toLowerCase();
  const {
    from,
    to,
    data: sentData,
    value: sentValue,
    chainId: sentChain,
    gas,
  } = quote.transaction?.rpc ?? {};
  const isOwn = [from, to, sentData, sentValue, Number(sentChain)].join().toLowerCase() === own;
  if (!isOwn) assertAsAsked("another transaction");
  // Nobody can buy earlier, so what comes out can't have changed.
  if (quote.amountOutRaw !== shown?.amountOutRaw) assertAsAsked("another outcome");
  return gas === undefined ? { to: tokenFactory, data, value } : { to: tokenFactory, data, value, gas };
}

/** The minimum for all that is paid in. The contract applies the part of it that isn't refunded. */
function minimumOf({ amountOutRaw, refundWei }: FirstBuyQuote, paid: bigint): bigint {
  const taken = paid - BigInt(refundWei);
  return taken > 0n ? (BigInt(amountOutRaw) * paid) / taken : 0n;
}
