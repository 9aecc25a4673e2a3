/** What a process is to do that attacks. */
export type AttackJob = {
  attack: string;
  url: string;
  /** Addresses of this machine to send from, one for each request in flight; or one for all. */
  addresses: string[];
  inFlight: number;
  requests: number;
  seconds: number;
};

/** How many requests were answered how: by status, and by error code where there was no answer. */
export type Tally = Record<string, number>;
