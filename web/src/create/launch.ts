import { coin, readContracts } from "../data/chain.ts";
import { api, client, dataOf, LaunchpadError } from "../data/client.ts";
import { parseAmount } from "../format/number.ts";
import { t } from "../language/messages.ts";
import { StoppedWaiting } from "../wallet/ask-owner.ts";
import { assertAsAsked } from "../wallet/chain.ts";
import { account } from "../wallet/connection.ts";
import { explain, isRejection, Refusal } from "../wallet/explain.ts";
import { createStatus, followTransaction, runTransaction } from "../wallet/run-steps.ts";
import { nonEmpty, signRegistration } from "../wallet/sign-registration.ts";
import type { RpcTransaction } from "../wallet/transaction.ts";
import {
  clearForm,
  endLaunch,
  type Form,
  keepLaunch,
  type Launch,
  launchKey,
  launchOf,
  readLaunches,
  registeredTexts,
} from "./draft.ts";
import { createdToken, createGas, encodeCreate } from "./encode-create.ts";
import type { FirstBuyQuote } from "./first-buy.tsx";

/** The progress of the launch, in words. */
export const status = createStatus();

window.addEventListener("storage", ({ key }) => {
  if (key === launchKey) readLaunches();
});

const working = (text: string) => {
  status.value = { kind: "working", text };
};

/** Notes how far an account's launch has come, unless it has ended. */
const note = (creator: string, changes: Partial<Launch>) => {
  const launch = launchOf(creator);
  if (launch !== undefined) keepLaunch({ ...launch, ...changes });
};

/**
 * Does something about the launch unless another tab is doing so, which the status says then: each tab would ask the wallet for the same
 * signature. Pages that are not served by https know of no other tabs.
 */
async function inOneTab<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
  if (navigator.locks === undefined) return await run();
  return await navigator.locks.request(launchKey, { ifAvailable: true }, async (lock) => {
    if (lock !== null) return await run();
    status.value = { kind: "failed", text: t.create.otherTab };
    return undefined;
  });
}

/**
 * Launches a token: uploads the image, searches an address, sends one transaction, then registers it. Resolves to the token's address,
 * or to undefined if it stopped, in which case the status says why.
 */
export async function startLaunch(
  form: Form,
  image: File | undefined,
  { chainId, firstBuy }: { chainId: 56 | 97; firstBuy: FirstBuyQuote | undefined },
): Promise<string | undefined> {
  const creator = account.peek();
  // Phones put a space after a word, which the token would have for ever.
  const named = { ...form, name: form.name.trim(), symbol: form.symbol.trim() };
  // Two clicks may come before the page is drawn again.
  if (creator === undefined || status.peek().kind === "working") return undefined;
  working(t.create.preparing);
  const begun = { form: named, chainId, creator, begunAt: Date.now() };
  return await inOneTab(() => launchToken(begun, image, firstBuy));
}

type Begun = { form: Form; chainId: 56 | 97; creator: string; begunAt: number };

async function launchToken(
  begun: Begun,
  image: File | undefined,
  firstBuy: FirstBuyQuote | undefined,
): Promise<string | undefined> {
  const { form, chainId, creator, begunAt } = begun;
  readLaunches();
  const last = launchOf(creator);
  // Another tab may have asked the wallet meanwhile: what it confirms there would be lost, and this one paid for as well.
  if (last?.hadTokens !== undefined && last.isRefused !== true) {
    status.value = { kind: "idle" };
    return undefined;
  }
  try {
    keepLaunch(begun);
    if (image !== undefined) {
      working(t.registration.uploading);
      note(creator, { imageUrl: (await client.uploadImage(image, image.name)).url });
    }
    if (form.isVanity) {
      working(t.create.searchingAddress);
      const query = { name: form.name, symbol: form.symbol, creator, chainId };
      const { salt, address } = await dataOf(api.GET("/api/tokens/vanity-salt", { params: { query } }));
      note(creator, { salt, expected: address });
    }
    const call = await creationCall(launchOf(creator) ?? begun, firstBuy);
    note(creator, { hadTokens: (await newestTokens(creator, chainId)).map(({ mint }) => mint) });
    const { onHash, end } = trackHash(creator);
    const onLate = (hash: string) => {
      // Its creator may have given it up, and begun another.
      const isStill = launchOf(creator)?.begunAt === begunAt;
      if (isStill) goOn(creator, { hash });
      return isStill;
    };
    const sending = { call, from: creator, chainId };
    const receipt = await runTransaction(status, "creation", sending, { onHash, onLate });
    if (receipt === undefined) return end();
    return await register(creator, createdToken(receipt.logs));
  } catch (error) {
    status.value = { kind: "failed", text: explain(error) };
    if (launchOf(creator)?.hash === undefined) endLaunch(creator);
    return undefined;
  }
}

/** Notes the launch's transaction. A launch ends with one that failed, and not with one that is lost: its token may still appear. */
function trackHash(creator: string) {
  let isLost = false;
  return {
    onHash(hash: string | undefined): void {
      isLost = hash === undefined;
      note(creator, { hash });
    },
    end(): undefined {
      if (!isLost) endLaunch(creator);
    },
  };
}

/** Notes that a launch was sent after all: the page goes on with it, as when it is opened again. */
function goOn(creator: string, changes: Partial<Launch>): void {
  note(creator, changes);
  // It told of a transaction that nobody knew.
  if (status.peek().kind === "failed") status.value = { kind: "idle" };
}

/**
 * Looks for the token of an account's launch for whose wallet nobody waits any more, or whose transaction is lost, and records it. Resolves to whether it was
 * found. Throws if the service can't be reached; the caller tries again.
 */
