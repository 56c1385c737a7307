import 'reflect-metadata';
import { runCli } from './cli/run-cli.js';

// Whoever read the output, such as head, has seen enough.
process.stdout.once('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runCli(process.argv.slice(2), process.env, {
  isTerminal: process.stdout.isTTY,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
