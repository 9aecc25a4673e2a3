import { signal } from "@preact/signals";
import { persisted } from "../data/settings.ts";
import { readStored } from "../data/storage.ts";
import { displayName } from "../format/text.ts";
import { t } from "../language/messages.ts";
import { navigate } from "../routing/router.ts";
import type { BrowserAlert } from "./alert.ts";
import { alertPath, alertWords } from "./alerts.ts";

/** `none` where pages have no notifications: in Safari on iOS, without https, and in Chrome on Android, where only service workers do. */
type Permission = NotificationPermission | "none";

const isChromeOnAndroid = /Android.*Chrome/.test(navigator.userAgent);

const now = (): Permission =>
  "Notification" in window && !isChromeOnAndroid ? Notification.permission : "none";

const permission = signal<Permission>(now());

/** Asks for the permission, unless the visitor has answered before. Browsers want this to follow a click. */
export async function askPermission(): Promise<void> {
  if (now() === "default") await Notification.requestPermission();
  permission.value = now();
}

/** Shows an alert as a notification. Returns whether it could. */
export function notify(alert: BrowserAlert): boolean {
  if (now() !== "granted") return false;
  try {
    const notification = new Notification(displayName(alert.name), { body: alertWords(alert) });
    notification.onclick = () => {
      window.focus();
      navigate(alertPath(alert));
      notification.close();
    };
    return true;
  } catch {
    // Another browser that allows them to service workers only.
    return false;
  }
}

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

const soundKey = "alert-sound";

/** Whether alerts of this browser are heard. */
export const alertSound = persisted(soundKey, ["off", "on"]);

/** Beeps if the visitor has chosen so, also in another tab. Browsers keep a tab silent in which nothing has been clicked. */
export function beep(): void {
  if ((readStored(soundKey) ?? alertSound.peek()) === "off") return;
  const context = new AudioContext();
  // In a silent tab, the tone never ends.
  setTimeout(() => void context.close(), 1_000);
  const tone = context.createOscillator();
  const volume = context.createGain();
  volume.gain.value = 0.1;
  tone.frequency.value = 880;
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.25);
}
