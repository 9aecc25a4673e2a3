/** The input of the clients' process, as JSON in a file. */
export type LoadJob = {
  port: number;
  clients: number;
  /** The number of trades that each client expects. */
  events: number;
  /** The file for its result. */
  result: string;
};

/** Written once every client has all trades: by block, the Unix times in milliseconds at which its trades arrived. */
export type LoadResult = Record<string, number[]>;

/** Printed once all clients are connected. */
export const readyLine = "all clients are connected";
