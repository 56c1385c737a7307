import 'reflect-metadata';
import { runCli } from './cli/run-cli.js';

// Whoever read the output, such as head, has seen enough. A command that has something to tidy up listens to SIGTERM.
let isEnding = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!isEnding && !process.emit('SIGTERM')) process.exit(error.code === 'EPIPE' ? 0 : 1);
  isEnding = true;
});
process.exitCode = await runCli(process.argv.slice(2), process.env, {
  isTerminal: process.stdout.isTTY,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
