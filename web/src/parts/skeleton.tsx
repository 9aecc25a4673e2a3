/** A page that is on its way: it takes the room that it will need. */
export function PageSkeleton() {
  return (
    <div class="page-skeleton" role="status">
      <span class="visually-hidden">Loading</span>
      <div class="skeleton" />
      <div class="skeleton is-tall" />
    </div>
  );
}
