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

  /** The slot that would be taken away for one more of this owner. */
  function stalled(owner: string): Held | undefined {
    const latest = performance.now() - patienceMs;
    for (const slot of held) {
      if (slot.touchedAt > latest) return undefined;
      if (slot.takeAway !== undefined && (slot.owner === owner || !isFull(owner))) return slot;
    }
    return undefined;
  }

  const isFull = (owner: string) => (owned.get(owner) ?? 0) >= mostPerOwner;
  const hasRoom = (owner: string) => !isFull(owner) && held.size < most;
  const whoseAreFull = (owner: string) => (isFull(owner) ? "owner" : "everyone");

  return {
    /** Whose slots are all taken, so that `take` would throw now; undefined while there is one. */
    whoseAreTaken(owner: string): "owner" | "everyone" | undefined {
      return hasRoom(owner) || stalled(owner) !== undefined ? undefined : whoseAreFull(owner);
    },
    /** Takes a slot. `onTakenAway` is called when it goes to somebody else. Throws what `refuse` returns. */
    take(owner: string, onTakenAway: () => void): Slot {
      if (!hasRoom(owner)) {
        const given = stalled(owner);
        if (given === undefined) throw refuse(whoseAreFull(owner));
        release(given);
        given.takeAway?.();
      }
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
