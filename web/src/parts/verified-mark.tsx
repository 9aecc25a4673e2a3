import { Icon } from "./icons.tsx";

export function VerifiedMark() {
  return (
    <span class="verified" title="Registered by its creator">
      <Icon name="verified" />
      <span class="visually-hidden">registered by its creator</span>
    </span>
  );
}
