import type { Address, Hex } from "viem";
import type { ChainSettings } from "../../../../config/env.ts";
import { decide } from "../../../../offchain/decide.ts";
import type { RegistrationStore, StoredRegistration } from "../../../../offchain/store.ts";
import type { ChainClients } from "../../chain/chain-client.ts";
import { hiddenToken } from "../../chain/hidden-token.ts";
import type { CallUntrusted } from "../../chain/untrusted-call.ts";
import type { Database } from "../../database/database.ts";
import { ProblemException } from "../../http/problem.ts";
import { readIndexedToken } from "../entry/indexed-token.query.ts";
import { type Actual, contradictionsOf, refuseContradictions } from "./contradictions.ts";
import { refuseConflict } from "./refuse-conflict.ts";
import { refuseDenied } from "./refuse-denied.ts";
import { createRegistrationSemaphores } from "./semaphores.ts";
import { readTokenOnChain, type TokenOnChain } from "./token-on-chain.ts";
import { isSignedBy } from "./verify-signature.ts";

/** Seconds by which a client's clock may be ahead of ours. */
const clockSkew = 300;

/** A registration as it was sent. Addresses are lower-case. */
export type RegistrationRequest = {
  mint: Address;
  name: string;
  symbol: string;
  creator: Address;
  /** Percent. */
  burnPercent: number;
  description?: string;
  imageUrl?: string;
  twitterUrl?: string;
  telegramUrl?: string;
  websiteUrl?: string;
  launchpadAddress?: Address;
  signature?: Hex;
  /** Seconds since 1970. Comes with a signature. */
  issuedAt?: number;
};

export type Registered = {
  outcome: "created" | "replaced" | "unchanged";
  registration: StoredRegistration;
  /** What the chain says, where it was asked. */
  onChain: TokenOnChain | undefined;
};

export type RegisterTokenDeps = {
  db: Database;
  store: RegistrationStore;
  getClient: ChainClients;
  callUntrusted: CallUntrusted;
  /** Resolves once what was written is read, too. */
  written: () => Promise<void>;
  /** The fields in which a registration has what the operator denies. */
  deniedIn: (request: RegistrationRequest) => string[];
};

export type RegisterToken = ReturnType<typeof createRegisterToken>;

/**
 * Registers tokens, checked against the index and, for a token that it does not have yet, against the chain. What it
 * returns is safe on disk, and is read by all that follows. Throws a problem: 404 for a token that is not the factory's, 409 for one that is registered
 * otherwise, 422 for what contradicts the chain or is denied, 451 for a token that is hidden, 503 when the chain has to be asked and does not answer, or when too many
 * registrations wait for the same.
 */
export function createRegisterToken({
  db,
  store,
  getClient,
  callUntrusted,
  written,
  deniedIn,
}: RegisterTokenDeps) {
  const turns = createRegistrationSemaphores();

  /** What the index says and, where it does not have the token or contradicts the request, what the chain says. */
  async function factsOf(
    chain: ChainSettings,
    request: RegistrationRequest,
    client: string,
  ): Promise<{ indexed?: Actual; onChain?: TokenOnChain }> {
    const lookUp = () =>
      turns.ofChain(chain.id).lookups(client, () => readTokenOnChain(getClient(chain), chain, request.mint));
    const indexed = await turns.database(() => readIndexedToken(db, chain.id, request.mint));
    if (indexed === undefined) return { onChain: await lookUp() };
    if (contradictionsOf(request, indexed).length === 0) return { indexed };
    // A reorg that the index has not seen yet may have put another token at the address.
    const onChain = await lookUp().catch(() => undefined);
    return { indexed, onChain };
  }

  /** @param client who asks: clients get the chain's answers in turn */
  return async function registerToken(
    chain: ChainSettings,
    request: RegistrationRequest,
    client: string,
  ): Promise<Registered> {
    const { mint, signature = null, issuedAt = null } = request;
    refuseDenied(deniedIn(request));
    const { indexed, onChain } = await factsOf(chain, request, client);
    const actual = onChain ?? indexed;
    if (actual === undefined) throw unknownMint(mint, chain.id);
    refuseContradictions(request, actual);
    const callInTurn: CallUntrusted = (_, call) =>
      turns.ofChain(chain.id).signatures(call.to, () => callUntrusted(chain, call));
    if (signature !== null) await refuseForged(callInTurn, chain, { ...request, signature });

    const { name, symbol, creator, burnPercent } = actual;
    const token = { chainId: chain.id, mint, name, symbol, creator, burnPercent };
    const wanted = { ...contentOf(request), signature, issuedAt };
    const isToBeWritten = (existing: StoredRegistration | undefined) => {
      const decision = decide(existing, wanted);
      refuseConflict(decision, existing);
      return decision === "write";
    };
    const registered = await turns.database(async (): Promise<Registered> => {
      const known = await store.find(token);
      if (known !== undefined && !isToBeWritten(known)) {
        return { outcome: "unchanged", registration: known, onChain };
      }

      let outcome: Registered["outcome"] = "unchanged";
      const registration = await store.write(token, (existing, hidden) => {
        if (hidden !== undefined) throw hiddenToken(mint, chain.id, hidden.reason);
        if (!isToBeWritten(existing)) return undefined;
        outcome = existing === undefined ? "created" : "replaced";
        const verified = signature !== null;
        return { ...wanted, verified, registeredBy: verified ? creator : null };
      });
      return { outcome, registration, onChain };
    });
    // Also what is unchanged: another process may have written it a moment ago.
    await written();
    return registered;
  };
}

async function refuseForged(
  call: CallUntrusted,
  chain: ChainSettings,
  request: RegistrationRequest & { signature: Hex },
): Promise<void> {
  const { creator, signature, issuedAt = 0 } = request;
  if (issuedAt > Date.now() / 1_000 + clockSkew) {
    throw refused("issuedAt", "lies in the future: it is the time of signing, in seconds since 1970");
  }
  if (await isSignedBy(call, chain, { account: creator, fields: { ...request, issuedAt }, signature }))
    return;
  throw refused(
    "signature",
    "is not the creator's for these fields: GET /api has the typed data to sign as registrationSignature",
  );
}

function contentOf(request: RegistrationRequest) {
  return {
    description: request.description ?? null,
    imageUrl: request.imageUrl ?? null,
    twitterUrl: request.twitterUrl ?? null,
    telegramUrl: request.telegramUrl ?? null,
    websiteUrl: request.websiteUrl ?? null,
    launchpadAddress: request.launchpadAddress ?? null,
  };
}

function unknownMint(mint: string, chainId: number): ProblemException {
  return new ProblemException({
    status: 404,
    code: "token_not_found",
    title: "Token not found",
    detail: `The TokenFactory has created no token ${mint} on chain ${chainId}. If its transaction was mined just now, try again in a few seconds.`,
  });
}

function refused(path: string, message: string): ProblemException {
  return new ProblemException({
    status: 422,
    code: "invalid_signature",
    title: "Invalid signature",
    detail: `${path} ${message}`,
    errors: [{ path, message }],
  });
}
