type Batch<Item, Answer> = { items: Item[]; answers: PromiseWithResolvers<Answer[]> };

/** Collects what the rows of one list ask for, so that it is read at once. */
export type Batches = {
  /**
   * @param key the same for those that belong together
   * @param read gets all items that came in the same turn, and answers in their order
   */
  add<Item, Answer>(key: object, item: Item, read: (items: Item[]) => Promise<Answer[]>): Promise<Answer>;
};

/** For one query. */
export function createBatches(): Batches {
  const open = new Map<object, Batch<unknown, unknown>>();
  return {
    async add<Item, Answer>(key: object, item: Item, read: (items: Item[]) => Promise<Answer[]>) {
      let batch = open.get(key) as Batch<Item, Answer> | undefined;
      if (batch === undefined) {
        const { items, answers } = { items: [] as Item[], answers: Promise.withResolvers<Answer[]>() };
        batch = { items, answers };
        open.set(key, batch as Batch<unknown, unknown>);
        // After all promises that are resolved by now: the rows of several pages come together.
        void Promise.resolve().then(() =>
          process.nextTick(() => {
            open.delete(key);
            read(items).then(answers.resolve, answers.reject);
          }),
        );
      }
      const place = batch.items.push(item) - 1;
      return (await batch.answers.promise)[place] as Answer;
    },
  };
}
