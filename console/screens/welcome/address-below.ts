/**
 * The address of a path below `/console/`.
 *
 * @returns null for anything else: a link must lead to no other place
 */
export function addressBelow(path: string | null): string | null {
  if (path === null || path === '') return null;
  const { origin, pathname, search } = new URL(`/console/${path}`, 'https://console.invalid');
  return origin === 'https://console.invalid' && /^\/console\/[^/\\]/.test(pathname) ? pathname + search : null;
}
