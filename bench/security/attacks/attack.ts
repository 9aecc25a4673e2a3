/** One request of an attack. */
export type AttackRequest = {
  method?: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /**
   * What is held back until the attack ends: the body, of which the headers promise `Content-Length` bytes, or the reading of
   * the answer.
   */
  hold?: "body" | "answer";
};

/** Asks the service before the attack begins. */
export type Ask = (request: AttackRequest) => Promise<{ status: number; body: string }>;

export type Attack = {
  /** What clients do, in a line. */
  what: string;
  /** Resolves to what makes the n-th request, from 0 up. */
  prepare(ask: Ask): Promise<(count: number) => AttackRequest>;
};

/** Every choice of one of each list, by number, beginning anew at the end. */
export function choose<Lists extends readonly (readonly unknown[])[]>(
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

/** Mints of tokens that are registered, and who created them. */
export async function listed(ask: Ask): Promise<{ mints: string[]; creators: string[] }> {
  const { body } = await ask({ path: "/api/tokens?limit=100&sort=volume" });
  const { tokens } = JSON.parse(body) as { tokens: { mint: string; creator: string }[] };
  if (tokens.length === 0) throw new Error("the service has no registered token");
  return {
    mints: tokens.map(({ mint }) => mint),
    creators: [...new Set(tokens.map(({ creator }) => creator))],
  };
}
