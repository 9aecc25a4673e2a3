/** A slot that is held. */
export type Slot = {
  /** Notes progress. */
  touch(): void;
  /** From now on it is not taken away any more. */
  keep(): void;
  release(): void;
};

export type SlotsOptions = {
  /** Slots in all, and of one owner. */
  most: number;
  mostPerOwner: number;
  /** Milliseconds without progress after which a slot goes to whoever needs one. */
  patienceMs: number;
  /** What is thrown when there is none. */
  refuse(whose: "owner" | "everyone"): Error;
};

export type Slots = ReturnType<typeof createSlots>;

/**
 * A semaphore for work whose pace the client sets. When every slot is taken, the one that has made no progress for the
 * longest is taken away, provided that it has made none for a while: clients that stand still can't shut out others.
 */
export function createSlots({ most, mostPerOwner, patienceMs, refuse }: SlotsOptions) {
  type Held = { owner: string; touchedAt: number; takeAway: (() => void) | undefined };
  // In the order of their last progress.
  const held = new Set<Held>();
  const owned = new Map<string, number>();

  function release(slot: Held): void {
    if (!held.delete(slot)) return;
    const left = (owned.get(slot.owner) ?? 0) - 1;
    if (left > 0) owned.set(slot.owner, left);
    else owned.delete(slot.owner);
  }

  /** Whether a slot could be taken away. */
  function makeRoom(owner?: string): boolean {
    const latest = performance.now() - patienceMs;
    for (const slot of held) {
      if (slot.touchedAt > latest) return false;
      if (slot.takeAway === undefined || (owner !== undefined && slot.owner !== owner)) continue;
      release(slot);
      slot.takeAway();
      return true;
    }
    return false;
  }

  return {
    /** Takes a slot. `onTakenAway` is called when it goes to somebody else. Throws what `refuse` returns. */
    take(owner: string, onTakenAway: () => void): Slot {
      if ((owned.get(owner) ?? 0) >= mostPerOwner && !makeRoom(owner)) throw refuse("owner");
      if (held.size >= most && !makeRoom()) throw refuse("everyone");
      const slot: Held = { owner, touchedAt: performance.now(), takeAway: onTakenAway };
      held.add(slot);
      owned.set(owner, (owned.get(owner) ?? 0) + 1);
      return {
        touch() {
          if (!held.delete(slot)) return;
          slot.touchedAt = performance.now();
          held.add(slot);
        },
        keep() {
          slot.takeAway = undefined;
        },
        release: () => release(slot),
      };
    },
  };
}
