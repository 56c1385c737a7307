import { effect, type Signal, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The theme of this browser. */
export const theme: Signal<Theme> = signal(THEMES.find((one) => one === kept('theme')) ?? 'system');
/** Whether single letters are shortcuts. */
export const shortcuts: Signal<boolean> = signal(kept('shortcuts') !== 'off');

/** Applies the preferences to the page, and keeps them in this browser from now on. */
export function applyPreferences(): void {
  effect(() => {
    const { dataset } = document.documentElement;
    if (theme.value === 'system') delete dataset['theme'];
    else dataset['theme'] = theme.value;
    keep('theme', theme.value);
  });
  effect(() => keep('shortcuts', shortcuts.value ? 'on' : 'off'));
}

/** Browsers can be set to refuse storage. */
function kept(name: string): string | null {
  try {
    return localStorage.getItem(`parley.${name}`);
  } catch {
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`parley.${name}`, value);
  } catch {
    // Then it lasts as long as the page.
  }
}
