import { Injectable } from '@nestjs/common';
import { MIGRATION_NAMES } from '../database/schema/schema-state.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { JobQueue } from '../queues/job-queue.js';
import { endsWithin, Shutdown } from '../runtime/shutdown.js';

/** A database that does not answer within this many milliseconds counts as down. */
const DATABASE_PATIENCE_MS = 2000;
/** Nobody's answer depends on the queue, so nobody waits long for it, milliseconds. */
const QUEUE_PATIENCE_MS = 500;

type CheckResult = 'ok' | 'unavailable' | 'outdated';

/** Whether a process can do its work, and what each of its dependencies says. */
export interface Readiness {
  readonly status: 'ok' | 'unavailable' | 'stopping';
  /** Absent while the process is stopping: nothing depends on them any more. */
  readonly checks?: Readonly<Record<'database' | 'schema' | 'queue', CheckResult>>;
}

/** Finds out whether this process can do its work. */
@Injectable()
export class Health {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: JobQueue,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * Ready is a process whose database answers and has the schema that it needs, and that is not stopping. The queue is
   * shown and decides nothing: while it is away, requests are answered and work waits in the tables.
   */
  async readiness(): Promise<Readiness> {
    if (this.shutdown.isStopping) return { status: 'stopping' };
    const [schema, queue] = await Promise.all([this.schema(), this.queueAnswers()]);
    const checks = { database: schema === 'unavailable' ? 'unavailable' : 'ok', schema, queue } as const;
    return { status: schema === 'ok' ? 'ok' : 'unavailable', checks };
  }

  private async schema(): Promise<CheckResult> {
    let result: CheckResult = 'unavailable';
    const look = async () => {
      result = (await this.knowsAllMigrations()) ? 'ok' : 'outdated';
    };
    await endsWithin(look(), DATABASE_PATIENCE_MS).catch(() => false);
    return result;
  }

  /** A newer schema will do: while a release is rolled out, the old one goes on serving. */
  private async knowsAllMigrations(): Promise<boolean> {
    const tx = this.unitOfWork.control;
    try {
      const row = await tx.row<{ applied: number }>(
        'SELECT count(*)::integer AS applied FROM schema_migrations WHERE name = ANY($1::text[])',
        [MIGRATION_NAMES],
      );
      return row?.applied === MIGRATION_NAMES.length;
    } catch (error) {
      if ((error as { code?: string }).code === UNDEFINED_TABLE) return false;
      throw error;
    }
  }

  private async queueAnswers(): Promise<CheckResult> {
    return (await endsWithin(this.queue.ping(), QUEUE_PATIENCE_MS).catch(() => false)) ? 'ok' : 'unavailable';
  }
}

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';
