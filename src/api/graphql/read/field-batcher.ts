type Batch<Item, Answer> = { items: Item[]; answers: PromiseWithResolvers<Answer[]> };

/** Collects what the rows of one list need, so that it is read with one statement. */
export type FieldBatcher = {
  /**
   * @param key identifies the items that belong together
   * @param read gets all items added in the same turn of the event loop, and returns their answers in the same order
   */
  add<Item, Answer>(key: object, item: Item, read: (items: Item[]) => Promise<Answer[]>): Promise<Answer>;
};

/** Creates a batcher for one GraphQL query. */
export function createFieldBatcher(): FieldBatcher {
  const open = new Map<object, Batch<unknown, unknown>>();
  return {
    async add<Item, Answer>(key: object, item: Item, read: (items: Item[]) => Promise<Answer[]>) {
      let batch = open.get(key) as Batch<Item, Answer> | undefined;
      if (batch === undefined) {
        const { items, answers } = { items: [] as Item[], answers: Promise.withResolvers<Answer[]>() };
        batch = { items, answers };
        open.set(key, batch as Batch<unknown, unknown>);
        // Waits for all promises that are already resolved, so that rows of several pages share a batch.
        void Promise.resolve().then(() =>
          process.nextTick(() => {
            open.delete(key);
            read(items).then(answers.resolve, answers.reject);
          }),
        );
      }
      const index = batch.items.push(item) - 1;
      return (await batch.answers.promise)[index] as Answer;
    },
  };
}
