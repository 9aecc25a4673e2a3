import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Breakage } from "./settings.ts";

/** An HTTP response that hasn't been written yet. */
export type Reply = {
  status: number;
  headers?: Pick<IncomingHttpHeaders, "content-length" | "retry-after">;
  contentType?: string;
  body: string | Readable;
};

/** How a request goes unanswered. */
export type NoReply = "reset" | "hang";

const page = "<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>";

/** Returns the reply to a request that fails. */
export function brokenReply(breakage: Breakage): Reply | NoReply {
  switch (breakage) {
    case "502 with HTML":
      return { status: 502, contentType: "text/html", body: page };
    case "broken JSON":
      return { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":[{"address":"0x' };
    case "connection reset":
      return "reset";
    case "hang":
      return "hang";
  }
}
