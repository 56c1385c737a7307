import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { type Ledger, ledgersOf } from '../database/schema/ledgers.js';
import { SQLSTATE, sqlStateOf } from '../database/sql/sqlstate.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Manifest } from '../manifest/manifest.js';
import { JobQueue } from '../queues/job-queue.js';
import { Shutdown } from '../runtime/shutdown.js';
import { MINUTE } from '../values/clock.js';
import { endsWithin } from '../values/ends-within.js';
import { OncePer } from '../values/once-per.js';

/** Milliseconds within which the database must answer. */
const DATABASE_TIMEOUT_MS = 2000;
/** Milliseconds within which the queue must answer. Short, because readiness does not depend on it. */
const QUEUE_TIMEOUT_MS = 500;
/** How often a log line says why the process is not ready, milliseconds. */
const LOG_EVERY_MS = MINUTE;

type CheckResult = 'ok' | 'unavailable' | 'outdated';

/** Whether a process is ready, and the state of its dependencies. */
export interface Readiness {
  readonly status: 'ok' | 'unavailable' | 'stopping';
  /** What the operator should mend; absent when there is nothing. */
  readonly warnings?: readonly string[];
  /** Absent while the process is stopping. */
  readonly checks?: Readonly<Record<'database' | 'schema' | 'queue', CheckResult>>;
}

/** Checks whether this process is ready. */
@Injectable()
export class Health {
  private readonly logger = new Logger(Health.name);
  private readonly logLines = new OncePer(LOG_EVERY_MS);
  /** The check in flight. Callers need no key, so however many ask, there is only one. */
  private checking: Promise<Readiness> | null = null;
  private readonly ledgers: readonly Ledger[];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: JobQueue,
    private readonly shutdown: Shutdown,
    private readonly server: HttpAdapterHost,
    manifest: Manifest,
  ) {
    this.ledgers = ledgersOf(manifest);
  }

  /**
   * A process is ready when its database answers with the required schema and it is not stopping. The queue is only
   * reported: while it is unavailable, requests are still answered and work waits in the tables.
   */
  async readiness(): Promise<Readiness> {
    if (this.shutdown.isStopping) return { status: 'stopping' };
    this.checking ??= this.check().finally(() => {
      this.checking = null;
    });
    return this.checking;
  }

  private async check(): Promise<Readiness> {
    const [schema, queue] = await Promise.all([this.schema(), this.queueAnswers()]);
    const checks = { database: schema === 'unavailable' ? 'unavailable' : 'ok', schema, queue } as const;
    const { warnings } = this.server.httpAdapter.getInstance<FastifyInstance>().undeclaredProxy;
    return { status: schema === 'ok' ? 'ok' : 'unavailable', checks, ...(warnings.length > 0 && { warnings }) };
  }

  private async schema(): Promise<CheckResult> {
    let result: CheckResult = 'unavailable';
    const check = async () => {
      result = (await this.knowsAllMigrations()) ? 'ok' : 'outdated';
    };
    const reason = await endsWithin(check(), DATABASE_TIMEOUT_MS).then(
      (inTime) => (inTime ? null : `no answer within ${DATABASE_TIMEOUT_MS} ms`),
      (error: Error) => error.message,
    );
    if (reason !== null && this.logLines.allows('database')) this.logger.warn(`the database is unavailable: ${reason}`);
    return result;
  }

  /** A newer schema is fine: during a rollout, the old release keeps serving. */
  private async knowsAllMigrations(): Promise<boolean> {
    const tx = this.unitOfWork.control;
    try {
      for (const { table, migrations } of this.ledgers) {
        const row = await tx.row<{ applied: number }>(
          `SELECT count(*)::integer AS applied FROM ${table} WHERE name = ANY($1::text[])`,
          [migrations.map(({ name }) => name)],
        );
        if (row?.applied !== migrations.length) return false;
      }
      return true;
    } catch (error) {
      if (sqlStateOf(error) === SQLSTATE.undefinedTable) return false;
      throw error;
    }
  }

  private async queueAnswers(): Promise<CheckResult> {
    return (await endsWithin(this.queue.ping(), QUEUE_TIMEOUT_MS).catch(() => false)) ? 'ok' : 'unavailable';
  }
}
