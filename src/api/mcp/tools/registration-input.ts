import { z } from "zod";
import { address, chainId } from "../inputs.ts";

const text = (maxLength: number, description: string, ...examples: string[]) =>
  z
    .string()
    .max(maxLength)
    .describe(description)
    .meta(examples.length === 0 ? {} : { examples });

const link = (description: string, ...examples: string[]) => text(2_048, description, ...examples).optional();

/** The fields of a registration. Name and symbol must be exactly what the factory was given. */
export const registrationInput = z.object({
  mint: address("The token that was created."),
  name: text(256, "Exactly as given to the factory.", "Brave Otter"),
  symbol: text(64, "Exactly as given to the factory.", "OTTER"),
  creator: address("The account that created the token."),
  burnPercent: z.int().min(30).max(70).describe("Exactly as given to the factory."),
  description: text(2_000, "At most 1000 characters, on one line.", "Never gives up.").optional(),
  imageUrl: link("The url of upload_image, or another ipfs:// or https:// URL."),
  twitterUrl: link("An https:// URL.", "https://x.com/example"),
  telegramUrl: link("An https:// URL.", "https://t.me/example"),
  websiteUrl: link("An https:// or ipfs:// URL.", "https://otter.example/"),
  chainId,
});