export async function findLaunched(creator: string): Promise<boolean> {
  const waiting = launchOf(creator);
  if (waiting?.hadTokens === undefined) return false;
  const { form, hadTokens, expected } = waiting;
  const tokens = await newestTokens(creator, waiting.chainId as 56 | 97);
  const launched = tokens.find(
    ({ mint, name, symbol, burnPercent }) =>
      !hadTokens.includes(mint) &&
      (expected === undefined || mint === expected.toLowerCase()) &&
      name === form.name &&
      symbol === form.symbol &&
      burnPercent === form.burnPercent,
  );
  // The launch may have been restarted or abandoned meanwhile.
  if (launched === undefined || launchOf(creator) !== waiting) return false;
  goOn(creator, { mint: launched.mint });
  return true;
}

/** Forgets an account's launch whose transaction, as the visitor says, was never sent, or whose registration they give up. */
export async function abandonLaunch(creator: string): Promise<void> {
  await inOneTab(async () => {
    endLaunch(creator);
    status.value = { kind: "idle" };
  });
}

/** The newest tokens that an account created. */
async function newestTokens(address: string, chainId: 56 | 97) {
  const params = { path: { address }, query: { chainId, limit: 20 } };
  return (await dataOf(api.GET("/api/account/{address}/created-tokens", { params }))).createdTokens;
}

let isResuming = false;

/** Resumes an account's launch that stopped halfway, with a signature or without one. Resolves as {@link startLaunch} does. */
export async function resumeLaunch(
  creator: string,
  { isUnsigned = false } = {},
): Promise<string | undefined> {
  // The second click of a double click would find that another is going on with it.
  if (isResuming) return undefined;
  isResuming = true;
  return await inOneTab(() => resume(creator, isUnsigned)).finally(() => {
    isResuming = false;
  });
}

async function resume(creator: string, isUnsigned: boolean): Promise<string | undefined> {
  readLaunches();
  const launch = launchOf(creator);
  if (launch === undefined) return undefined;
  const { hash, mint, chainId, form } = launch;
  if (isUnsigned) note(creator, { form: { ...form, isSigned: false } });
  try {
    if (mint !== undefined) return await register(creator, mint);
    if (hash === undefined) return undefined;
    const { onHash, end } = trackHash(creator);
    const receipt = await followTransaction(status, "creation", { hash, chainId }, onHash);
    if (receipt === undefined) return end();
    return await register(creator, createdToken(receipt.logs));
  } catch (error) {
    status.value = { kind: "failed", text: explain(error) };
    return undefined;
  }
}

/** The statuses with which the service refuses a registration that it would refuse again. */
const refusals = [400, 409, 422];

/** Registers the created token, and ends the launch. */
async function register(creator: string, mint: string | undefined): Promise<string | undefined> {
  const launch = launchOf(creator);
  if (mint === undefined) throw new Error(t.create.noToken);
  if (launch === undefined) return mint;
  const { form, chainId, imageUrl } = launch;
  note(creator, { mint });
  const body = {
    mint,
    name: form.name,
    symbol: form.symbol,
    creator,
    burnPercent: form.burnPercent,
    chainId: chainId as 56 | 97,
    ...nonEmpty({ ...registeredTexts(form), imageUrl }),
  };
  const signed = form.isSigned ? await sign(body, chainId as 56 | 97, creator) : {};
  working(t.registration.registering);
  await dataOf(api.POST("/api/tokens", { body: { ...body, ...signed } })).catch((error: unknown) => {
    if (error instanceof LaunchpadError && refusals.includes(error.status))
      note(creator, { isRefused: true });
    throw error;
  });
  endLaunch(creator);
  clearForm();
  status.value = { kind: "done", text: t.create.live };
  return mint;
}

/**
 * Asks the creator to sign the registration. If they refuse, the token is registered without a signature. If the wallet can't sign, they
 * are asked.
 */
async function sign(
  body: Record<string, unknown> & { mint: string },
  chainId: 56 | 97,
  creator: string,
): Promise<object> {
  working(t.registration.signing);
  try {
    const signed = await signRegistration(status, body, chainId, creator);
    // At an earlier attempt, it may not have been able to.
    note(creator, { cannotSign: false });
    return signed;
  } catch (error) {
    if (isRejection(error)) return {};
    // Some wallets show no request for a signature.
    const isOther = error instanceof Refusal && !(error instanceof StoppedWaiting);
    if (!isOther && !(error instanceof LaunchpadError)) note(creator, { cannotSign: true });
    throw error;
  }
}

/** The warnings of a first buy that say that its transaction would fail. */
const failures: readonly string[] = ["balance_too_low", "salt_of_another_account", "salt_already_used"];

/**
 * The transaction that creates the token. The service builds it if there is a first buy, and the page compares it with its own;
 * otherwise it is a plain call of the factory.
 *
 * @param shown the quote of the first buy that the page showed
 */
async function creationCall(
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
  const warning = quote.warnings.find(({ code }) => failures.includes(code));
  if (warning?.code === "balance_too_low") throw new Refusal(t.trade.tooLittle(coin.peek()));
  if (warning !== undefined) throw new Refusal(t.trade.warnings[warning.code] ?? warning.message);
  const refund = BigInt(quote.refundWei);
  // A refund below zero would lower the minimum.
  if (refund < 0n || refund >= units) assertAsAsked("another refund");
  // For all that is paid in: the contract applies the part of it that isn't refunded.
  const minTokensOut = (BigInt(quote.amountOutRaw) * units) / (units - refund);
  const data = encodeCreate({ ...token, minTokensOut });
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
