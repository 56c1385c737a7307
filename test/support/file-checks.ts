/** Checks that run after all tests of a file; each throws what is wrong. */
export const FILE_CHECKS: (() => void)[] = [];
