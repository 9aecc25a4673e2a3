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
import { type ActualToken, findContradictions, refuseContradictions } from "./contradictions.ts";
import { refuseConflict } from "./refuse-conflict.ts";
import { refuseDenied } from "./refuse-denied.ts";
import { createRegistrationSemaphores } from "./semaphores.ts";
import { readTokenOnChain, type TokenOnChain } from "./token-on-chain.ts";
import { isSignedBy } from "./verify-signature.ts";

/** Seconds by which a client's clock may be ahead of ours. */
const maxClockSkew = 300;

/** A registration as requested. Addresses are lower-case. */
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
  /** Seconds since 1970. Present if and only if there is a signature. */
  issuedAt?: number;
};

export type Registered = {
  outcome: "created" | "replaced" | "unchanged";
  registration: StoredRegistration;
  /** The token as read from the chain, if it had to be. */
  onChain: TokenOnChain | undefined;
};

export type RegisterTokenDeps = {
  db: Database;
  store: RegistrationStore;
  getClient: ChainClients;
  callUntrusted: CallUntrusted;
  /** Resolves once reads see what was written before the call. */
  waitForReplication: () => Promise<void>;
  /** Returns the fields of a registration that the operator's deny list refuses. */
  deniedIn: (request: RegistrationRequest) => string[];
};

export type RegisterToken = ReturnType<typeof createRegisterToken>;

/**
 * Registers tokens after checking them against the index or, if a token is not indexed yet, against the chain. The registration
 * that it returns is durable and visible to all later reads. Throws a problem: 404 for a token that is not the factory's, 409 for
 * one that is registered with other content, 422 for a request that contradicts the chain or is denied, 451 for a hidden token, and
 * 503 if the chain has to be queried and does not answer, or if too many registrations are waiting.
 */
export function createRegisterToken({
  db,
  store,
  getClient,
  callUntrusted,
  waitForReplication,
  deniedIn,
}: RegisterTokenDeps) {
  const semaphores = createRegistrationSemaphores();

  /** Reads the token from the index and, if it is not there or contradicts the request, from the chain. */
  async function readToken(
    chain: ChainSettings,
    request: RegistrationRequest,
    client: string,
  ): Promise<{ indexed?: ActualToken; onChain?: TokenOnChain }> {
    const lookUp = () =>
      semaphores
        .forChain(chain.id)
        .lookups(client, () => readTokenOnChain(getClient(chain), chain, request.mint));
    const indexed = await semaphores.database(() => readIndexedToken(db, chain.id, request.mint));
    if (indexed === undefined) return { onChain: await lookUp() };
    if (findContradictions(request, indexed).length === 0) return { indexed };
    // A reorg that the index has not seen yet may have put another token at the address.
    const onChain = await lookUp().catch(() => undefined);
    return { indexed, onChain };
  }

  /** @param client identifies the client: clients take turns in querying the chain */
  return async function registerToken(
    chain: ChainSettings,
    request: RegistrationRequest,
    client: string,
  ): Promise<Registered> {
    const { mint, signature = null, issuedAt = null } = request;
    refuseDenied(deniedIn(request));
    const { indexed, onChain } = await readToken(chain, request, client);
    const actual = onChain ?? indexed;
    if (actual === undefined) throw unknownMint(mint, chain.id);
    refuseContradictions(request, actual);
    const callInTurn: CallUntrusted = (_, call) =>
      semaphores.forChain(chain.id).signatures(call.to, () => callUntrusted(chain, call));
    if (signature !== null) await refuseInvalidSignature(callInTurn, chain, { ...request, signature });

    const { name, symbol, creator, burnPercent } = actual;
    const token = { chainId: chain.id, mint, name, symbol, creator, burnPercent };
    const wanted = { ...toContent(request), signature, issuedAt };
    const shouldWrite = (existing: StoredRegistration | undefined) => {
      const decision = decide(existing, wanted);
      refuseConflict(decision, existing);
      return decision === "write";
    };
    const registered = await semaphores.database(async (): Promise<Registered> => {
      const known = await store.find(token);
      if (known !== undefined && !shouldWrite(known)) {
        return { outcome: "unchanged", registration: known, onChain };
      }

      let outcome: Registered["outcome"] = "unchanged";
      const registration = await store.write(token, (existing, hidden) => {
        if (hidden !== undefined) throw hiddenToken(mint, chain.id, hidden.reason);
        if (!shouldWrite(existing)) return undefined;
        outcome = existing === undefined ? "created" : "replaced";
        const verified = signature !== null;
        return { ...wanted, verified, registeredBy: verified ? creator : null };
      });
      return { outcome, registration, onChain };
    });
    // Even if unchanged: another process may have written it a moment ago.
    await waitForReplication();
    return registered;
  };
}

async function refuseInvalidSignature(
  call: CallUntrusted,
  chain: ChainSettings,
  request: RegistrationRequest & { signature: Hex },
): Promise<void> {
  const { creator, signature, issuedAt = 0 } = request;
  if (issuedAt > Date.now() / 1_000 + maxClockSkew) {
    throw invalidSignature(
      "issuedAt",
      "lies in the future: it is the time of signing, in seconds since 1970",
    );
  }
  if (await isSignedBy(call, chain, { account: creator, fields: { ...request, issuedAt }, signature }))
    return;
  throw invalidSignature(
    "signature",
    "is not the creator's for these fields: GET /api has the typed data to sign as registrationSignature",
  );
}

function toContent(request: RegistrationRequest) {
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

function invalidSignature(path: string, message: string): ProblemException {
  return new ProblemException({
    status: 422,
    code: "invalid_signature",
    title: "Invalid signature",
    detail: `${path} ${message}`,
    errors: [{ path, message }],
  });
}
