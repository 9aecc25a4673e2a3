import { z } from "@hono/zod-openapi";

/** Schemas of fields that many responses share. */

/** An address as responses have it: in lower case. */
export const lowercaseAddress = z.string().regex(/^0x[0-9a-f]{40}$/);

/** The id of a row that an event of the chain made. */
export const eventId = z.string().openapi({
  description:
    "Chain, block and log index, zero-padded, so that text order is chain order. Unique over chains, and the same in the stream and in GraphQL.",
  example: "56-000045612378-000042",
});

/** A transaction's hash. */
export const txHash = z.string().regex(/^0x[0-9a-f]{64}$/);

/** An amount in wei or base units. */
export const amount = (description: string) => z.string().regex(/^\d+$/).openapi({ description });

/** An amount in whole BNB, USD or tokens. */
export const decimal = (description: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .openapi({ description });

/** A profit in whole BNB or USD, below 0 for a loss. */
export const signed = (description: string) =>
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .openapi({ description });

/** An amount in USD, present only if there is a BNB/USD rate. */
export const usd = (description: string) =>
  decimal(
    `${description} Omitted without a BNB/USD rate: if no feed is configured, or it had not answered yet.`,
  ).optional();

/** For responses that include chain data of hidden tokens. */
export const hidden = z.literal(true).optional().openapi({
  description:
    "Present if the operator has hidden the token: its chain data is still served, but pages for people should not show its name and symbol.",
});

const notModified = { description: "The client's copy (If-None-Match) is still current." };

/** Marks a response that has an ETag. Removed when the document is generated. */
const etagMarker = "x-has-etag";

/**
 * The OpenAPI entry of a JSON response with an ETag. It declares no 304: a 304 has no content, and a route with a
 * response without content lets its handler return any `Response`. {@link addNotModified} adds it to the document.
 */
export const jsonAnswers = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, content: { "application/json": { schema } }, [etagMarker]: true },
});

type Operation = { responses?: Record<string, object> };

/** Adds a 304 to every operation that responds with {@link jsonAnswers}. */
export function addNotModified(paths: Record<string, object> | undefined): void {
  for (const operation of Object.values(paths ?? {}).flatMap((path): Operation[] => Object.values(path))) {
    const { 200: answer } = operation.responses ?? {};
    if (answer === undefined || !(etagMarker in answer)) continue;
    delete answer[etagMarker];
    operation.responses = { ...operation.responses, 304: notModified };
  }
}

/** Typed data (EIP-712) in the form that eth_signTypedData_v4 takes. */
export const typedData = z.object({
  domain: z.object({
    name: z.string(),
    version: z.string(),
    chainId: z.int(),
    verifyingContract: z.string(),
  }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.string()),
});
