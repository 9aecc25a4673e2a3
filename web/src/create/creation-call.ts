import { readContracts } from "../data/chain.ts";
import { api, dataOf } from "../data/client.ts";
import { parseAmount } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { assertAsAsked } from "../wallet/chain.ts";
import { Refusal } from "../wallet/explain.ts";
import type { RpcTransaction } from "../wallet/transaction.ts";
import type { Launch } from "./draft.ts";
import { createGas, encodeCreate } from "./encode-create.ts";
import type { FirstBuyQuote } from "./first-buy.tsx";

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
  if (salt !== undefined && !/^0x[0-9a-f]{64}$/.test(salt)) throw new Refusal(t.create.wrongSalt);
  const { problem, units = 0n } = parseAmount(form.firstBuy);
  if (problem !== undefined) throw new Refusal(problem);
  const { tokenFactory } = await readContracts(chainId);
  const token = { name, symbol, burnPercent, salt };
  if (units === 0n) {
    return { to: tokenFactory, data: encodeCreate(token), value: "0x0", gas: createGas };
  }

  const query = { ...token, amount: String(units), chainId, account: creator };
  const quote = await dataOf(api.GET("/api/first-buy/quote", { params: { query } }));
  const tooLow = quote.warnings.find(({ code }) => code === "balance_too_low");
  if (tooLow !== undefined) throw new Refusal(t.trade.warnings[tooLow.code] ?? tooLow.message);
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
  return { to: tokenFactory, data, value, ...(gas && { gas }) };
}

/** The minimum for all that is paid in. The contract applies the part of it that isn't refunded. */
function minimumOf({ amountOutRaw, refundWei }: FirstBuyQuote, paid: bigint): bigint {
  const taken = paid - BigInt(refundWei);
  return taken > 0n ? (BigInt(amountOutRaw) * paid) / taken : 0n;
}
