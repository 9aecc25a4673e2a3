import { type Address, type Hex, hashTypedData } from "viem";
import type { ChainSettings } from "../../../../config/env.ts";
import {
  type Decision,
  decide,
  type RegistrationStore,
  type StoredRegistration,
} from "../../../../offchain/store.ts";
import { type CallUntrusted, type ChainClients, chainUnavailable } from "../../chain/chain-client.ts";
import type { Chains } from "../../chain/chains.ts";
import { hiddenToken } from "../../chain/not-found.ts";
import { isSignedBy } from "../../chain/signatures.ts";
import { createFairSemaphore, createSemaphore } from "../../concurrency/semaphore.ts";
import type { Database, PooledDatabase } from "../../database/database.ts";
import { clientIp, clientKey } from "../../http/client-ip.ts";
import { busy, ProblemException } from "../../http/problem.ts";
import { createRouter } from "../../http/router.ts";
import { readEntries, readIndexedToken, readNewEntryFacts } from "../entry/entries.query.ts";
import { toNewEntry } from "../entry/new-entry.mapper.ts";
import { toTokenEntry } from "../entry/token-entry.mapper.ts";
import { registerTokenRoute } from "./register-token.routes.ts";
import {
  type ActualToken,
  findContradictions,
  readTokenOnChain,
  refuseContradictions,
  type TokenOnChain,
} from "./token-on-chain.ts";
import { registrationTypedData } from "./typed-data.schema.ts";

/** Seconds by which a client's clock may be ahead of ours. */
const maxClockSkew = 300;

/** A registration as requested. Addresses are lower-case. */
export type RegistrationRequest = {
  mint: Address;
  name: string;
  symbol: string;
  creator: Address;
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

type RegisterToken = ReturnType<typeof createRegisterToken>;

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
      const registered = await store.find(token);
      if (registered !== undefined && !shouldWrite(registered)) {
        return { outcome: "unchanged", registration: registered, onChain };
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
  const hash = hashTypedData(registrationTypedData(chain, { ...request, issuedAt }));
  if (await isSignedBy(call, chain, { account: creator, hash, signature })) return;
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
    detail: `The TokenFactory has created no token ${mint} on chain ${chainId}. If its transaction was mined just now, try again in a few seconds.`,
  });
}

function invalidSignature(path: string, message: string): ProblemException {
  return new ProblemException({
    status: 422,
    code: "invalid_signature",
    detail: `${path} ${message}`,
    errors: [{ path, message }],
  });
}

type RegisterRouteDeps = {
  chains: Chains;
  db: PooledDatabase;
  registerToken: RegisterToken;
  /** Where clients reach the service. */
  baseUrl: string;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

export function createRegisterTokenRoute({
  chains,
  db,
  registerToken,
  baseUrl,
  trustedHops,
}: RegisterRouteDeps) {
  async function readEntryFor(registration: Registered["registration"], onChain: Registered["onChain"]) {
    const [row] = await readEntries(db, [registration.id]);
    if (row !== undefined) return toTokenEntry(row, baseUrl);
    // A reorg removed the token between the two reads.
    if (onChain === undefined) throw chainUnavailable(registration.chainId, undefined);
    const facts = await readNewEntryFacts(db, registration.chainId, registration.creator);
    return toNewEntry(registration, onChain, facts, baseUrl);
  }

  return createRouter().openapi(registerTokenRoute, async (c) => {
    const { chainId, ...request } = c.req.valid("json");
    const chain = chains.choose(chainId);
    const client = clientKey(clientIp(c, trustedHops));
    const { outcome, registration, onChain } = await registerToken(chain, request, client);
    const entry = await readEntryFor(registration, onChain);
    c.header("Cache-Control", "no-store");
    return outcome === "created" ? c.json(entry, 201) : c.json(entry, 200);
  });
}

/** Throws a problem (409) if the registration may not replace the existing one. */
function refuseConflict(decision: Decision, existing: StoredRegistration | undefined): void {
  if (decision === "already_registered") {
    throw conflict(
      decision,
      "This token is already registered with other content. Only its creator can replace that, with a signature.",
    );
  }
  if (decision === "signature_not_newer") {
    throw conflict(
      decision,
      `The creator already signed this token's registration at ${existing?.issuedAt}: issuedAt must be later than that.`,
    );
  }
}

function conflict(code: "already_registered" | "signature_not_newer", detail: string): ProblemException {
  return new ProblemException({ status: 409, code, detail });
}

/** Throws a problem (422) that names the fields refused by the operator's deny list. */
function refuseDenied(fields: string[]): void {
  if (fields.length === 0) return;
  throw new ProblemException({
    status: 422,
    code: "denied",
    title: "Refused by the operator",
    detail: `The operator of this service does not accept the content of ${fields.join(", ")}.`,
    errors: fields.map((path) => ({ path, message: "is on the operator's deny list" })),
  });
}

const refuse = () => busy("registrations");

/**
 * Creates a semaphore for each resource that registrations use, so that a slow endpoint or contract only holds up those that need
 * it. No registration holds one while waiting for another.
 */
function createRegistrationSemaphores() {
  const byChain = new Map<number, ReturnType<typeof createChainSemaphores>>();
  return {
    /** For the database, so that a burst can't take all connections. */
    database: createSemaphore({ concurrency: 20, maxWaiting: 500, refuse }),
    forChain(chainId: number) {
      const semaphores = byChain.get(chainId) ?? createChainSemaphores();
      byChain.set(chainId, semaphores);
      return semaphores;
    },
  };
}

function createChainSemaphores() {
  const limits = { concurrency: 10, maxWaiting: 100, maxWaitMs: 10_000, refuse };
  return {
    /** For reading tokens from the chain, fairly among clients. */
    lookups: createFairSemaphore(limits),
    /** For checking signatures with contract wallets, fairly among creators. */
    signatures: createFairSemaphore(limits),
  };
}
