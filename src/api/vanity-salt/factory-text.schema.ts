import { z } from "@hono/zod-openapi";
import { nameBytes, symbolBytes } from "../../../salt-search/salt-service.ts";

/** Text for the factory, which limits bytes of UTF-8, not characters. */
function factoryText({ min, max }: { min: number; max: number }, description: string) {
  return z
    .string({ error: "is missing" })
    .refine((value) => value.isWellFormed(), "must be well-formed Unicode")
    .refine((value) => {
      const bytes = Buffer.byteLength(value);
      return bytes >= min && bytes <= max;
    }, `must have ${min} to ${max} bytes of UTF-8`)
    .openapi({ type: "string", minLength: min, maxLength: max, description });
}

export const tokenName = factoryText(
  nameBytes,
  "The token's name, exactly as you will give it to the factory: 1 to 64 bytes of UTF-8.",
);
export const tokenSymbol = factoryText(symbolBytes, "Its symbol: 1 to 16 bytes of UTF-8.");
