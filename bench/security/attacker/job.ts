/** The task of an attacking process. */
export type AttackJob = {
  attack: string;
  url: string;
  /** The addresses of this machine to send from: one for each request in flight, or one for all. */
  addresses: string[];
  inFlight: number;
  seconds: number;
};

/** The number of requests by status, or by error code if there was no answer. */
export type Tally = Record<string, number>;
