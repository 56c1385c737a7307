import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import { splitConnections } from '../../src/config/connection-split.js';
import { openQueueBackend } from '../../src/queues/queue-backend.js';
import { workerDatabase } from '../support/database.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { eventually, until } from '../support/until.js';

describe('queues on PostgreSQL', () => {
  it('recover when the database was down as they were opened', async () => {
    const databaseUrl = await workerDatabase();
    const proxy = await TcpProxy.start(databaseUrl);
    const backend = await openQueueBackend({
      redisUrl: null,
      databaseDirectUrl: proxy.through(databaseUrl),
      connections: splitConnections(20, { worker: true, queuesInPostgres: 2 }),
    });
    proxy.refuse();
    proxy.cut('reset');
    const name = `test-${randomUUID()}`;
    const options = { connection: backend.connection as never, runRetryDelay: 100 };
    const done: string[] = [];
    const worker = new backend.workerClass(name, async ({ name: job }: Job) => void done.push(job), options);
    worker.on('error', () => undefined);
    const queue = new backend.queueClass(name, options);
    queue.on('error', () => undefined);
    try {
      await expect(queue.add('lost', {})).rejects.toThrow();
      await proxy.heal();
      // A connection of before may not have noticed yet that it is broken.
      await eventually(async () => {
        await queue.add('kept', {});
      });
      await until('the worker works', () => done.length > 0);
      expect(new Set(done)).toEqual(new Set(['kept']));
    } finally {
      await worker.close();
      await queue.close();
      await backend.close();
      await proxy.stop();
    }
  });
});
