/** What every program of a test inherits, and nothing else. By TMPDIR it is found if the test leaves it behind. */
export const inherited = (): Readonly<Record<string, string>> => {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env;
  return { PATH, HOME, TMPDIR };
};
