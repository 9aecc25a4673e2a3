import { createRoute, z } from "@hono/zod-openapi";
import type { Hex } from "viem";
import { lowercaseAddress, typedData } from "../http/answer.schema.ts";
import { jsonBody } from "../http/json-body.ts";
import { urlProblem } from "../http/outbound.ts";
import { address, bodyChainId as chainId } from "../http/parameters.schema.ts";
import { problems } from "../http/problem.schema.ts";
import { cursorPattern } from "../stream/cursor.ts";
import { alertRule } from "./alert-rule.schema.ts";
import { errorCode } from "./delivery-error.schema.ts";

const tags = ["Alerts"];
const middleware = jsonBody({ maxBytes: 64 * 1_024 });
const maxBatch = 100;

const url = z
  .string("must be an https URL")
  .max(2_048, "must have at most 2048 characters")
  .superRefine((text, context) => {
    const message = urlProblem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  })
  .transform((text) => new URL(text).href)
  .openapi({
    type: "string",
    format: "uri",
    maxLength: 2_048,
    description: "The receiver, at a public address over https.",
    example: "https://bot.example/launchpad",
  });

const batch = z
  .int("must be a whole number from 1 to 100")
  .min(1, "must be at least 1")
  .max(maxBatch, "must be at most 100")
  .openapi({ description: "The most events in one message. 1: each comes alone." });

const issuedAt = z
  .int("must be the whole number of seconds since 1970 that the signed message has")
  .positive("must be a whole number: seconds since 1970")
  .openapi({ description: "When it was signed, in seconds since 1970. Valid for ten minutes." });

const signature = z
  .string()
  .max(8_194, "must have at most 4096 bytes")
  .regex(/^0x([0-9a-fA-F]{2})+$/, "must be 0x and an even number of hexadecimal digits")
  .transform((text): Hex => `0x${text.slice(2)}`)
  .openapi({
    type: "string",
    pattern: "^0x([0-9a-fA-F]{2})+$",
    description: "Of the typed data (EIP-712), by the owner's key or, for a contract wallet, by ERC-1271.",
  });

const authorization = z.object({
  Authorization: z
    .string({ error: "is missing: it must be Bearer and a token from POST /api/alerts/tokens" })
    // A scheme's case doesn't matter: https://www.rfc-editor.org/rfc/rfc9110#section-11.1
    .regex(/^Bearer \S+$/i, "must be Bearer and a token from POST /api/alerts/tokens")
    .transform((text) => text.slice("Bearer ".length))
    .openapi({ type: "string", description: "`Bearer` and a token from `POST /api/alerts/tokens`." }),
});

/** A GET that declares no query would ignore its parameters. */
const noParameters = z.object({});
const status = z.enum(["unverified", "active", "paused"]).openapi({
  description:
    "unverified: the receiver has not echoed a challenge yet. paused: nothing is sent, its place is kept.",
});

const attempt = z
  .object({
    at: z.iso.datetime(),
    first: z.string().openapi({ description: "The id of its first message." }),
    last: z.string().openapi({ description: "The id of its last one." }),
    from: z.string().nullable().openapi({
      description:
        "As `from` of `PATCH /api/alerts/{id}`, it sends these messages again, and all later ones. Null for a test.",
    }),
    status: z.int().nullable().openapi({ description: "The HTTP status; null without an answer." }),
    ms: z.int().openapi({ description: "Milliseconds until then." }),
    error: z
      .string()
      .nullable()
      .openapi({ description: "Why it failed, about the receiver; null if it has arrived." }),
    errorCode: errorCode.openapi({
      description: "The same for programs; null also for attempts of versions that had no codes.",
    }),
  })
  .openapi("AlertAttempt");

const alert = z
  .object({
    id: z.string(),
    owner: lowercaseAddress,
    chainId: z.int(),
    url: z.string().nullable().openapi({
      description: "Null if the operator's key is another one by now, so that nothing can be delivered.",
    }),
    rule: z.looseObject({ type: z.string() }).openapi({ description: "As in AlertRule." }),
    batch: z.int(),
    status,
    pausedBecause: z.enum(["owner", "failing", "gone"]).nullable().openapi({
      description:
        "owner: its owner has paused it. failing: nothing arrived for 72 hours. gone: the receiver answered 410. Null if it is not paused.",
    }),
    position: z.string().openapi({
      description:
        "What the receiver has: a cursor of the stream, or the number of a condition's last message.",
    }),
    failures: z.int().openapi({ description: "Failed attempts since the last message that arrived." }),
    failingSince: z.iso.datetime().nullable(),
    nextAttemptAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    deliveries: z.array(attempt).openapi({ description: "The last 20 attempts, the newest first." }),
  })
  .openapi("Alert");

