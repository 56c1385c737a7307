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

/** Keeps the page from being loaded again by itself while it has something that would be lost. */
export const keepPageWhile = (hasUnsaved: () => boolean): void => void unsaved.push(hasUnsaved);

/** Whether the page may be loaded again without losing anything. */
export const hasNothingUnsaved = (): boolean => !unsaved.some((hasUnsaved) => hasUnsaved());
