import { hasNothingUnsaved } from '../data/version.js';

const KEY = 'parley.reloaded';
/** The name of this very file has the version in it. */
const VERSION = import.meta.url;

/**
 * Loads the page again when one of its files is missing, because this page is of another version than the process that
 * answers. Once for each version: a second time, the fault is another one. A page on which somebody has written
 * something stays: they are told, and load it again themselves.
 *
 * @returns whether the page is being left
 */
export async function reloadOnce(): Promise<boolean> {
  if (noted() === VERSION || !hasNothingUnsaved()) return false;
  // Without a connection, a new page would be an empty one.
  const answer = await fetch('/console/', { method: 'HEAD' }).catch(() => null);
  if (answer?.ok !== true) return false;
  if (!hasNothingUnsaved() || !note(VERSION)) return false;
  location.reload();
  return true;
}

/** Whether the page may be loaded again for a new version, which it then has to be. Once for each version. */
export const mayReload = (): boolean => noted() !== VERSION && note(VERSION);

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
