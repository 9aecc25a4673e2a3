/** The placeholder of a page that is loading, with about the same height. */
export function PageSkeleton() {
  return (
    <div class="page-skeleton" role="status">
      <span class="visually-hidden">Loading</span>
      <div class="skeleton" />
      <div class="skeleton is-tall" />
    </div>
  );
}
