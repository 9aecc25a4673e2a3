/*
 * The keys of every advisory lock that the service takes in its database. Any constants serve, as long as they differ.
 */

/** Taken for the whole database. */
export const migrationLock = 5_609_700_001;
export const sweepLock = 5_609_700_002;
export const budgetLock = 5_609_700_003;
export const grantLock = 5_609_700_004;

/** Taken for one name each: `pg_advisory_lock(key, hashtext(name))`. Postgres keeps these apart from those above. */
export const schemaLocks = 560_097;
export const imageLocks = 5_609_701;
export const journalLocks = 5_609_702;
export const activityLocks = 5_609_703;
