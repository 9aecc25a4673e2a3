/**
 * The server names the list of the home page in the page's head, so that browsers read it together with the code. Here it is taken
 * over, if it is what is asked for.
 */
export async function takeFirstPage<Page>(query: Record<string, unknown>): Promise<Page | undefined> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="preload"][as="fetch"]');
  if (link === null) return undefined;
  link.remove();
  const asked = new URL(link.href).searchParams;
  const wanted = Object.entries(query).filter(([, value]) => value !== undefined);
  const isSame =
    wanted.length === asked.size && wanted.every(([name, value]) => asked.get(name) === String(value));
  if (!isSame) return undefined;
  const response = await fetch(link.href).catch(() => undefined);
  return response?.ok === true ? ((await response.json()) as Page) : undefined;
}
