/** How the operator presents the explorer. The server puts it into the page's head. */
type Brand = {
  name: string;
  /** The path of the operator's own logo. */
  logo?: string;
  links: { label: string; url: string }[];
  termsUrl?: string;
  privacyUrl?: string;
};

export const brand: Brand = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content ?? "{}",
);