export type Alert = z.input<typeof alert>;

const verification = z
  .object({
    verified: z.boolean(),
    status: z.int().nullable(),
    error: z.string().nullable(),
    errorCode,
  })
  .openapi("AlertVerification", { description: "What came of the challenge." });

export type AlertVerification = z.input<typeof verification>;

const secret = z.string().nullable().openapi({
  description:
    "What messages are signed with (Standard Webhooks), shown this once. Null if it was shown before.",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});

const created = z.object({ alert, secret, verification }).openapi("CreatedAlert");

const json = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { "application/json": { schema } },
});

const body = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { "application/json": { schema } },
});

const wanted = { owner: address, chainId, url, rule: alertRule, batch: batch.default(1) };

export const alertMessageRoute = createRoute({
  method: "post",
  path: "/api/alerts/message",
  operationId: "prepareAlert",
  tags,
  summary:
    "The message that a wallet signs to make a subscription or, without url and rule, to manage its subscriptions.",
  description:
    "Sign typedData (eth_signTypedData_v4), add the signature to body, and post that to `POST /api/alerts`, or without url and rule to `POST /api/alerts/tokens`. Nothing is stored.",
  middleware,
  request: {
    body: body(
      z
        .strictObject({
          owner: address,
          chainId,
          url: url.optional(),
          rule: alertRule.optional(),
          batch: batch.default(1),
        })
        .superRefine((alert, context) => {
          if ((alert.url === undefined) === (alert.rule === undefined)) return;
          const path = alert.url === undefined ? "url" : "rule";
          context.addIssue({
            code: "custom",
            path: [path],
            message: "is missing: url and rule come together",
          });
        })
        .openapi("AlertRequest"),
    ),
  },
  responses: {
    200: json(
      "The message.",
      z
        .object({
          typedData,
          body: z.looseObject({ owner: lowercaseAddress, chainId: z.int(), issuedAt: z.int() }).openapi({
            description: "To post with `signature` added.",
          }),
        })
        .openapi("AlertMessageToSign"),
    ),
    ...problems({
      400: "A field is wrong, missing or unknown.",
      404: "The chain is not indexed here, or alerts are off.",
    }),
  },
});

export const alertTokenRoute = createRoute({
  method: "post",
  path: "/api/alerts/tokens",
  operationId: "createAlertToken",
  tags,
  summary: "A token with which a wallet manages its subscriptions for a day.",
  description: "For a signed message of `POST /api/alerts/message` without url and rule.",
  middleware,
  request: {
    body: body(z.strictObject({ owner: address, chainId, issuedAt, signature }).openapi("AlertAccess")),
  },
  responses: {
    201: json(
      "The token.",
      z
        .object({ token: z.string(), owner: lowercaseAddress, expiresAt: z.iso.datetime() })
        .openapi("AlertToken"),
    ),
    ...problems({
      400: "A field is wrong, missing or unknown.",
      404: "The chain is not indexed here, or alerts are off.",
      409: "The signature has yielded a token before (signature_used): sign again.",
      422: "The signature is not the owner's (invalid_signature), or too old (signature_expired).",
      503: "The database or the chain is unavailable.",
    }),
  },
});

export const createAlertRoute = createRoute({
  method: "post",
  path: "/api/alerts",
  operationId: "createAlert",
  tags,
  summary: "Make a subscription, signed by the wallet that it belongs to.",
  description:
    "Sends the receiver a challenge at once: a message of the type `challenge`, whose `data.challenge` the answer has to contain. If it doesn't, the subscription stays unverified, and `POST /api/alerts/{id}/verify` tries again. Events count from now on. The same signed message makes the subscription once: sent again, the answer is the same without the secret.",
  middleware,
  request: { body: body(z.strictObject({ ...wanted, issuedAt, signature }).openapi("SignedAlert")) },
  responses: {
    201: json("The subscription, and its secret.", created),
    200: json("The same signed message has made it before.", created),
    ...problems({
      400: "A field is wrong, missing or unknown.",
      404: "The chain is not indexed here, or alerts are off.",
      409: "The wallet, the client's address or the receiver's host has as many subscriptions as it may (too_many_alerts), or the subscription that this signature made has ended (signature_used).",
      422: "The signature is not the owner's (invalid_signature), or too old (signature_expired).",
      503: "The database or the chain is unavailable, or the stream has not begun.",
    }),
  },
});

