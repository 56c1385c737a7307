/** What is checked when all tests of a file have run; each check throws what is wrong. */
export const FILE_CHECKS: (() => void)[] = [];
