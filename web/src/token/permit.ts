import { askWallet } from "../wallet/chain.ts";
import type { Provider } from "../wallet/providers.ts";
import { signTypedData } from "../wallet/typed-data.ts";
import type { Order } from "./send-trade.ts";
import type { Quote } from "./use-quote.ts";

/** sellWithPermit(address,uint256,uint256,uint256,uint8,bytes32,bytes32): the arguments of sell, and a signature. */
const sellWithPermit = "0x4c33aa2e";
/** 250,000: recovering the signer comes on top of a sale. */
const permitSellGas = "0x3d090";

const permitType = ["owner address", "spender address", "value uint256", "nonce uint256", "deadline uint256"];

/** How wallets report that their owner said no, rather than that they can't sign. */
const rejections: unknown[] = [4001, 5000, "ACTION_REJECTED"];

/**
 * Replaces the approval of a sale on the curve by the account's signature of a permit (ERC-2612), whose every value but the nonce is
 * the visitor's own. Resolves to the quote as it is if it offers none, or if the account can't sign it: a contract, or one whose
 * wallet doesn't sign typed data. Throws if the visitor rejects it.
 */
export async function withPermit(
  quote: Quote,
  { mint, account, amountIn, chainId }: Order,
  { provider, launchpad }: { provider: Provider; launchpad: string },
): Promise<Quote> {
  const { transaction, permit, deadline } = quote;
  if (permit === null || transaction === null) return quote;
  if (await isContract(provider, account)) return quote;
  const message = {
    owner: account,
    spender: launchpad,
    value: String(amountIn),
    nonce: permit.message.nonce,
    deadline: String(deadline),
  };
  const domain = { name: "Launchpad Token", version: "1", chainId, verifyingContract: mint };
  const fields = permitType.map((field) => {
    const [name = "", type = ""] = field.split(" ");
    return { name, type };
  });
  const typed = { domain, types: { Permit: fields }, primaryType: "Permit", message };
  const signature = await signTypedData(provider, account, typed).catch((error: { code?: unknown }) => {
    if (rejections.includes(error?.code)) throw error;
  });
  const [, r, s, last = ""] = /^0x(.{64})(.{64})(..)$/.exec(signature ?? "") ?? [];
  const parity = Number(`0x${last}`) % 27;
  // A contract's signature is of another kind.
  if (r === undefined || parity > 1) return quote;
  const v = (27 + parity).toString(16).padStart(64, "0");
  const data = `${sellWithPermit}${transaction.data.slice(10)}${v}${r}${s}`;
  const rpc = { ...transaction.rpc, data, gas: permitSellGas };
  return { ...quote, transaction: { ...transaction, data, rpc }, approval: null };
}

/** Whether an account is a contract, which has no key. One that delegates to a contract (EIP-7702) has. */
async function isContract(provider: Provider, account: string): Promise<boolean> {
  const code = await askWallet(provider, "eth_getCode", [account, "latest"]);
  return typeof code === "string" && code.length > 2 && !code.startsWith("0xef0100");
}