const id = z.object({
  id: z
    .string()
    .regex(/^\w{1,64}$/, "must be the id of a subscription")
    .openapi({ param: { name: "id", in: "path" }, description: "The subscription's id." }),
});

const unreadable =
  "the operator's key has changed, so that nothing can be sent (alert_unreadable): end it, and make another one.";

const managed = problems({
  400: "A parameter or a field is wrong.",
  401: "The token is not valid, or no longer (invalid_token): sign for a new one.",
  404: "The token's wallet has no such subscription (alert_not_found), or alerts are off.",
  503: "The database is unavailable.",
});

export const listAlertsRoute = createRoute({
  method: "get",
  path: "/api/alerts",
  operationId: "listAlerts",
  tags,
  summary: "A wallet's subscriptions, the newest first.",
  description: "Those of the wallet and the chain to which the token belongs.",
  request: { headers: authorization, query: noParameters },
  responses: {
    200: json("The subscriptions.", z.object({ alerts: z.array(alert) }).openapi("Alerts")),
    ...managed,
  },
});

export const getAlertRoute = createRoute({
  method: "get",
  path: "/api/alerts/{id}",
  operationId: "getAlert",
  tags,
  summary: "A subscription with its last deliveries.",
  description: "Its status, why it is paused if it is, and the last 20 attempts to deliver.",
  request: { headers: authorization, params: id, query: noParameters },
  responses: { 200: json("The subscription.", alert), ...managed },
});

export const changeAlertRoute = createRoute({
  method: "patch",
  path: "/api/alerts/{id}",
  operationId: "changeAlert",
  tags,
  summary: "Pause or resume a subscription, replay it, rotate its secret, or change its receiver.",
  description:
    "A new receiver has to be verified again. After a rotation, messages are signed with both secrets for a day.",
  middleware,
  request: {
    headers: authorization,
    params: id,
    body: body(
      z
        .strictObject({
          status: z.enum(["active", "paused"]).optional().openapi({
            description: "active: resumes from where it stopped, at once.",
          }),
          url: url.optional(),
          batch: batch.optional(),
          rotateSecret: z.literal(true).optional(),
          from: z
            .string('must be a text, such as "152-31"')
            .refine(
              (text) => /^\d{1,15}$/.test(text) || cursorPattern.test(text),
              "must be a cursor such as 152-31 or, for a condition, a number such as 0",
            )
            .optional()
            .openapi({
              type: "string",
              description:
                "Replays everything after this cursor. For a condition: after this number, such as 0 for all of its messages that are kept.",
              example: "152-31",
            }),
        })
        .openapi("AlertChange"),
    ),
  },
  responses: {
    200: json(
      "The subscription, and the new secret if it was rotated.",
      z.object({ alert, secret }).openapi("ChangedAlert"),
    ),
    ...managed,
    ...problems({
      409: `The receiver is not verified, so that its status can't be changed (alert_unverified); too many subscriptions wait for the new one's host to be verified (too_many_alerts); or ${unreadable}`,
    }),
  },
});

export const endAlertRoute = createRoute({
  method: "delete",
  path: "/api/alerts/{id}",
  operationId: "endAlert",
  tags,
  summary: "End a subscription.",
  description: "Nothing more is sent, and it can't be undone: pause it to keep its place.",
  request: { headers: authorization, params: id },
  responses: {
    200: json("It has ended.", z.object({ id: z.string(), ended: z.literal(true) }).openapi("EndedAlert")),
    ...managed,
  },
});

export const verifyAlertRoute = createRoute({
  method: "post",
  path: "/api/alerts/{id}/verify",
  operationId: "verifyAlert",
  tags,
  summary: "Send the receiver another challenge.",
  description: "A receiver proves itself by answering with the challenge. Nothing else is sent before.",
  request: { headers: authorization, params: id },
  responses: {
    200: json("What came of it.", z.object({ alert, verification }).openapi("VerifiedAlert")),
    ...managed,
    ...problems({ 409: `It can't be verified: ${unreadable}` }),
  },
});

export const testAlertRoute = createRoute({
  method: "post",
  path: "/api/alerts/{id}/test",
  operationId: "testAlert",
  tags,
  summary: "Send a verified receiver a message of the type `test`, outside of its order.",
  description: "The answer says what the receiver answered.",
  request: { headers: authorization, params: id },
  responses: {
    200: json("What became of it.", z.object({ attempt }).openapi("TestedAlert")),
    ...managed,
    ...problems({ 409: `The receiver is not verified (alert_unverified), or ${unreadable}` }),
  },
});
