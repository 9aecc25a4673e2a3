/**
 * What a page of the explorer may load and do: code, styles, images and answers from our own origin. `blob:` is the preview of an image
 * that a visitor chose.
 *
 * @param rpcUrl the local chain's node, on the local stack alone
 */
export function contentSecurityPolicy(rpcUrl: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    `connect-src 'self'${rpcUrl === undefined ? "" : ` ${new URL(rpcUrl).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
