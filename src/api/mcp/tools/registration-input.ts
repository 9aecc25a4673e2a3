import { z } from "zod";
import { address, chainId } from "../inputs.ts";

const link = (description: string) => z.string().max(2_048).optional().describe(description);

/** What a registration says; texts exactly as the factory was given them. */
export const registrationInput = z.object({
  mint: address("The token that was created."),
  name: z.string().max(256).describe("As given to the factory."),
  symbol: z.string().max(64).describe("As given to the factory."),
  creator: address("The account that created the token."),
  burnPercent: z.int().min(30).max(70).describe("As given to the factory."),
  description: z.string().max(2_000).optional().describe("At most 1000 characters, in one line."),
  imageUrl: link("The url of upload_image, or another ipfs:// or https:// URL."),
  twitterUrl: link("https://"),
  telegramUrl: link("https://"),
  websiteUrl: link("https:// or ipfs://"),
  chainId,
});
