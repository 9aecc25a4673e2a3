import { t } from "../language/messages.ts";
import { Icon } from "./icons.tsx";

export function VerifiedMark() {
  return (
    <span class="verified" title={t.common.registeredByCreator}>
      <Icon name="verified" />
      <span class="visually-hidden">{t.common.registeredByCreator}</span>
    </span>
  );
}
