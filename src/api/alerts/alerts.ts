import { randomBytes } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { type Address, type Hex, hashTypedData } from "viem";
import type { ChainSettings } from "../../../config/env.ts";
import type {
  AlertAttempt,
  AlertChange,
  AlertOwner,
  AlertRefusal,
  AlertRow,
} from "../../../offchain/alert-store.ts";
import { type CallUntrusted, createUntrustedCalls } from "../chain/chain-client.ts";
import type { Chains } from "../chain/chains.ts";
import { streamNotBegun } from "../chain/not-found.ts";
import { isSignedBy, toWalletTypedData } from "../chain/signatures.ts";
import { createFairSemaphore } from "../concurrency/semaphore.ts";
import { clientIp, customerNetwork } from "../http/client-ip.ts";
import { busy, invalidParameter, ProblemException } from "../http/problem.ts";
import { createRouter } from "../http/router.ts";
import { formatCursor, isAtOrAfter, parseCursor } from "../stream/cursor.ts";
import { type AlertRule, alertRule, toFilter } from "./alert-rule.schema.ts";
import type { AlertService } from "./alert-service.ts";
import { accessTypedData, alertTypedData } from "./alert-typed-data.schema.ts";
import {
  type Alert,
  alertMessageRoute,
  alertTokenRoute,
  changeAlertRoute,
  createAlertRoute,
  endAlertRoute,
  getAlertRoute,
  listAlertsRoute,
  testAlertRoute,
  verifyAlertRoute,
} from "./alerts.routes.ts";
import { sendOnce } from "./attempts.ts";
import { createChallenge } from "./challenge.ts";
import type { DeliveryError } from "./delivery-error.schema.ts";
import {
  keyedHash,
  newSecret,
  openReceiver,
  type Receiver,
  rotate,
  sealReceiver,
} from "./receiver-secrets.ts";
import { hostOf } from "./webhook-request.ts";

export type AlertsDeps = {
  chains: Chains;
  alerts: AlertService;
  /** Where clients reach the service. */
  baseUrl: string;
  /** Proxies before us whose X-Forwarded-For is believed. */
  trustedHops: number;
};

/** For how long a signature can be used, and by how much a client's clock may be ahead of ours, in seconds. */
const signatureSeconds = 600;
const maxClockSkew = 300;
const tokenMs = 24 * 3_600_000;
const unverifiedPerHost = 5;

