import path from 'node:path';
import pg from 'pg';
import { observeStatements } from '../../src/database/connections/preparing-client.js';
import { TESTED_EXTENSIONS } from './extension-records.js';
import { guardFailure } from './guard-failure.js';
import { isPipelineStatement, normalise, unguardedTables } from './tenancy-scanner.js';

const ROOT = path.resolve(__dirname, '../..');

/** How many verdicts are kept. */
const MAX_JUDGED = 5000;

/** The sender of a statement, according to the stack trace. */
type Sender = 'product' | 'test' | 'unknown';

/**
 * Observes every statement that Parley sends in this jest worker, and collects those that touch a tenant table without
 * naming the account. Statements sent by the tests themselves are exempt.
 */
export class TenancyRecorder {
  /** The recorder of this test file. */
  static current: TenancyRecorder | null = null;

  /** The verdicts on statements of all files of this worker. */
  private static readonly judged = new Map<string, 'guarded' | 'unguarded'>();

  private readonly seen = new Set<string>();
  private readonly sentByTests = new Set<string>();
  private readonly offending = new Set<string>();

  /** @param stop ends it */
  private constructor(readonly stop: () => void) {}

  /** Observes until it is stopped, at the end of this test file. */
  static start(): TenancyRecorder {
    const { query } = pg.Pool.prototype;
    const recorder = new TenancyRecorder(() => {
      observeStatements(null);
      pg.Pool.prototype.query = query;
    });
    TenancyRecorder.current = recorder;
    observeStatements((text) => recorder.see(text));
    // A pool sends once it has a connection, when the caller is no longer on the stack, so observe the call itself too.
    pg.Pool.prototype.query = function (this: pg.Pool, ...args: unknown[]) {
      if (typeof args[0] === 'string') recorder.see(args[0]);
      return Reflect.apply(query, this, args);
    } as typeof query;
    return recorder;
  }

  /** Whether a statement starting with `beginning` was sent. */
  hasSeen(beginning: string): boolean {
    return [...this.seen].some((text) => normalise(text).startsWith(beginning));
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
    this.seen.add(text);
    if (this.judge(text) === 'guarded') return;
    const sender = senderOf(stackFiles());
    if (sender === 'test') this.sentByTests.add(text);
    else if (sender === 'product' || !this.sentByTests.has(text)) this.offending.add(text);
  }

  private judge(text: string): 'guarded' | 'unguarded' {
    const known = TenancyRecorder.judged.get(text);
    if (known !== undefined) return known;
    const verdict = unguardedTables(text).length === 0 || isPipelineStatement(text) ? 'guarded' : 'unguarded';
    // Tests send some statements only once.
    if (TenancyRecorder.judged.size >= MAX_JUDGED) TenancyRecorder.judged.clear();
    TenancyRecorder.judged.set(text, verdict);
    return verdict;
  }
}

/** The innermost file decides, except src/database, which only passes statements on. */
export function senderOf(files: readonly string[]): Sender {
  for (const file of files) {
    const extension = TESTED_EXTENSIONS.find(({ folder }) => file.startsWith(folder + path.sep));
    if (extension !== undefined)
      return /^(?:tests|migrations)\b/.test(path.relative(extension.folder, file)) ? 'test' : 'product';
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
