import { t } from "../language/messages.ts";
import { chainExplorer, ExternalLink } from "../parts/links.tsx";
import type { Status } from "./run-steps.ts";

/** Shows what a transaction is waiting for, or how it ended. */
export function StatusLine({ status, chain }: { status: Status; chain: number }) {
  return (
    <div class={`status is-${status.kind}`} role="status">
      {status.kind !== "idle" && (
        <p>
          {status.text}{" "}
          {status.hash !== undefined && (
            <ExternalLink href={chainExplorer(chain, "tx", status.hash)}>{t.common.transaction}</ExternalLink>
          )}
        </p>
      )}
      {status.kind === "working" && status.stopWaiting && (
        <button type="button" class="button" onClick={status.stopWaiting}>
          {t.wallet.stopWaiting}
        </button>
      )}
    </div>
  );
}
