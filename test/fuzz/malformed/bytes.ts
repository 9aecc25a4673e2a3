import fc from "fast-check";

const heads = [
  "GET /api/tokens HTTP/1.1",
  "GET /api/tokens?q=\u00e4\u00ff HTTP/1.1",
  "GET /api/curve/\0 HTTP/1.1",
  "GET /api/tokens?q=a b HTTP/1.1",
  "GET http://127.0.0.1/api/tokens HTTP/1.1",
  "GET http://[::1/api HTTP/1.1",
  "GET //api/tokens HTTP/1.1",
  "GET \\api\\tokens HTTP/1.1",
  "GET /api/tokens#?limit=0 HTTP/1.1",
  "GET api HTTP/1.1",
  "GET /api HTTP/1.0",
  "GET /api HTTP/2.0",
  "GET /api",
  "OPTIONS * HTTP/1.1",
  "TRACE /api HTTP/1.1",
  "CONNECT 127.0.0.1:80 HTTP/1.1",
  "get /api HTTP/1.1",
  "PRI * HTTP/2.0",
  "POST /api/tokens HTTP/1.1",
  "PUT /api/tokens HTTP/1.1",
];

const fields = [
  "Host: a",
  "Host: ",
  "Host: a b",
  "Host: [::1",
  "Host: a/b?c#d",
  "Host: user:password@a",
  "Host: a:99999",
  "Host: \u00e4",
  "Content-Length: 10",
  "Content-Length: -1",
  "Content-Length: 1e3",
  "Content-Length: 99999999999999999999",
  "Content-Length: 70000",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: xchunked",
  "Content-Type: application/json",
  "Expect: 100-continue",
  "Expect: miracles",
  "Connection: close",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "No colon",
  " folded: a",
  "A\0B: c",
  "Accept: \u0001",
  `Long: ${"a".repeat(20_000)}`,
];

const bodies = [
  "",
  "{}",
  '{"mint":',
  "5\r\n{}",
  "zz\r\n{}\r\n0\r\n\r\n",
  "2\r\n{}\r\n0\r\n\r\n",
  "\0".repeat(100),
];

/** Bytes that no HTTP client sends: requests that are cut off, contradict themselves, or contain bytes that aren't allowed. */
export const malformedBytes: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom(...heads),
    fc.subarray(fields, { maxLength: 4 }),
    fc.constantFrom("\r\n", "\r\n", "\n", "\r"),
    fc.constantFrom(...bodies),
    fc.option(fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 255 }))),
    fc.option(fc.nat(200)),
  )
  .map(([head, chosen, newline, body, flipped, cutAt]) => {
    const text = [head, ...chosen, "", body].join(newline);
    const bytes = Buffer.from(text, "latin1");
    if (flipped !== null && flipped[0] < bytes.length) bytes[flipped[0]] = flipped[1];
    return cutAt === null ? bytes : bytes.subarray(0, cutAt);
  });
