import { once } from "node:events";
import { request } from "node:http";

/**
 * Sends the head of a POST with a JSON body, and resolves once the server has read it. `finish` sends the body, and resolves to the
 * answer's status.
 */
export async function beginPost(url: string, body: unknown) {
  const bytes = Buffer.from(JSON.stringify(body));
  const post = request(url, {
    method: "POST",
    agent: false,
    headers: {
      "content-type": "application/json",
      "content-length": bytes.length,
      // The server confirms that it has read the head.
      expect: "100-continue",
    },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    post.once("error", reject);
    post.once("response", (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
  });
  answered.catch(() => {});
  post.flushHeaders();
  await once(post, "continue");
  return {
    finish(): Promise<number | undefined> {
      post.end(bytes);
      return answered;
    },
    abandon: () => post.destroy(),
  };
}
