import { once } from "node:events";
import net from "node:net";

export type CommitProxy = Awaited<ReturnType<typeof startCommitProxy>>;

type Loss = {
  /** Occurs in a statement of the transaction. */
  text: string;
  /** What the client never gets: the answer to the transaction's COMMIT, or to the statement, which the server never gets either. */
  of: "commit" | "statement";
  happened: () => void;
};

/** The simple query that pg sends to end a transaction. */
const commit = Buffer.from("commit\0");
/** Postgres's answer to it. */
const committed = Buffer.from("COMMIT\0");

/** Characters kept of what a connection sent before, to find a text that arrives in two parts. */
const overlap = 200;

/** A proxy in front of Postgres that can cut a connection just before it would pass on the answer to a COMMIT. */
export async function startCommitProxy(targetHost: string, targetPort: number) {
  const losses = new Set<Loss>();
  const sockets = new Set<net.Socket>();

  const server = net.createServer((incoming) => {
    const outgoing = net.connect(targetPort, targetHost);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }

    let tail = "";
    /** The loss that the current transaction will suffer. */
    let loss: Loss | undefined;
    let isCommitting = false;
    function lose(current: Loss): void {
      losses.delete(current);
      incoming.destroy();
      current.happened();
    }

    incoming.on("data", (chunk) => {
      const sent = tail + chunk.toString("latin1");
      // The next transaction must not be taken for this one.
      tail = chunk.includes(commit) ? "" : sent.slice(-overlap);
      loss ??= [...losses].find(({ text }) => sent.includes(text));
      if (loss?.of === "statement") return lose(loss);
      isCommitting = loss !== undefined && chunk.includes(commit);
      outgoing.write(chunk);
    });
    outgoing.on("data", (chunk) => {
      if (loss === undefined || !isCommitting) incoming.write(chunk);
      else if (chunk.includes(committed)) lose(loss);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  const arm = (of: Loss["of"], text: string): Promise<void> =>
    new Promise((happened) => void losses.add({ text, of, happened }));

  return {
    port: (server.address() as net.AddressInfo).port,
    /** Loses the answer to the COMMIT of the next transaction with this text. Resolves once it is lost. */
    loseCommitOf: (text: string) => arm("commit", text),
    /** Cuts the connection at the next statement with this text. Resolves once it is cut. */
    cutAt: (text: string) => arm("statement", text),
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
