/** Texts that attack the page that shows them, and links that attack whoever follows them. */

const scripts = "window.attacked = true";

const markups: ((index: number) => string)[] = [
  () => `<script>${scripts}</script>`,
  () => `<img src=x onerror="${scripts}">`,
  () => `"><svg onload=${scripts}>`,
  () => `<iframe src="javascript:${scripts}">`,
  () => `<a href="javascript:${scripts}">Go</a>`,
  () => "<style>*{display:none}</style>",
  () => `<base href="https://evil.example/">`,
  () => `<meta http-equiv=refresh content="0;url=https://evil.example/">`,
  () => `{{constructor.constructor('${scripts}')()}}`,
  () => `\${${scripts}}`,
  () => "\u202eremmah\u202c <b>",
  () => "\u2066\u2067\u2068isolated\u2069",
  () => "zero\u200bwidth\u200c\u200d\ufeff",
  () => "\u0000\u0001\u001b[31mred\u007f",
  () => `Z${"\u0310\u0323\u035b".repeat(20)}algo`,
  () => "🦦".repeat(16),
  () => "👨‍👩‍👧‍👦".repeat(6),
  () => "W".repeat(64),
  () => "\u3164\u3164\u3164",
  () => "  \t \r\n  x ",
  () => "&lt;script&gt;&#x3c;b&#x3e;",
  () => "\u{e0041}\u{e0042}tag",
  () => "ﷺ".repeat(16),
  () => "\ud800lone",
];

/** Returns the n-th of many texts. */
export function hostileMarkup(index: number): string {
  const markup = markups[index % markups.length]?.(index) ?? "";
  return index < markups.length ? markup.toWellFormed() : `${index} ${markup}`.toWellFormed();
}

const links = [
  "javascript:alert(1)",
  "https://user:password@evil.example/",
  "https://good.example@evil.example/",
  "data:text/html,<script>alert(1)</script>",
  "https://еvil.example/",
  `https://evil.example/${"a".repeat(400)}`,
  "https://evil.example/\u202egpj.exe",
  "file:///etc/passwd",
  'https://evil.example/?"><script>alert(1)</script>',
  "vbscript:x",
];

export const hostileLink = (index: number): string => links[index % links.length] ?? "";
