type Entry<Job> = { job: Job; bytes: number; drop: () => void };

/** What an entry takes beside its file, so that a crowd of small ones has an end too. */
const ENTRY_BYTES = 65_536;

/**
 * A queue of jobs that hold so many bytes at most, in which clients take turns: each has a line of its own, and the lines
 * are served in rotation. When it is full, room is made by dropping the newest of whoever holds the most.
 */
export function createFairQueue<Job>(capacity: number) {
  const lines = new Map<string, Entry<Job>[]>();
  const held = (client: string) => (lines.get(client) ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
  let total = 0;

  function greediest(): string {
    return [...lines.keys()].reduce((most, client) => (held(client) > held(most) ? client : most), "");
  }

  function remove(client: string, entry: Entry<Job> | undefined): Entry<Job> | undefined {
    if (lines.get(client)?.length === 0) lines.delete(client);
    total -= entry?.bytes ?? 0;
    return entry;
  }

  return {
    /** Returns false if there is no room. `drop` is called if the job has to make room later. */
    push(client: string, job: Job, size: number, drop: () => void): boolean {
      const bytes = size + ENTRY_BYTES;
      while (total + bytes > capacity) {
        const most = greediest();
        if (held(most) <= held(client) + bytes) return false;
        remove(most, lines.get(most)?.pop())?.drop();
      }
      lines.set(client, [...(lines.get(client) ?? []), { job, bytes, drop }]);
      total += bytes;
      return true;
    },
    shift(): Job | undefined {
      const [next] = lines;
      if (next === undefined) return undefined;
      const [client, line] = next;
      const entry = line.shift();
      // Behind the others, if there is more.
      lines.delete(client);
      if (line.length > 0) lines.set(client, line);
      return remove(client, entry)?.job;
    },
  };
}
