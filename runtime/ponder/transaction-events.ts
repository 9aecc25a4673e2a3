type PonderEvent = {
  chain: { id: number };
  event: { transaction?: { hash: string }; transactionEvents?: readonly PonderEvent[] };
};

/**
 * Gives each event `transactionEvents`: all events of its transaction, in the order of the chain. Ponder hands its handlers one
 * event after the other, so that none could see what follows it. It decodes whole blocks at a time, after a crash as well.
 *
 * @param events of one chain, in its order
 * @returns the same events
 */
export function linkTransactions<Events extends PonderEvent[]>(events: Events): Events {
  let ofTransaction: PonderEvent[] = [];
  let last: string | undefined;
  for (const each of events) {
    const hash = each.event.transaction?.hash;
    if (hash !== last || hash === undefined) ofTransaction = [];
    last = hash;
    ofTransaction.push(each);
    each.event.transactionEvents = ofTransaction;
  }
  return events;
}
