// Takes a data directory for this process, or ends it with one clear line.
import { LockHeldError, lockDataDirectory } from './lock.mjs';

export function holdDataDirectory(dataDir) {
  try {
    return lockDataDirectory(dataDir);
  } catch (error) {
    if (error instanceof LockHeldError) {
      console.error(
        `Parley is already running in ${dataDir} (process ${error.pid}); stop it, or set another DATA_DIR.`,
      );
    } else {
      console.error(`The data directory ${dataDir} cannot be used: ${error.message}`);
    }
    process.exit(1);
  }
}
