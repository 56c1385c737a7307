import path from 'node:path';

/** The folders of tests: that of Parley, and those of extensions. */
const foldersOf = ({ rootDir, globals }) =>
  [path.join(rootDir, 'test'), ...globals.EXTENSIONS.map(({ folder }) => path.join(folder, 'tests'))].map(
    (folder) => folder + path.sep,
  );

/** Whether a test file is in a folder of tests, not a unit test beside the code. @param config that of jest's project */
export const isInTests = (file, config) => foldersOf(config).some((folder) => file.startsWith(folder));

/** Whether a module belongs to the tests in such folders; what they all use, in test/support, does not. */
export const isOfTests = (file, config) =>
  isInTests(file, config) && !file.startsWith(path.join(config.rootDir, 'test/support') + path.sep);
