import 'reflect-metadata';
import { createParley } from './bootstrap.js';
import { loadEnvironment } from './config/environment.js';
import { startFailure } from './config/start-failure.js';

try {
  const environment = loadEnvironment();
  const parley = await createParley(environment);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      void parley.close().then(() => process.exit(0));
    });
  }
  const url = await parley.listen();
  process.stdout.write(url === '' ? 'Parley works its queues\n' : `Parley listens on ${url}\n`);
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
}
