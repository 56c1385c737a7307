import path from 'node:path';
import pg from 'pg';
import { observeStatements } from '../../src/database/connections/preparing-client.js';
import { guardFailure } from './guard-failure.js';
import { isPipelineStatement, normalise, unguardedTables } from './tenancy-scanner.js';

const ROOT = path.resolve(__dirname, '../..');

/** The sender of a statement, according to the stack trace. */
type Sender = 'product' | 'test' | 'unknown';

/**
 * Observes every statement that Parley sends in this jest worker, and collects those that touch a tenant table without
 * naming the account. Statements sent by the tests themselves are exempt.
 */
export class TenancyRecorder {
  /** The recorder of this test file. */
  static current: TenancyRecorder | null = null;

  private readonly judged = new Map<string, 'guarded' | 'unguarded'>();
  private readonly sentByTests = new Set<string>();
  private readonly offending = new Set<string>();

  /** Observes until the end of this test file. */
  static start(): TenancyRecorder {
    const recorder = new TenancyRecorder();
    TenancyRecorder.current = recorder;
    observeStatements((text) => recorder.see(text));
    // A pool sends once it has a connection, when the caller is no longer on the stack, so observe the call itself too.
    const { query } = pg.Pool.prototype;
    pg.Pool.prototype.query = function (this: pg.Pool, ...args: unknown[]) {
      if (typeof args[0] === 'string') recorder.see(args[0]);
      return Reflect.apply(query, this, args);
    } as typeof query;
    return recorder;
  }

  /** Whether a statement starting with `beginning` was sent. */
  hasSeen(beginning: string): boolean {
    return [...this.judged.keys()].some((text) => normalise(text).startsWith(beginning));
  }

  /** @throws Error that lists the offending statements */
  verify(): void {
    if (this.offending.size === 0) return;
    const shown = [...this.offending].map((text) => `  ${unguardedTables(text).join(', ')}: ${normalise(text)}`);
    throw guardFailure(
      `statements that touch tenant tables without account_id (docs/architecture.md, “Tenancy”):\n${shown.join('\n')}`,
    );
  }

  private see(text: string): void {
    if (this.judge(text) === 'guarded') return;
    const sender = senderOf(stackFiles());
    if (sender === 'test') this.sentByTests.add(text);
    else if (sender === 'product' || !this.sentByTests.has(text)) this.offending.add(text);
  }

  private judge(text: string): 'guarded' | 'unguarded' {
    const known = this.judged.get(text);
    if (known !== undefined) return known;
    const verdict = unguardedTables(text).length === 0 || isPipelineStatement(text) ? 'guarded' : 'unguarded';
    this.judged.set(text, verdict);
    return verdict;
  }
}

/** The innermost file decides, except src/database, which only passes statements on. */
export function senderOf(files: readonly string[]): Sender {
  for (const file of files) {
    const [top, room] = path.relative(ROOT, file).split(path.sep);
    if ((top === 'src' && room !== 'database') || top === 'sandbox') return 'product';
    if ((top === 'test' && !file.startsWith(__filename)) || top === 'migrations') return 'test';
  }
  return 'unknown';
}

/** The files on the current stack, innermost first, including awaiting callers. */
function stackFiles(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 100;
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
    return new Error().stack as unknown as string[];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}
