import { readDenyList } from "../../config/deny-list.ts";
import { StartError } from "../start-error.ts";

/** Throws a StartError if the deny list can't be read or has an invalid entry. */
export function assertDenyList(file: string | undefined): void {
  if (file === undefined) return;
  try {
    readDenyList(file);
  } catch (error) {
    throw new StartError(
      "failed",
      `the deny list can't be used (MODERATION_FILE): ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}
