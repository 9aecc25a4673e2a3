/**
 * The Content-Security-Policy of the explorer's pages: scripts, styles, images and requests from our own origin only. `blob:` is for
 * the preview of an image that a visitor selects.
 *
 * @param rpcUrl the local chain's node; only given on the local stack
 */
export function contentSecurityPolicy(rpcUrl: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    `connect-src 'self'${rpcUrl === undefined ? "" : ` ${new URL(rpcUrl).origin}`}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
