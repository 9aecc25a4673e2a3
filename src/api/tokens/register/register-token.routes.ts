import { createRoute, z } from "@hono/zod-openapi";
import type { Hex } from "viem";
import { jsonBody } from "../../http/json-body.ts";
import { address, bodyChainId } from "../../http/parameters.schema.ts";
import { problems } from "../../http/problem.schema.ts";
import { tokenEntry } from "../entry/token-entry.schema.ts";

const isText = {
  error: ({ input }: { input?: unknown }) => (input === undefined ? "is missing" : "must be a string"),
};
const hasNoControls = (value: string) => !/\p{Cc}/u.test(value);

const text = z.string(isText).refine((value) => value.isWellFormed(), "must be well-formed Unicode");

/** Text that must equal what is on the chain, whatever that contains. */
const chainText = (maxLength: number) =>
  text.min(1, "must not be empty").max(maxLength, `must have at most ${maxLength} characters`);

const description = text
  .refine((value) => [...value].length <= 1_000, "must have at most 1000 characters")
  .refine(hasNoControls, "must have no control characters, including line breaks")
  .openapi({ maxLength: 1_000 });

const maxUrl = 2_048;

function url(protocols: string[]) {
  const message = `must be a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(" or ")}`;
  return text
    .max(maxUrl, `must have at most ${maxUrl} characters`)
    .refine(
      (value) => hasNoControls(value) && !/\s/u.test(value),
      "must have no spaces or control characters",
    )
    .refine(
      (value) =>
        protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}://`)) && URL.canParse(value),
      message,
    );
}

const anyUrl = url(["https", "http", "ipfs"]).openapi({ format: "uri", pattern: "^(https?|ipfs)://" });
const httpsUrl = url(["https"]).openapi({ format: "uri", pattern: "^https://" });

/** Enough for a wallet with sixty signers, or for one that checks a passkey. */
const maxSignatureBytes = 4_096;
const maxSignature = 2 + 2 * maxSignatureBytes;

const registration = z
  .strictObject(
    {
      mint: address.openapi({ description: "The token's contract address." }),
      name: chainText(256).openapi({ description: "Exactly as given to the factory." }),
      symbol: chainText(64).openapi({ description: "Exactly as given to the factory." }),
      creator: address.openapi({ description: "The account that created the token." }),
      burnPercent: z
        .number({
          error: ({ input }) => (input === undefined ? "is missing" : "must be a whole number from 30 to 70"),
        })
        .refine(
          (value) => Number.isInteger(value) && value >= 30 && value <= 70,
          "must be a whole number from 30 to 70",
        )
        .openapi({
          type: "integer",
          minimum: 30,
          maximum: 70,
          description: "Exactly as given to the factory.",
        }),
      description: description.optional(),
      imageUrl: anyUrl.optional(),
      twitterUrl: httpsUrl.optional(),
      telegramUrl: httpsUrl.optional(),
      websiteUrl: anyUrl.optional(),
      launchpadAddress: address.optional(),
      chainId: bodyChainId,
      signature: z
        .string(isText)
        .max(maxSignature, `must have at most ${maxSignatureBytes} bytes`)
        .regex(/^0x([0-9a-fA-F]{2})+$/, "must be 0x and an even number of hexadecimal digits")
        .transform((value): Hex => `0x${value.slice(2)}`)
        .optional()
        .openapi({
          type: "string",
          pattern: "^0x([0-9a-fA-F]{2})+$",
          maxLength: maxSignature,
          description:
            "The creator's signature of the EIP-712 typed data that `GET /api` describes as registrationSignature, made with the creator's key or, for a contract wallet, by ERC-1271.",
        }),
      issuedAt: z
        .number("must be a whole number: seconds since 1970")
        .refine(
          (value) => Number.isSafeInteger(value) && value > 0,
          "must be a whole number: seconds since 1970",
        )
        .optional()
        .openapi({
          type: "integer",
          description: "When it was signed, in seconds since 1970. Required with a signature.",
        }),
    },
    { error: ({ code }) => (code === "invalid_type" ? "must be a JSON object" : undefined) },
  )
  .superRefine((body, context) => {
    if ((body.signature === undefined) === (body.issuedAt === undefined)) return;
    const path = body.signature === undefined ? "signature" : "issuedAt";
    context.addIssue({
      code: "custom",
      path: [path],
      message: "is missing: signature and issuedAt come together",
    });
  })
  .openapi("Registration", {
    description:
      "For fields that are not required, null and an empty string mean the same as leaving them out.",
  });

const optionalFields = new Set(
  Object.entries(registration.shape).flatMap(([name, field]) =>
    field.safeParse(undefined).success ? [name] : [],
  ),
);

/** Returns what is wrong with the fields of a registration, which is refused for it once it is signed; undefined if nothing is. */
export function findRegistrationProblem(fields: Record<string, unknown>): string | undefined {
  const { error } = registrationBody.safeParse(fields);
  return error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
}

/** The body of a registration. Blank optional fields are dropped: forms send "" or null for them, and signed data has "". */
const registrationBody = z.preprocess((body) => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const isBlank = ([name, value]: [string, unknown]) =>
    optionalFields.has(name) && (value === "" || value === null);
  return Object.fromEntries(Object.entries(body).filter((field) => !isBlank(field)));
}, registration);

const content = { "application/json": { schema: tokenEntry } };

export const registerTokenRoute = createRoute({
  method: "post",
  path: "/api/tokens",
  operationId: "registerToken",
  tags: ["Tokens"],
  summary: "Register a token that exists on the chain, so that it appears in the list.",
  description:
    "Possible as soon as the creating transaction is mined. Everything is checked against the chain. A registration signed by the token's creator is marked as verified, and replaces an unsigned one or one that was signed earlier.",
  middleware: [jsonBody({ maxBytes: 64 * 1_024 })] as const,
  request: { body: { required: true, content: { "application/json": { schema: registrationBody } } } },
  responses: {
    201: { description: "Registered. It appears in the list as soon as its block is indexed.", content },
    200: {
      description: "Already registered with this content, or replaced by what the creator signed.",
      content,
    },
    ...problems({
      400: "A field is wrong, missing or unknown.",
      404: "The factory has no such token, or the chain is not indexed here.",
      408: "The body came too slowly.",
      409: "Already registered with other content, or with a signature that is not older.",
      413: "The body has more than 64 kB.",
      415: "The body is not JSON.",
      422: "It contradicts the chain, the signature is not the creator's, or the operator's deny list refuses the content of a field.",
      451: "The operator has hidden the token: `detail` has the reason.",
      503: "The database is unavailable, the chain has to be queried and is unavailable, or too many registrations are waiting.",
    }),
  },
});
