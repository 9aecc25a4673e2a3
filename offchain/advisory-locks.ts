/*
 * The keys of all advisory locks that the service takes in its database. Any constants will do, as long as they differ.
 * 5_609_700_006 is that of `chain-access/history/window-counts.ts`, which imports nothing from here.
 */

/** Locks of the whole database. */
export const migrationLock = 5_609_700_001;
export const sweepLock = 5_609_700_002;
export const budgetLock = 5_609_700_003;
export const grantLock = 5_609_700_004;
export const repairLock = 5_609_700_005;
export const turnLock = 5_609_700_007;

/** Locks of one name each: `pg_advisory_lock(key, hashtext(name))`. Postgres keeps them in a separate key space. */
export const schemaLocks = 560_097;
export const imageLocks = 5_609_701;
export const journalLocks = 5_609_702;
export const activityLocks = 5_609_703;
