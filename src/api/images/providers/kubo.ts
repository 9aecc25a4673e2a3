import { z } from "zod";
import { ignore } from "../../../../config/async.ts";
import { parseJson } from "../../../../config/parse.ts";
import { chunkSize } from "../dag.ts";
import { callProvider, type ImageProvider, ProviderError, providerRefused } from "./provider.ts";

export type KuboOptions = {
  /** The URL that `/api/v0` is appended to, such as http://127.0.0.1:5001. */
  url: string;
  token?: string | undefined;
  timeoutMs?: number;
};

const added = z.object({ Hash: z.string() });
const failure = z.object({ Message: z.string() });

/**
 * Creates a provider for a Kubo node, or a service with its RPC API: https://docs.ipfs.tech/reference/kubo/rpc/
 * Every option that shapes the DAG is set explicitly, since a node may be configured with other defaults.
 */
export function createKuboProvider({ url, token, timeoutMs = 20_000 }: KuboOptions): ImageProvider {
  const call = (path: string, parameters: Record<string, string>, body?: FormData) =>
    callProvider({
      provider: "kubo",
      method: "POST",
      url: `${url}/api/v0/${path}?${new URLSearchParams(parameters)}`,
      token,
      timeoutMs,
      body,
    });

  async function remove(cid: string): Promise<void> {
    try {
      const { status, text } = await call("pin/rm", { arg: cid, recursive: "true" });
      if (status !== 200) throw providerRefused("kubo", status, reasonIn(text));
    } catch (error) {
      // Kubo responds with 500 to any failure, including that the image is not pinned.
      const reason =
        error instanceof ProviderError && error.cause instanceof Error ? error.cause.message : "";
      if (!reason.includes("not pinned")) throw error;
    }
  }

  return {
    name: "kubo",
    async add({ cid, bytes }) {
      const body = new FormData();
      body.append(
        "file",
        new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/octet-stream" }),
        cid,
      );
      const { status, text } = await call(
        "add",
        {
          "cid-version": "1",
          "raw-leaves": "true",
          hash: "sha2-256",
          chunker: `size-${chunkSize}`,
          trickle: "false",
          pin: "true",
          "wrap-with-directory": "false",
          progress: "false",
        },
        body,
      );
      if (status !== 200) throw providerRefused("kubo", status, reasonIn(text));
      const hash = addedHash(text);
      if (hash !== cid) {
        // The upload fails with the original error. A file left at the provider does no harm.
        await remove(hash).catch(ignore);
        throw new ProviderError(502, "kubo", "stored the image under another CID", { maybeStored: false });
      }
      return null;
    },
    remove,
  };
}

/** Kubo's error message, if the response has one, else the whole text. */
const reasonIn = (text: string) => failure.safeParse(parseJson(text)).data?.Message ?? text;

/** Returns the CID in the response, which has a line of JSON for each added file. We add one. */
function addedHash(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const result = added.safeParse(parseJson(lines.at(-1) ?? ""));
  if (lines.length !== 1 || !result.success) throw new ProviderError(502, "kubo", "gave no CID");
  return result.data.Hash;
}
