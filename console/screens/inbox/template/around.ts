const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;
/** How much of a line is shown on either side, characters. */
const REACH = 28;

/** What stands before and after a variable. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

/**
 * The words around a variable, as far as its line goes; other variables are dots. Null where it stands alone.
 *
 * @param name in lower case
 */
export function aroundOf(name: string, text: string): Around | null {
  const found = [...text.matchAll(VARIABLE)].find(([, variable = '']) => variable.toLowerCase() === name);
  if (found === undefined) return null;
  const { index } = found;
  const before = shown(text.slice(0, index).split('\n').at(-1) ?? '').trimStart();
  const after = shown(text.slice(index + found[0].length).split('\n')[0] ?? '').trimEnd();
  if (before === '' && after === '') return null;
  return {
    before: before.length > REACH ? `…${before.slice(-REACH).replace(/^\S*\s/, '')}` : before,
    after: after.length > REACH ? `${after.slice(0, REACH).replace(/\s\S*$/, '')} …` : after,
  };
}

const shown = (text: string): string => text.replace(VARIABLE, '…');