/** The routes with which wallets make and manage their subscriptions. */
export function createAlerts({ chains, alerts, baseUrl, trustedHops }: AlertsDeps) {
  const { store, attempt, settings } = alerts;
  const callUntrusted = createUntrustedCalls();
  const challenge = createChallenge(alerts);
  const limitSignatures = createFairSemaphore({
    concurrency: 10,
    maxWaiting: 100,
    maxWaitMs: 10_000,
    refuse: () => busy("signatures of contract wallets"),
  });
  const callInTurn: CallUntrusted = (chain, call) =>
    limitSignatures(call.to, () => callUntrusted(chain, call));

  /** Throws a problem unless the owner has signed this hash a short while ago. */
  async function checkSignature(
    chain: ChainSettings,
    { owner, hash, signature, issuedAt }: { owner: Address; hash: Hex; signature: Hex; issuedAt: number },
  ): Promise<void> {
    const now = Date.now() / 1_000;
    if (issuedAt < now - signatureSeconds || issuedAt > now + maxClockSkew) {
      throw new ProblemException({
        status: 422,
        code: "signature_expired",
        detail: `issuedAt must be the time of signing, at most ${signatureSeconds / 60} minutes ago: sign again.`,
        errors: [{ path: "issuedAt", message: "is too long ago, or in the future" }],
      });
    }
    if (await isSignedBy(callInTurn, chain, { account: owner, hash, signature })) return;
    throw new ProblemException({
      status: 422,
      code: "invalid_signature",
      detail:
        "signature is not the owner's for these fields: POST /api/alerts/message has the typed data to sign.",
      errors: [{ path: "signature", message: "is not the owner's for these fields" }],
    });
  }

  async function ownAlert(id: string, token: string): Promise<AlertRow> {
    const [{ owner, chainId }, row] = await Promise.all([requireOwner(token), store.find(id)]);
    if (row?.owner !== owner || row.chain_id !== chainId) throw alertNotFound(id);
    return row;
  }

  async function requireOwner(token: string): Promise<AlertOwner> {
    const owner = await store.ownerOf(token);
    if (owner !== undefined) return owner;
    throw new ProblemException({
      status: 401,
      code: "invalid_token",
      detail:
        "The token is not valid, or no longer: sign for a new one (POST /api/alerts/message, then /api/alerts/tokens).",
    });
  }

  async function changeOwn(id: string, change: (row: AlertRow) => AlertChange): Promise<AlertRow> {
    const row = await store.change(id, change, unverifiedPerHost);
    if (row === undefined) throw alertNotFound(id);
    if (row === "host") throw tooManyAlerts(row, settings);
    return row;
  }

  const toAlert = (row: AlertRow): Alert => mapAlert(row, urlOf(row));

  /** Null if the operator's key is another one by now: its owner can still see and end it. */
  function urlOf(row: AlertRow): string | null {
    try {
      return openReceiver(settings.key, row).url;
    } catch {
      return null;
    }
  }

  /** Where a replay begins. Throws a problem if that is beyond what there is, which would skip everything until then. */
  async function replayPosition({ rule, position }: AlertRow, from: string): Promise<string> {
    if (alertRule.safeParse(rule).data?.type === "crosses") {
      if (!/^\d+$/.test(from)) throw invalidParameter("from", "must be a number of a message, such as 0");
      if (Number(from) <= Number(position)) return from;
      throw invalidParameter("from", `must be at most ${position}, which is what the receiver has`);
    }
    const cursor = parseCursor(from);
    if (cursor === undefined)
      throw invalidParameter("from", "must be a cursor of the stream, such as 152-31");
    const end = await alerts.readEnd();
    if (end !== undefined && isAtOrAfter(end, cursor)) return from;
    throw invalidParameter("from", "is after the end of the stream");
  }

  /** Sends the receiver a challenge, and notes it if the answer contains it. */
  async function verify(row: AlertRow) {
    const verification = await challenge(row);
    if (!verification.verified || row.status !== "unverified") return { alert: toAlert(row), verification };
    const changed = await changeOwn(row.id, ({ status: now, sealed }) =>
      // Not if its receiver was changed meanwhile.
      now === "unverified" && sealed === row.sealed ? { status: "active" } : {},
    );
    return { alert: toAlert(changed), verification };
  }

  async function startPosition(rule: AlertRule): Promise<string> {
    if (rule.type === "crosses") return "0";
    const end = await alerts.readEnd();
    if (end !== undefined) return formatCursor(end);
    throw streamNotBegun();
  }

  return createRouter()
    .openapi(alertMessageRoute, async (c) => {
      const { owner, chainId, url, rule, batch } = c.req.valid("json");
      const chain = chains.choose(chainId);
      const issuedAt = Math.floor(Date.now() / 1_000);
      const access = { service: baseUrl, owner, issuedAt };
      const isAccess = url === undefined || rule === undefined;
      if (rule !== undefined) refuseUnmeetable(chain, rule);
      const typedData = isAccess
        ? accessTypedData(chain, access)
        : alertTypedData(chain, { ...access, url, rule, batch });
      const body = { owner, chainId: chain.id, ...(isAccess ? {} : { url, rule, batch }), issuedAt };
      return c.json({ typedData: toWalletTypedData(typedData), body }, 200, noStore);
    })
    .openapi(alertTokenRoute, async (c) => {
      const { owner, chainId, issuedAt, signature } = c.req.valid("json");
      const chain = chains.choose(chainId);
      const hash = hashTypedData(accessTypedData(chain, { service: baseUrl, owner, issuedAt }));
      await checkSignature(chain, { owner, hash, signature, issuedAt });
      const token = `alerts_${randomBytes(32).toString("base64url")}`;
      const expiresAt = new Date(Date.now() + tokenMs);
      if (!(await store.addToken({ owner, chainId: chain.id }, token, hash, expiresAt))) {
        throw signatureUsed("This signature has yielded a token before: sign again, with a new issuedAt.");
      }
      return c.json({ token, owner, expiresAt: expiresAt.toISOString() }, 201, noStore);
    })
    .openapi(createAlertRoute, async (c) => {
      const { owner, chainId, url, rule, batch, issuedAt, signature } = c.req.valid("json");
      const chain = chains.choose(chainId);
      refuseUnmeetable(chain, rule);
      const digest = hashTypedData(
        alertTypedData(chain, { service: baseUrl, owner, url, rule, batch, issuedAt }),
      );
      await checkSignature(chain, { owner, hash: digest, signature, issuedAt });
      const id = `alert_${randomBytes(15).toString("hex")}`;
      const receiver: Receiver = { url, secret: newSecret() };
      const row = await store.create(
        {
          id,
          owner,
          chain_id: chain.id,
          rule,
          sealed: sealReceiver(settings.key, id, receiver),
          host: keyedHash(settings.key, hostOf(new URL(url))),
          // Stored for good, unlike requests: of IPv6, all that a customer has counts.
          client: keyedHash(settings.key, customerNetwork(clientIp(c, trustedHops))),
          batch,
          digest,
          position: await startPosition(rule),
        },
        { perWallet: settings.perWallet, perAddress: settings.perAddress, unverifiedPerHost },
      );
      if (typeof row === "string") throw tooManyAlerts(row, settings);
      if (row.status === "ended") {
        throw signatureUsed(
          "The subscription that this signature made has ended: sign again for another one.",
        );
      }
      if (row.id !== id) {
        const verification = {
          verified: row.status !== "unverified",
          status: null,
          error: null,
          errorCode: null,
        };
        return c.json({ alert: toAlert(row), secret: null, verification }, 200, noStore);
      }
      return c.json({ ...(await verify(row)), secret: receiver.secret }, 201, noStore);
    })
    .openapi(listAlertsRoute, async (c) => {
      const owner = await requireOwner(c.req.valid("header").Authorization);
      return c.json({ alerts: (await store.list(owner)).map(toAlert) }, 200, noStore);
    })
    .openapi(getAlertRoute, async (c) => {
      const row = await ownAlert(c.req.valid("param").id, c.req.valid("header").Authorization);
      return c.json(toAlert(row), 200, noStore);
    })
    .openapi(changeAlertRoute, async (c) => {
      const own = await ownAlert(c.req.valid("param").id, c.req.valid("header").Authorization);
      const { id } = own;
      const { status, url, batch, rotateSecret, from } = c.req.valid("json");
      const position = from === undefined ? undefined : await replayPosition(own, from);
      let secret: string | null = null;
      const changed = await changeOwn(id, (row) => {
        const receiver = openReceiver(settings.key, row);
        const isMoved = url !== undefined && url !== receiver.url;
        if (status !== undefined && (isMoved || row.status === "unverified")) throw unverified();
        const isResumed = status === "active" && row.status === "paused";
        const next = { ...(rotateSecret ? rotate(receiver) : receiver), url: url ?? receiver.url };
        if (rotateSecret) secret = next.secret;
        return {
          // Sealed again only if it is another one: a challenge on its way notices that.
          ...(isMoved || rotateSecret ? { sealed: sealReceiver(settings.key, id, next) } : {}),
          batch: batch ?? row.batch,
          ...(status === undefined ? {} : { status, reason: status === "paused" ? "owner" : null }),
          ...(isResumed ? { is_behind: true } : {}),
          ...(isMoved
            ? {
                host: keyedHash(settings.key, hostOf(new URL(url))),
                status: "unverified" as const,
                reason: null,
                is_behind: true,
              }
            : {}),
          ...(position === undefined ? {} : { position, is_behind: true }),
        };
      });
      return c.json({ alert: toAlert(changed), secret }, 200, noStore);
    })
    .openapi(endAlertRoute, async (c) => {
      const { id } = await ownAlert(c.req.valid("param").id, c.req.valid("header").Authorization);
      await changeOwn(id, () => ({ status: "ended" }));
      return c.json({ id, ended: true as const }, 200, noStore);
    })
    .openapi(verifyAlertRoute, async (c) => {
      const row = await ownAlert(c.req.valid("param").id, c.req.valid("header").Authorization);
      return c.json(await verify(row), 200, noStore);
    })
    .openapi(testAlertRoute, async (c) => {
      const row = await ownAlert(c.req.valid("param").id, c.req.valid("header").Authorization);
      if (row.status === "unverified") throw unverified();
      const id = `${row.id}.test-${randomBytes(4).toString("hex")}`;
      const at = new Date().toISOString();
      const message = { id, type: "test", timestamp: at, subscription: row.id, data: { text: "It works." } };
      const {
        answer: _,
        retryAfter: __,
        ...result
      } = await sendOnce(attempt, openReceiver(settings.key, row), message);
      return c.json({ attempt: { at, first: id, last: id, from: null, ...result } }, 200, noStore);
    });
}

