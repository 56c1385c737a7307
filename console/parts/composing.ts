/** What browsers that end a composition before its last key say in place of that key. */
const PROCESSED = 229;

/**
 * Whether a key belongs to the composition of a character, as people write Chinese or Japanese: its Enter, Escape and
 * arrows mean the candidates, and nothing on the page.
 */
export const isComposing = ({ isComposing: composes, keyCode }: KeyboardEvent): boolean =>
  composes || keyCode === PROCESSED;
