import { LockHeldError, lockDataDirectory } from './lock.mjs';

/** Locks the data directory for this process, or exits with a clear message. */
export function holdDataDirectory(dataDir) {
  try {
    return lockDataDirectory(dataDir);
  } catch (error) {
    if (error instanceof LockHeldError) {
      console.error(
        `Parley is already running in ${dataDir} (process ${error.pid}); stop it, or set another DATA_DIR.`,
      );
    } else {
      console.error(`Cannot use the data directory ${dataDir}: ${error.message}`);
    }
    process.exit(1);
  }
}