/** Throws a problem for a rule that nothing could ever meet here. */
function refuseUnmeetable({ id, priceFeeds }: ChainSettings, rule: AlertRule): void {
  if (rule.type === "events") toFilter(id, rule);
  else if (rule.metric.endsWith("Usd") && priceFeeds.length === 0) {
    throw invalidParameter("rule.metric", "is in USD, for which this service has no rate: take that in BNB");
  }
}

/** Answers every request for alerts where they are off. */
export const refuseAlerts: MiddlewareHandler = async () => {
  throw new ProblemException({
    status: 404,
    code: "alerts_off",
    title: "Alerts are off",
    detail: "This service sends no alerts: follow GET /api/stream or GET /api/events instead.",
  });
};

const noStore = { "cache-control": "no-store" };

function mapAlert(row: AlertRow, url: string | null): Alert {
  return {
    id: row.id,
    owner: row.owner,
    chainId: row.chain_id,
    url,
    rule: row.rule as Alert["rule"],
    batch: row.batch,
    status: row.status as Alert["status"],
    pausedBecause: row.status === "paused" ? (row.reason as Alert["pausedBecause"]) : null,
    position: row.position,
    failures: row.failures,
    failingSince: row.failing_since?.toISOString() ?? null,
    nextAttemptAt: row.retry_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    deliveries: row.recent.map(({ at, first, last, from, status, ms, error, errorCode }: AlertAttempt) => ({
      at,
      first,
      last,
      from: from ?? null,
      status,
      ms,
      error,
      errorCode: (errorCode ?? null) as DeliveryError | null,
    })),
  };
}

const signatureUsed = (detail: string) =>
  new ProblemException({ status: 409, code: "signature_used", detail });

function alertNotFound(id: string): ProblemException {
  return new ProblemException({
    status: 404,
    code: "alert_not_found",
    detail: `The wallet has no subscription ${id.slice(0, 64)}.`,
  });
}

function unverified(): ProblemException {
  return new ProblemException({
    status: 409,
    code: "alert_unverified",
    title: "Receiver not verified",
    detail:
      "The receiver has not echoed a challenge yet: POST /api/alerts/{id}/verify sends it one. Change its status after that.",
  });
}

function tooManyAlerts(
  refusal: AlertRefusal,
  { perWallet, perAddress }: AlertService["settings"],
): ProblemException {
  const details = {
    wallet: `The wallet has ${perWallet} subscriptions, which is the limit: end one first.`,
    address: `${perAddress} subscriptions were made from your address, which is the limit: end one first.`,
    host: `${unverifiedPerHost} subscriptions that were made from your address wait for the receiver's host to be verified: verify or end one first.`,
  };
  return new ProblemException({
    status: 409,
    code: "too_many_alerts",
    detail: details[refusal],
  });
}
