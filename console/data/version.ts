import { signal } from '@preact/signals';

/** Whether the service has another version of the console than this page is of. */
export const isOutdated = signal(false);

/** The name of the script of this page, which changes with its content. */
const own = /main-\w+\.js/.exec(document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '')?.[0];

/** Notes which version the service has; null when it serves none. */
export function noteVersion(version: string | null): void {
  isOutdated.value = version !== null && own !== undefined && version !== own;
}

const unsaved: (() => boolean)[] = [];

/**
 * Keeps the page while it has something that would be lost: it is not loaded again by itself, and the browser asks before
 * it is left.
 */
export function keepPageWhile(hasUnsaved: () => boolean): void {
  if (unsaved.length === 0) addEventListener('beforeunload', ask);
  unsaved.push(hasUnsaved);
}

function ask(event: BeforeUnloadEvent): void {
  if (!hasNothingUnsaved()) event.preventDefault();
}

/** Whether the page may be loaded again without losing anything. */
export const hasNothingUnsaved = (): boolean => !unsaved.some((hasUnsaved) => hasUnsaved());
