const taken = ["offchain", "ponder_sync"];

/** What is wrong with a name for the Postgres schema of the on-chain tables; undefined if nothing is. */
export function schemaNameProblem(name: string): string | undefined {
  if (!/^[a-z_][a-z0-9_]{0,44}$/.test(name))
    return "must be at most 45 lower-case letters, digits or underscores";
  if (taken.includes(name) || name.startsWith("pg_")) {
    return "must not be offchain, ponder_sync or start with pg_, which have other uses";
  }
  return undefined;
}
