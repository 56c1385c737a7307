import path from 'node:path';
import type { SandboxFile } from './sandbox-file.js';

/** What a newcomer reads when the sandbox is up; each command works as pasted. */
export function nextSteps(sandbox: SandboxFile, dataDir: string): string {
  const near = path.relative('', dataDir);
  const file = path.join(near.startsWith('..') ? dataDir : near, 'sandbox.json');
  const authorization = `-H 'Authorization: Bearer ${sandbox.api_key}'`;
  const lines = [
    `Parley is running at ${sandbox.base_url} (process ${sandbox.pid}).`,
    '',
    '  Try it:',
    '',
    `    curl -sS ${sandbox.base_url}/api/v1/business-phones/ ${authorization}`,
    '',
    `  The API      ${sandbox.base_url}/docs`,
    ...(sandbox.simulator_url ? [`  The network  ${sandbox.simulator_url} (simulated; see /_sim/ledger)`] : []),
    `  All of this  ${file}`,
    '',
    '  Ctrl-C stops it; starting again continues with the same data. README.md has a five-minute tour.',
  ];
  return lines.join('\n');
}
