import http from "node:http";
import net from "node:net";
import { brotliDecompressSync, unzipSync, zstdDecompressSync } from "node:zlib";
import type { MalformedRequest } from "./requests.ts";

/** A status of 0 means that the service closed the connection without an answer. */
export type Received = { status: number; headers: http.IncomingHttpHeaders; text: string };

/** Sends a request and resolves to the answer. Throws if there is none within 60 s. */
export function send(port: number, agent: http.Agent, request: MalformedRequest): Promise<Received> {
  const { method, target, headers, body, isChunked } = request;
  const length = isChunked || body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = http.request(
      {
        host: "127.0.0.1",
        port,
        method,
        path: target,
        headers: { ...headers, ...length },
        agent,
        timeout: 60_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        const done = () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: decode(Buffer.concat(chunks), response.headers["content-encoding"]),
          });
        response.on("end", done);
        // A stream doesn't end, so its beginning counts as the answer.
        if (method !== "HEAD" && response.headers["content-type"] === "text/event-stream") {
          response.once("data", () => {
            response.destroy();
            done();
          });
        }
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("no answer for 60 s")));
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The service needn't read the rest of a request that it has refused.
      if (error.code === "ECONNRESET" || error.code === "EPIPE")
        resolve({ status: 0, headers: {}, text: "" });
      else reject(error);
    });
    sent.end(body);
  });
}

const decoders: Record<string, (body: Buffer) => Buffer> = {
  gzip: unzipSync,
  deflate: unzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Returns the text of a body, which is compressed if the random request happened to ask for that. */
function decode(body: Buffer, encoding = "identity"): string {
  const decompress = body.length > 0 ? decoders[encoding] : undefined;
  return (decompress?.(body) ?? body).toString();
}

/** Sends bytes, half-closes, and resolves to the answer's status. Throws if the connection stays open for 30 s. */
export function sendBytes(port: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1");
    let text = "";
    socket.setTimeout(30_000, () => socket.destroy(new Error("the connection stayed open for 30 s")));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)));
    socket.end(bytes);
  });
}
