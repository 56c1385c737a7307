import { rmSync } from 'node:fs';
import path from 'node:path';
import { writePrivateJson } from './private-file.js';
import type { SeededAccount } from './sandbox-seed.js';

/** `DATA_DIR/sandbox.json`: everything a script needs to use a running sandbox. */
export interface SandboxFile extends SeededAccount {
  readonly base_url: string;
  /** Signs the owner in at the console, once; null without a console. */
  readonly console_link: string | null;
  /** null when NETWORK_BASE_URL points to another network. */
  readonly simulator_url: string | null;
  readonly database_url: string;
  readonly network_app_secret: string;
  readonly network_verify_token: string;
  /** Process id of the service. */
  readonly pid: number;
  readonly simulator_pid: number | null;
}

export function sandboxFilePath(dataDir: string): string {
  return path.join(dataDir, 'sandbox.json');
}

/** Scripts wait for this file: it appears once the service accepts requests. */
export function writeSandboxFile(dataDir: string, content: SandboxFile): void {
  writePrivateJson(sandboxFilePath(dataDir), content);
}

/** Deletes the file of an earlier run, which must not be mistaken for this one's. */
export function forgetSandboxFile(dataDir: string): void {
  rmSync(sandboxFilePath(dataDir), { force: true });
}
