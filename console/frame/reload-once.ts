const KEY = 'parley.reloaded';

/**
 * Loads the page again when one of its files is missing, because this page is of another version than the process that
 * answers. Once for each version: a second time, the fault is another one.
 *
 * @returns whether the page is being left
 */
export async function reloadOnce(): Promise<boolean> {
  // The name of this very file has the version in it.
  const version = import.meta.url;
  if (sessionStorage.getItem(KEY) === version) return false;
  // Without a connection, a new page would be an empty one.
  const answer = await fetch('/console/', { method: 'HEAD' }).catch(() => null);
  if (answer?.ok !== true) return false;
  sessionStorage.setItem(KEY, version);
  location.reload();
  return true;
}
