import { ignore } from "../../config/async.ts";
import type { Environment } from "../../config/env.ts";
import { predecessorText, predecessorVariable } from "../../config/process-environment.ts";
import { type Channel, channelOf } from "../process/channel.ts";
import { StartError } from "../start-error.ts";

type HandedOver = {
  /** The schema that the running version indexes into. */
  schema: string;
  port: number;
  host?: string | undefined;
  /** The requested schema; chosen if left out. */
  to?: string | undefined;
  /** That of the embedded Postgres, which goes on under the new version. */
  postgresFolder?: string | undefined;
};

/** The running version that this one replaces. */
export type Predecessor = HandedOver & { channel: Channel };

/** The version that started this one to be replaced by it; undefined for an ordinary start. */
export function findPredecessor(): Predecessor | undefined {
  const text = predecessorText();
  // Without a channel, the variable was merely inherited.
  if (text === undefined || process.send === undefined) return undefined;
  return { ...(JSON.parse(text) as HandedOver), channel: channelOf(process) };
}

const aliveMs = 10_000;

/** Gives the running version signs of life until the signal aborts, so that it gives up one that hangs. */
export function showLife({ channel }: Predecessor, signal: AbortSignal): void {
  // If the other process is gone, this one is about to end, too.
  const show = () => void channel.send({ kind: "alive" }).catch(ignore);
  show();
  const timer = setInterval(show, aliveMs).unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

export const predecessorEnvironment = (predecessor: HandedOver) => ({
  [predecessorVariable]: JSON.stringify(predecessor),
});

/** Throws a StartError if the settings name another address: the listening socket that is taken over can't change its address. */
export function assertSameAddress(predecessor: Predecessor, { port, host }: Environment): void {
  if (port === predecessor.port && host === predecessor.host) return;
  throw new StartError(
    "an upgrade keeps PORT and HOST, but the new version's settings differ: set them to those of the running version, or stop that and run npm start",
  );
}
