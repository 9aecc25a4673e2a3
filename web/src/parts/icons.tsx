import type { ButtonHTMLAttributes } from "preact";
import { t } from "../language/messages.ts";

/** Icons of one size and stroke. They are decoration: their meaning is in the text beside them or in the button's label. */
const paths = {
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm9 16-4.1-4.1",
  copy: "M9 9h10v11H9zM5 15V4h10",
  check: "m5 12.5 4.5 4.5L19 7.5",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  cards: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  rows: "M4 6h16M4 12h16M4 18h16",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  holders:
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM3 20c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5M16 5.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .8 3 2.600 3 5",
  trades: "M7 4v14M7 18l-3-3M7 4 4 7M17 20V6M17 6l3 3M17 6l-3 3",
  verified:
    "M12 3 4.500 6v5.500c0 4.500 3 7.800 7.500 9.500 4.500-1.700 7.500-5 7.500-9.500V6Zm-3.200 9 2.200 2.200 4.200-4.400",
  wallet: "M4 7h15v12H4zM4 7l11-3v3M15.500 13h.1",
  arrow: "M4 12h15M13 6l6 6-6 6",
  close: "m6 6 12 12M18 6 6 18",
  warning: "M12 4 2.500 20h19ZM12 10v5M12 17.500v.1",
  web: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  x: "M5 5l14 14M19 5 5 19M5 5h3l11 14h-3Z",
  telegram: "m3 11 18-7-3 16-6-4-3 3v-5l9-7",
  star: "m12 3.500 2.600 5.500 6 .8-4.400 4.200 1.100 6L12 17.100 6.700 20l1.100-6L3.400 9.800l6-.8Z",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15ZM10 21h4M12 5V3",
  again: "M20 12a8 8 0 1 1-2.500-5.800M18 2v4.500h-4.500",
  filter: "M4 6h16M7 12h10M10 18h4",
  bolt: "M13 3 5 14h6l-1 7 8-11h-6Z",
  pause: "M9 6v12M15 6v12",
  expand: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  share: "M12 15V3M8 7l4-4 4 4M5 12v8h14v-8",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { icon: IconName; label: string };

/** A button with nothing but an icon on it. */
export function IconButton({ icon, label, ...button }: IconButtonProps) {
  return (
    <button type="button" class="icon-button" aria-label={label} {...button}>
      <Icon name={icon} />
    </button>
  );
}

export function VerifiedMark() {
  return (
    <span class="verified" title={t.common.registeredByCreator}>
      <Icon name="verified" />
      <span class="visually-hidden">{t.common.registeredByCreator}</span>
    </span>
  );
}
