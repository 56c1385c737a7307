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
  let stops: (() => Promise<void>)[] = [];
  /** Lets the jobs that the gate holds end. */
  let open = (): void => undefined;
  const holdJobs = (): void => {
    journal.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
  };
  beforeEach(() => {
    stops = [];
    journal.runs.length = 0;
    journal.gate = Promise.resolve();
    journal.failures = 0;
  });
  afterEach(async () => {
    open();
    for (const stop of stops) await stop();
  });

  /** Wires queues and, unless it is told not to, processors as a worker process does. */
  const start = async ({ worker = true } = {}) => {
    @Module({ providers: [RecordingCampaigns, RecordingWebhooks] })
    class Processors {}
    @Module({})
    class Root {}
    const backend = await openQueueBackend(environment);
    const app = await NestFactory.createApplicationContext(
      {
        module: Root,
        imports: [
          ManifestModule.register(MANIFEST),
          QueuesModule.register(backend, MANIFEST),
          ...(worker ? [Processors] : []),
        ],
      },
      { logger: false },
    );
    const stop = () => app.close().finally(() => backend.close());
    stops.push(stop);
    const close = () => {
      stops = stops.filter((each) => each !== stop);
      return stop();
    };
    return { queue: new JobQueue(app.get(ModuleRef), app.get(Manifest)), close };
  };

  /** Waits for the backend to answer: until then, a queue that is slow takes no other job. */
  const answered = async (queue: JobQueue, enqueued: Promise<void>): Promise<void> => {
    await enqueued;
    await until('the queue has answered', () => Reflect.get(queue, 'unanswered') === 0);
  };
  const dispatch = (queue: JobQueue, id: string, delayMs?: number) =>
    answered(
      queue,
      queue.enqueue(
        CAMPAIGN_DISPATCH,
        { account_id: 'a', campaign_id: id },
        { key: `${backendName}:${id}`, ...(delayMs === undefined ? {} : { delayMs }) },
      ),
    );

  it('runs each kind of job in the processor of its queue', async () => {
    const { queue } = await start();
    await dispatch(queue, 'one');
    const drain = { account_id: 'a', endpoint_id: 'e' };
    await answered(queue, queue.enqueue(WEBHOOK_DRAIN, drain, { key: `${backendName}:e` }));
    await until('both have run', () => journal.runs.length >= 2);
    expect([...journal.runs].sort()).toEqual(['drain e', 'one']);
  });

  it('drops a job whose key is already waiting', async () => {
    const { queue } = await start();
    let rounds = 0;
    const key = await until('the job still waits when its key has come three times', async () => {
      rounds += 1;
      const id = `later ${rounds}`;
      for (let time = 0; time < 3; time += 1) await dispatch(queue, id, 400 * rounds);
      return !journal.runs.includes(id) && id;
    });
    await until('it has run', () => journal.runs.includes(key));
    await until('nothing is left', async () => (await queue.pending()) === 0);
    expect(journal.runs.filter((run) => run === key)).toEqual([key]);
  });

  it('keeps one more job for a running key, and runs it afterwards', async () => {
    const { queue } = await start();
    holdJobs();
    await dispatch(queue, 'busy');
    await until('it runs', () => journal.runs.length >= 1);
    await dispatch(queue, 'busy');
    await dispatch(queue, 'busy');
    open();
    await until('it has run again', () => journal.runs.length >= 2);
    await until('nothing is left', async () => (await queue.pending()) === 0);
    expect(journal.runs).toEqual(['busy', 'busy']);
  });

  it('accepts a key again after its job failed', async () => {
    const { queue } = await start();
    journal.failures = 1;
    await dispatch(queue, 'fails');
    await until('it has failed', async () => journal.failures === 0 && (await queue.pending()) === 0);
    await dispatch(queue, 'fails');
    await until('it has run again', () => journal.runs.length >= 2);
  });

  it('finishes the running job on close, and starts no other', async () => {
    const { queue, close } = await start();
    holdJobs();
    await dispatch(queue, 'last');
    await until('it runs', () => journal.runs.length >= 1);
    const closed = close();
    open();
    await closed;
    expect(journal.runs).toEqual(['last']);
  });

  it('keeps queued jobs while no worker runs', async () => {
    const first = await start({ worker: false });
    await dispatch(first.queue, 'waits');
    await first.close();
    expect(journal.runs).toEqual([]);
    await start();
    await until('it has run', () => journal.runs.length >= 1);
    expect(journal.runs).toEqual(['waits']);
  });
});
