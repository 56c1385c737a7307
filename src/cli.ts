import 'reflect-metadata';
import { text } from 'node:stream/consumers';
import { runCli } from './cli/run-cli.js';

// The reader of the output, such as `head`, has closed the pipe. Commands that need to clean up listen for SIGTERM.
let isEnding = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!isEnding && !process.emit('SIGTERM')) process.exit(error.code === 'EPIPE' ? 0 : 1);
  isEnding = true;
});
process.exitCode = await runCli(
  process.argv.slice(2),
  process.env,
  {
    isTerminal: process.stdout.isTTY,
    out: (written) => process.stdout.write(written),
    err: (written) => process.stderr.write(written),
  },
  () => text(process.stdin),
);
