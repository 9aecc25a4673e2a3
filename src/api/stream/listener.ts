import pg from "pg";
import { statement } from "../../../offchain/statement.ts";
import { pause } from "../concurrency/pause.ts";

export type ListenerOptions = {
  url: string | undefined;
  /** The connection's application_name in pg_stat_activity. */
  name: string;
  channels: string[];
  /**
   * Called after notifications, at most every {@link restMs} for each channel, since any role may send them. Called without a channel
   * after connecting, since some may have been missed.
   */
  onNotice: (channel?: string) => void;
};

export type Listener = {
  /** Checks the connection, and reconnects if the server does not answer. */
  check(): void;
  stop(): Promise<void>;
};

const connectMs = 4_000;
const retryMs = 500;
const goodbyeMs = 300;
/** Short beside the time between blocks. */
export const restMs = 25;

/** Listens to notifications of Postgres on a dedicated connection, which is re-established whenever it is lost. */
export function startListener({ url, name, channels, onNotice }: ListenerOptions): Listener {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  let connected: pg.Client | undefined;
  /** Channels with a recent notice: whether another notification has arrived since. */
  const resting = new Map<string, boolean>();

  function note(channel: string): void {
    if (stopping.signal.aborted) return;
    if (resting.has(channel)) {
      resting.set(channel, true);
      return;
    }
    onNotice(channel);
    resting.set(channel, false);
    setTimeout(() => {
      const isDue = resting.get(channel);
      resting.delete(channel);
      if (isDue) note(channel);
    }, restMs).unref();
  }

  /** Resolves when the connection is lost. */
  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    client.on("error", ignoreLostConnection);
    client.on("notification", ({ channel }) => note(channel));
    const end = () => {
      void client.end().catch(ignoreLostConnection);
      // A connection that is dead never ends gracefully.
      setTimeout(() => getSocket(client)?.destroy(), goodbyeMs).unref();
    };
    try {
      // `connect` would never settle if the client is ended meanwhile.
      await Promise.race([client.connect(), stopped]);
      if (stopping.signal.aborted) return;
      for (const channel of channels) await client.query(statement`listen ${channel}`);
      connected = client;
      onNotice();
      await Promise.race([ended, stopped]);
    } finally {
      connected = undefined;
      end();
    }
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await listen().catch(ignoreLostConnection);
      await pause(retryMs, stopping.signal);
    }
  })();

  return {
    check() {
      const client = connected;
      // A server that is unreachable never closes the connection, so the socket is destroyed here.
      client?.query("select").catch(() => getSocket(client)?.destroy());
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** The `end` event follows, and with it the next attempt to connect. */
const ignoreLostConnection = () => {};

function getSocket(client: pg.Client): { destroy(): void } | undefined {
  return (client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream;
}
