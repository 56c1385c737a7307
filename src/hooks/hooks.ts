import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Counter } from 'prom-client';
import type { DataSource } from 'typeorm';
import { type Database, type TransactionTx, type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { Manifest } from '../manifest/manifest.js';
import { Metrics } from '../runtime/metrics.js';
import { CampaignListener } from './campaign-listener.js';
import { ConversationListener } from './conversation-listener.js';
import { HookOver, HookTx } from './hook-tx.js';
import { InboundListener } from './inbound-listener.js';
import { PersonalDataSource } from './personal-data-source.js';

/** How long a hook may take, milliseconds. */
const MAX_HOOK_MS = 1000;

/** What a room may provide to take part in changes that the core makes. */
const KINDS = [InboundListener, ConversationListener, CampaignListener, PersonalDataSource];
type Kind = (typeof KINDS)[number];
export type Hook = InstanceType<Kind>;

const OF_DATABASE = new WeakMap<DataSource, Hooks>();

/** The hooks of the process that `tx` belongs to; null outside a composed process, such as in a bench. */
export const hooksOf = (db: Database): Hooks | null => OF_DATABASE.get(db.manager.dataSource) ?? null;

/** One call of a hook. */
export interface HookCall {
  readonly accountId: string;
  readonly hook: Hook;
  /** The name of the method that is called. */
  readonly method: string;
}

/**
 * Finds the hooks of all rooms, and runs each in a savepoint of the change's transaction: whatever a hook does, the
 * change stays possible.
 */
@Injectable()
export class Hooks implements OnModuleInit {
  private readonly logger = new Logger(Hooks.name);
  private readonly failures: Counter;
  private readonly found = new Map<Kind, Hook[]>(KINDS.map((kind) => [kind, []]));
  private readonly sourcesByName = new Map<string, PersonalDataSource>();
  private tables: ReadonlySet<string> = new Set();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly manifest: Manifest,
    private readonly unitOfWork: UnitOfWork,
    metrics: Metrics,
  ) {
    this.failures = metrics.counter({
      name: 'parley_hook_failures_total',
      help: 'Calls of hooks that failed or took too long; their own writes were undone, the change was not',
      labels: ['hook', 'class'],
    });
  }

  /** @throws Error when a room has two sources of personal data */
  onModuleInit(): void {
    const { dataSource } = this.unitOfWork.control.manager;
    const ofAccounts = dataSource.entityMetadatas.filter((each) => each.findColumnWithPropertyName('accountId'));
    this.tables = new Set(ofAccounts.map(({ tableName }) => tableName));
    const seen = new Set<unknown>();
    for (const { instance, host } of this.discovery.getProviders()) {
      if (seen.has(instance)) continue;
      seen.add(instance);
      for (const [kind, hooks] of this.found) if (instance instanceof kind) hooks.push(instance);
      if (instance instanceof PersonalDataSource) this.addSource(instance, host?.metatype);
    }
    OF_DATABASE.set(dataSource, this);
  }

  private addSource(source: PersonalDataSource, module: unknown): void {
    const room = this.manifest.rooms.find((each) => each === module);
    if (room === undefined) throw new Error(`${source.constructor.name} is not a provider of a room`);
    const name = this.manifest.nameOf(room);
    if (this.sourcesByName.has(name)) throw new Error(`the room ${name} has two sources of personal data`);
    this.sourcesByName.set(name, source);
  }

  /** The sources of personal data, by the names of their rooms. */
  get sources(): ReadonlyMap<string, PersonalDataSource> {
    return this.sourcesByName;
  }

  /** The hooks of one kind. */
  of<Listener extends Hook>(kind: abstract new () => Listener): readonly Listener[] {
    return (this.found.get(kind as unknown as Kind) ?? []) as unknown as Listener[];
  }

  /**
   * Runs one hook. What it throws is logged and counted, and undoes only what it wrote.
   *
   * @returns whether it succeeded, with what it returned
   */
  async run<T>(
    { accountId, hook, method }: HookCall,
    work: (tx: Tx) => Promise<T>,
    tx: TransactionTx,
  ): Promise<{ readonly result: T } | null> {
    const until = performance.now() + MAX_HOOK_MS;
    const timeout = settingOf(await tx.send('SAVEPOINT hook; SHOW statement_timeout'));
    const hookTx = HookTx.within(tx, { accountId, tables: this.tables, until });
    try {
      const result = await this.inTime(`${hook.constructor.name}.${method}`, () => work(hookTx));
      await hookTx.end();
      // What constraints put off is checked here, because a failing COMMIT would undo the change.
      await tx.send(
        `SET LOCAL statement_timeout = '${timeout}'; SET CONSTRAINTS ALL IMMEDIATE; RELEASE SAVEPOINT hook`,
      );
      return { result };
    } catch (error) {
      await hookTx.end();
      await tx.send('ROLLBACK TO SAVEPOINT hook; RELEASE SAVEPOINT hook');
      this.failed(`${hook.constructor.name}.${method}`, accountId, error);
      this.failures.inc({ hook: method, class: hook.constructor.name });
      if (performance.now() >= until) this.unitOfWork.yieldTurns(accountId);
      return null;
    }
  }

  /** Stops waiting at the deadline. What happens afterwards is only logged. */
  private async inTime<T>(name: string, work: () => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new HookOver(`it took longer than ${MAX_HOOK_MS / 1000} s`)), MAX_HOOK_MS);
    });
    const done = (async () => work())();
    try {
      return await Promise.race([done, late]);
    } catch (error) {
      done.catch((own: unknown) => {
        if (own !== error) this.logger.warn(`${name} failed after its deadline: ${String(own)}`);
      });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private failed(name: string, accountId: string, error: unknown): void {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    this.logger.error(`${name} failed for account ${accountId} and was undone: ${message}`, stack);
  }
}

/** The value of the SHOW that ends a list of statements. */
function settingOf(results: unknown): string {
  const [row] = (results as { rows: { statement_timeout: string }[] }[]).at(-1)?.rows ?? [];
  return row?.statement_timeout ?? '0';
}
