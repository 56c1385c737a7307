import path from 'node:path';
import type { SandboxFile } from './sandbox-file.js';

/** The message shown once the sandbox is up; its commands can be pasted as they are. */
export function nextSteps(sandbox: SandboxFile, dataDir: string): string {
  const near = path.relative('', dataDir);
  const file = path.join(near.startsWith('..') ? dataDir : near, 'sandbox.json');
  const authorization = `-H 'Authorization: Bearer ${sandbox.api_key}'`;
  const lines = [
    `Parley is running at ${sandbox.base_url} (process ${sandbox.pid}).`,
    '',
    ...(sandbox.console_link === null ? [] : consoleLines(sandbox.console_link, sandbox)),
    '  Try it:',
    '',
    `    curl -sS ${sandbox.base_url}/api/v1/business-phones/ ${authorization}`,
    '',
    `  API docs  ${sandbox.base_url}/docs`,
    ...(sandbox.simulator_url ? [`  Network   ${sandbox.simulator_url} (simulated; see /_sim/ledger)`] : []),
    `  Settings  ${file}`,
    '',
    '  Ctrl-C stops it; the next start continues with the same data. README.md has a five-minute tour.',
  ];
  return lines.join('\n');
}

const consoleLines = (link: string, { base_url }: SandboxFile): string[] => [
  `  Console   ${link}`,
  `            signs you in once; from then on ${base_url}/console/ leads there`,
  '',
];
