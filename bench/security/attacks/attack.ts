/**
 * What a client holds back until the service ends it: everything, the end of its headers or of its body (both arrive byte by byte,
 * one a second), or the reading of the answer. A "stream" is read, and stays open.
 */
export type Hold = "connection" | "headers" | "body" | "answer" | "stream";

/** One request of an attack. */
export type AttackRequest = {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  hold?: Hold;
};

/** Sends a request to the service before the attack begins. */
export type Ask = (request: AttackRequest) => Promise<{ status: number; body: string }>;

export type Attack = {
  /** What the clients do, in one line. */
  description: string;
  /** Whether clients only hold connections and make the service do next to nothing. */
  isIdle?: boolean;
  /** Requests at a time, if their number matters. */
  inFlight?: number;
  /** Resolves to a function that returns the n-th request, counted from 0. */
  prepare(ask: Ask): Promise<(count: number) => AttackRequest>;
};

/** Picks one item of each list: the combination with this number, starting over after the last one. */
export function pickCombination<Lists extends readonly (readonly unknown[])[]>(
  count: number,
  ...lists: Lists
): { [Index in keyof Lists]: Lists[Index][number] } {
  let rest = count;
  return lists.map((list) => {
    const chosen = list[rest % list.length];
    rest = Math.floor(rest / list.length);
    return chosen;
  }) as never;
}

/** Reads registered tokens and their creators. */
export async function readListedTokens(ask: Ask): Promise<{ mints: string[]; creators: string[] }> {
  const { body } = await ask({ path: "/api/tokens?limit=100&sort=volume" });
  const { tokens } = JSON.parse(body) as { tokens: { mint: string; creator: string }[] };
  if (tokens.length === 0) throw new Error("the service has no registered token");
  return {
    mints: tokens.map(({ mint }) => mint),
    creators: [...new Set(tokens.map(({ creator }) => creator))],
  };
}
