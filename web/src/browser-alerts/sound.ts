import { persisted } from "../data/settings.ts";
import { readStored } from "../data/storage.ts";

const storageKey = "alert-sound";

/** Whether alerts of this browser are heard. */
export const alertSound = persisted(storageKey, ["off", "on"]);

/** Beeps if the visitor has chosen so, also in another tab. Browsers keep a tab silent in which nothing has been clicked. */
export function beep(): void {
  if ((readStored(storageKey) ?? alertSound.peek()) === "off") return;
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
