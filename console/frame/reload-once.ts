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
  if (noted() === version) return false;
  // Without a connection, a new page would be an empty one.
  const answer = await fetch('/console/', { method: 'HEAD' }).catch(() => null);
  if (answer?.ok !== true) return false;
  if (!note(version)) return false;
  location.reload();
  return true;
}

/** The version for which the page was loaded again. Browsers can be set to refuse storage. */
function noted(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Without a note it might go on for ever. */
function note(version: string): boolean {
  try {
    sessionStorage.setItem(KEY, version);
    return true;
  } catch {
    return false;
  }
}
