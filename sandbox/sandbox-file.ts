import { rmSync } from 'node:fs';
import path from 'node:path';
import { writePrivateJson } from './private-file.js';
import type { SeededAccount } from './sandbox-seed.js';

/** `DATA_DIR/sandbox.json`: everything that a script needs to use a running sandbox. */
export interface SandboxFile extends SeededAccount {
  readonly base_url: string;
  /** null when NETWORK_BASE_URL names another network. */
  readonly simulator_url: string | null;
  readonly database_url: string;
  readonly network_app_secret: string;
  readonly network_verify_token: string;
  /** The service. */
  readonly pid: number;
  readonly simulator_pid: number | null;
}

export function sandboxFilePath(dataDir: string): string {
  return path.join(dataDir, 'sandbox.json');
}

/** Its appearance says that the service answers. */
export function writeSandboxFile(dataDir: string, content: SandboxFile): void {
  writePrivateJson(sandboxFilePath(dataDir), content);
}

/** What a former run wrote must not be taken for this one's. */
export function forgetSandboxFile(dataDir: string): void {
  rmSync(sandboxFilePath(dataDir), { force: true });
}
