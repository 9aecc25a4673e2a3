import { readFileSync } from "node:fs";
import { z } from "zod";
import { contactUrl, pageUrl, readVariables, type Variables } from "./values.ts";

/** How the explorer presents itself. */
export type BrandSettings = {
  name: string;
  /** Undefined: the built-in one, in the accent colour. */
  logo: Logo | undefined;
  /** #rrggbb, lower case. Undefined: the built-in one. */
  accent: string | undefined;
  /** Links at the bottom of each page. */
  links: { label: string; url: string }[];
  termsUrl: string | undefined;
  privacyUrl: string | undefined;
};

type Logo = { bytes: Buffer; type: "image/svg+xml" | "image/png"; sizes: string };

const visible =
  /^(?!.*(?!\ufe0f)\p{Default_Ignorable_Code_Point})[^\p{C}\p{Zl}\p{Zp}]*[\p{L}\p{N}][^\p{C}\p{Zl}\p{Zp}]*$/u;

const links = z
  .string()
  .transform((text) =>
    text
      .split(/(?<!\\),/)
      .map((part) => part.replaceAll("\\,", ","))
      .filter((part) => part.trim() !== "")
      .map((part) => {
        const [label = "", ...url] = part.split("=");
        return { label: label.trim(), url: url.join("=").trim() };
      }),
  )
  .refine(
    (parts) =>
      parts.length <= 8 &&
      parts.every(
        ({ label, url }) => label.length <= 24 && visible.test(label) && contactUrl.safeParse(url).success,
      ),
    {
      message:
        "must be at most 8 links such as X=https://x.com/example,Help=mailto:help@example.com: labels of up to 24 characters, and https or mailto URLs, with \\, for a comma within one",
    },
  );

const logo = z.string().transform((path, context): Logo => {
  const read = readLogo(path);
  if (read !== undefined) return read;
  context.addIssue({
    code: "custom",
    message: `must be the path of a square PNG of at least 192 pixels, or of an SVG, of at most ${maxLogoKilobytes} kB`,
  });
  return z.NEVER;
});

export const brandVariables = z.object({
  BRAND_NAME: z
    .string()
    .trim()
    .refine((name) => [...name].length <= 30 && visible.test(name), {
      message: "must be at most 30 characters, without control characters and with a letter or digit",
    })
    .default("Launchpad"),
  BRAND_LOGO: logo.optional(),
  BRAND_ACCENT: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, "must be a colour such as #f0b429")
    .toLowerCase()
    .optional(),
  BRAND_LINKS: links.default([]),
  TERMS_URL: pageUrl.optional(),
  PRIVACY_URL: pageUrl.optional(),
});

/** Reads and checks the variables about the brand. If any is wrong, adds a line to `problems` and returns undefined. */
export function readBrandSettings(variables: Variables, problems: string[]): BrandSettings | undefined {
  const values = readVariables(brandVariables, variables, "", problems);
  if (values === undefined) return undefined;
  return {
    name: values.BRAND_NAME,
    logo: values.BRAND_LOGO,
    accent: values.BRAND_ACCENT,
    links: values.BRAND_LINKS,
    termsUrl: values.TERMS_URL,
    privacyUrl: values.PRIVACY_URL,
  };
}

const maxLogoKilobytes = 256;
const minPixels = 192;
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns undefined for a file that can't be read or is no logo. */
function readLogo(path: string): Logo | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  if (bytes.length > maxLogoKilobytes * 1_000) return undefined;
  if (bytes.length >= 24 && bytes.subarray(0, 8).equals(pngSignature)) {
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    const isLogo = width === height && width >= minPixels;
    return isLogo ? { bytes, type: "image/png", sizes: `${width}x${height}` } : undefined;
  }
  const isSvg = /^\ufeff?\s*(<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(
    bytes.toString("utf8"),
  );
  return isSvg ? { bytes, type: "image/svg+xml", sizes: "any" } : undefined;
}
