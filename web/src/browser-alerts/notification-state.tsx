import { t } from "../language/messages.ts";
import { askPermission, permission } from "./notification.ts";

/** Whether the browser shows notifications, and a button that asks for the permission. */
export function NotificationState() {
  if (permission.value === "default") {
    return (
      <button type="button" class="button" onClick={() => void askPermission()}>
        {t.alerts.allowNotifications}
      </button>
    );
  }
  return <p class="field-hint">{t.alerts.notifications[permission.value]}</p>;
}
