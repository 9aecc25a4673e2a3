/** What the process of the clients is told, as JSON in a file. */
export type LoadJob = {
  port: number;
  clients: number;
  /** Trades that each client is to get. */
  events: number;
  /** Where it leaves what it saw. */
  result: string;
};

/** What it writes once every client has everything: by block, when its trades came, in milliseconds since 1970. */
export type LoadResult = Record<string, number[]>;

/** What it says once all clients are connected. */
export const readyLine = "all clients are connected";
