import { Processor } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { ModuleRef, NestFactory } from '@nestjs/core';
import { CAMPAIGN_DISPATCH } from '../../src/campaigns/campaigns.jobs.js';
import { splitConnections } from '../../src/config/connection-split.js';
import type { Environment } from '../../src/config/environment.js';
import type { IdsOf } from '../../src/manifest/job-kind.js';
import { Manifest } from '../../src/manifest/manifest.js';
import { ManifestModule } from '../../src/manifest/manifest.module.js';
import { JobQueue } from '../../src/queues/job-queue.js';
import { QueueProcessor, WORKER_OPTIONS } from '../../src/queues/queue.processor.js';
import { openQueueBackend } from '../../src/queues/queue-backend.js';
import { QueuesModule } from '../../src/queues/queues.module.js';
import { MANIFEST } from '../../src/rooms.js';
import { WEBHOOK_DRAIN } from '../../src/webhooks/webhooks.jobs.js';
import { freshDatabase } from '../support/database.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

/** The jobs that this suite's processors have run, and the gate that holds them. */
class Journal {
  readonly runs: string[] = [];
  gate: Promise<void> = Promise.resolve();
  failures = 0;
}

const journal = new Journal();

@Processor('campaigns', { ...WORKER_OPTIONS })
class RecordingCampaigns extends QueueProcessor<IdsOf<typeof CAMPAIGN_DISPATCH>> {
  constructor() {
    super(CAMPAIGN_DISPATCH);
  }

  protected async perform({ campaign_id }: IdsOf<typeof CAMPAIGN_DISPATCH>): Promise<void> {
    journal.runs.push(campaign_id);
    await journal.gate;
    if (journal.failures > 0) {
      journal.failures -= 1;
      throw new Error('made to fail');
    }
  }
}

@Processor('webhooks', { ...WORKER_OPTIONS })
class RecordingWebhooks extends QueueProcessor<IdsOf<typeof WEBHOOK_DRAIN>> {
  constructor() {
    super(WEBHOOK_DRAIN);
  }

  protected async perform({ endpoint_id }: IdsOf<typeof WEBHOOK_DRAIN>): Promise<void> {
    journal.runs.push(`drain ${endpoint_id}`);
  }
}

const BACKENDS = redisFound ? ['PostgreSQL', 'Redis'] : ['PostgreSQL'];
if (!redisFound) console.warn('redis-server is not on the PATH: testing the queues only on PostgreSQL');

describe.each(BACKENDS)('job queues on %s', (backendName) => {
  let redis: TestRedis | null = null;
  let environment: Environment;

  beforeAll(async () => {
    if (backendName === 'Redis') redis = await TestRedis.start();
    environment = {
      databaseDirectUrl: await freshDatabase(),
      connections: splitConnections(20, { worker: true, queuesInPostgres: 2 }),
      redisUrl: redis?.url ?? null,
    } as unknown as Environment;
  });
  afterAll(async () => redis?.stop());
  beforeEach(() => {
    journal.runs.length = 0;
    journal.gate = Promise.resolve();
    journal.failures = 0;
  });

  /** Wires queues and processors as a worker process does. */
  const start = async () => {
    @Module({ providers: [RecordingCampaigns, RecordingWebhooks] })
    class Processors {}
    @Module({})
    class Root {}
    const backend = await openQueueBackend(environment);
    const app = await NestFactory.createApplicationContext(
      {
        module: Root,
        imports: [ManifestModule.register(MANIFEST), QueuesModule.register(backend, MANIFEST), Processors],
      },
      { logger: false },
    );
    return {
      queue: new JobQueue(app.get(ModuleRef), app.get(Manifest)),
      close: () => app.close().finally(() => backend.close()),
    };
  };

  const dispatch = (queue: JobQueue, id: string, delayMs?: number) =>
    queue.enqueue(
      CAMPAIGN_DISPATCH,
      { account_id: 'a', campaign_id: id },
      { key: `${backendName}:${id}`, ...(delayMs === undefined ? {} : { delayMs }) },
    );

  it('runs each kind of job in the processor of its queue', async () => {
    const { queue, close } = await start();
    await dispatch(queue, 'one');
    await queue.enqueue(WEBHOOK_DRAIN, { account_id: 'a', endpoint_id: 'e' }, { key: `${backendName}:e` });
    await until('both have run', () => journal.runs.length === 2);
    expect([...journal.runs].sort()).toEqual(['drain e', 'one']);
    await close();
  });

  it('drops a job whose key is already waiting', async () => {
    const { queue, close } = await start();
    await dispatch(queue, 'later', 400);
    await dispatch(queue, 'later', 400);
    await dispatch(queue, 'later', 400);
    await until('it has run', () => journal.runs.length > 0);
    await until('nothing is left', async () => (await queue.pending()) === 0);
    expect(journal.runs).toEqual(['later']);
    await close();
  });

  it('keeps one more job for a running key, and runs it afterwards', async () => {
    const { queue, close } = await start();
    let open = (): void => undefined;
    journal.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await dispatch(queue, 'busy');
    await until('it runs', () => journal.runs.length === 1);
    await dispatch(queue, 'busy');
    await dispatch(queue, 'busy');
    open();
    await until('it has run again', () => journal.runs.length === 2);
    await until('nothing is left', async () => (await queue.pending()) === 0);
    expect(journal.runs).toEqual(['busy', 'busy']);
    await close();
  });

  it('accepts a key again after its job failed', async () => {
    const { queue, close } = await start();
    journal.failures = 1;
    await dispatch(queue, 'fails');
    await until('it has failed', async () => journal.failures === 0 && (await queue.pending()) === 0);
    await dispatch(queue, 'fails');
    await until('it has run again', () => journal.runs.length === 2);
    await close();
  });

  it('finishes the running job on close, and starts no other', async () => {
    const { queue, close } = await start();
    let open = (): void => undefined;
    journal.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await dispatch(queue, 'last');
    await until('it runs', () => journal.runs.length === 1);
    const closed = close();
    open();
    await closed;
    expect(journal.runs).toEqual(['last']);
  });

  it('keeps queued jobs while no worker runs', async () => {
    const first = await start();
    await dispatch(first.queue, 'waits', 300);
    await first.close();
    expect(journal.runs).toEqual([]);
    const second = await start();
    await until('it has run', () => journal.runs.length === 1);
    await second.close();
  });
});
