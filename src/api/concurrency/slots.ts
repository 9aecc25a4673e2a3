/** A slot that is held. */
export type Slot = {
  /** Records progress. */
  touch(): void;
  /** From now on the slot can't be revoked. */
  protect(): void;
  release(): void;
};

export type SlotsOptions = {
  /** The most slots in all, and of one owner. */
  max: number;
  maxPerOwner: number;
  /** Milliseconds without progress after which a slot may be revoked. */
  stallMs: number;
  /** Makes the error to throw when no slot is free: the owner's limit is reached, or everyone's. */
  refuse(limit: "owner" | "everyone"): Error;
};

export type Slots = ReturnType<typeof createSlots>;

/**
 * A semaphore for work whose pace the client sets, such as an upload. When all slots are taken, the one that has gone longest
 * without progress is revoked, provided that it has stalled for a while: stalled clients can't shut out others.
 */
export function createSlots({ max, maxPerOwner, stallMs, refuse }: SlotsOptions) {
  type Held = { owner: string; touchedAt: number; onRevoked: (() => void) | undefined };
  // Ordered by last progress, the oldest first.
  const held = new Set<Held>();
  const owned = new Map<string, number>();

  function release(slot: Held): void {
    if (!held.delete(slot)) return;
    const left = (owned.get(slot.owner) ?? 0) - 1;
    if (left > 0) owned.set(slot.owner, left);
    else owned.delete(slot.owner);
  }

  /** The slot that would be revoked to give this owner one. */
  function findStalled(owner: string): Held | undefined {
    const latest = performance.now() - stallMs;
    for (const slot of held) {
      if (slot.touchedAt > latest) return undefined;
      if (slot.onRevoked !== undefined && (slot.owner === owner || !isAtLimit(owner))) return slot;
    }
    return undefined;
  }

  const isAtLimit = (owner: string) => (owned.get(owner) ?? 0) >= maxPerOwner;
  const hasRoom = (owner: string) => !isAtLimit(owner) && held.size < max;
  const limitFor = (owner: string) => (isAtLimit(owner) ? "owner" : "everyone");

  return {
    /** Returns whose limit would make `take` throw now, or undefined while there is a slot. */
    reachedLimit(owner: string): "owner" | "everyone" | undefined {
      return hasRoom(owner) || findStalled(owner) !== undefined ? undefined : limitFor(owner);
    },
    /** Takes a slot. `onRevoked` is called when it goes to somebody else. Throws the error that `refuse` makes. */
    take(owner: string, onRevoked: () => void): Slot {
      if (!hasRoom(owner)) {
        const stalled = findStalled(owner);
        if (stalled === undefined) throw refuse(limitFor(owner));
        release(stalled);
        stalled.onRevoked?.();
      }
      const slot: Held = { owner, touchedAt: performance.now(), onRevoked };
      held.add(slot);
      owned.set(owner, (owned.get(owner) ?? 0) + 1);
      return {
        touch() {
          if (!held.delete(slot)) return;
          slot.touchedAt = performance.now();
          held.add(slot);
        },
        protect() {
          slot.onRevoked = undefined;
        },
        release: () => release(slot),
      };
    },
  };
}
