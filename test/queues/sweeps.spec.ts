import { Logger } from '@nestjs/common';
import ts from 'typescript';
import { DatabaseUnavailable } from '../../src/database/connections/database-unavailable.js';
import { manifestOf } from '../../src/manifest/room.js';
import { Sweep } from '../../src/queues/sweep.js';
import { MANIFEST } from '../../src/rooms.js';
import { sourceFiles } from '../support/source-files.js';
import { until } from '../support/until.js';

/** Methods that work on one item after another in a loop of their own, and why. */
const OWN_LOOPS = new Map([
  ['PartitionSweep.dropExpired', 'stops at the first locked partition, whose lock covers the whole table'],
]);

/** The sweeps that rooms run. */
const SWEEPS = MANIFEST.rooms
  .flatMap((room) => manifestOf(room).worker ?? [])
  .flatMap((provider) =>
    typeof provider === 'function' && provider.prototype instanceof Sweep ? [provider.name] : [],
  );

/** The classes that extend Sweep. */
function sweepClasses(): ts.ClassDeclaration[] {
  return sourceFiles()
    .flatMap(({ file, text }) =>
      ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).statements.filter(ts.isClassDeclaration),
    )
    .filter((each) => each.heritageClauses?.some(({ types }) => types.some((type) => type.getText() === 'Sweep')));
}

/** Loops over rows, and concurrent work on rows, that {@link Sweep.forEach} should do. */
function ownLoops(declaration: ts.ClassDeclaration): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node, method: string): void => {
    const inside = ts.isMethodDeclaration(node) ? node.name.getText() : method;
    const isLoop = ts.isForOfStatement(node) && awaitsIn(node.statement);
    const isTogether = ts.isCallExpression(node) && /^Promise\.(?:all|allSettled)$/.test(node.expression.getText());
    if (isLoop || (isTogether && inside !== 'beforeApplicationShutdown')) {
      found.push(`${declaration.name?.text}.${inside}`);
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(declaration, '');
  return found.filter((name) => !OWN_LOOPS.has(name));
}

/** Whether a statement waits for anything. Work without waits goes in slices, whose loops are not in the sweep. */
const awaitsIn = (node: ts.Node): boolean =>
  ts.isAwaitExpression(node) || (ts.forEachChild(node, (child) => awaitsIn(child) || undefined) ?? false);

type Work = (item: string) => Promise<void>;

/** Works on fixed items. */
class ListSweep extends Sweep {
  readonly left: string[][] = [];

  constructor(
    private readonly items: readonly string[],
    private readonly work: Work,
  ) {
    super(1);
  }

  protected async sweep(): Promise<void> {
    this.left.push(
      await this.forEach(
        this.items,
        (item) => `item ${item}`,
        (item) => this.work(item),
      ),
    );
  }
}

describe('a sweep', () => {
  const lines: string[] = [];
  let sweep: ListSweep;

  beforeEach(() => {
    lines.length = 0;
    const log = (line: string) => lines.push(line);
    Logger.overrideLogger({ log, warn: log, error: log });
  });
  afterEach(async () => {
    await sweep?.beforeApplicationShutdown();
    Logger.overrideLogger(false);
  });

  const of = (items: readonly string[], work: Work): ListSweep => {
    sweep = new ListSweep(items, work);
    return sweep;
  };

  it('goes on after an item that fails, counts it, logs it once a while, and has failed', async () => {
    const done: string[] = [];
    of(['a', 'b', 'c'], async (item) => {
      if (item === 'b') throw new Error('spoilt');
      done.push(item);
    });
    expect([await sweep.run(), await sweep.run()]).toEqual([false, false]);
    expect(done).toEqual(['a', 'c', 'a', 'c']);
    expect(sweep.left).toEqual([['b'], ['b']]);
    expect(lines).toEqual(['failed for item b, will retry: spoilt']);
    expect(sweep.reading()).toMatchObject({ name: 'ListSweep', failures: 2, itemFailures: 2 });
  });

  it('begins nothing more while the database is away', async () => {
    const begun: string[] = [];
    const run = of(['a', 'b', 'c'], async (item) => {
      begun.push(item);
      throw new DatabaseUnavailable('away');
    }).run();
    expect(await run).toBe(false);
    expect(begun).toEqual(['a']);
    expect(sweep.left).toEqual([['a', 'b', 'c']]);
  });

  it('begins nothing more when the process shuts down', async () => {
    const begun: string[] = [];
    let finish = () => {};
    void of(['a', 'b'], (item) => {
      begun.push(item);
      return new Promise((resolve) => {
        finish = resolve;
      });
    }).run();
    await until('the first item is under way', () => begun.length > 0);
    const stopping = sweep.beforeApplicationShutdown();
    finish();
    await stopping;
    expect(begun).toEqual(['a']);
    expect(sweep.left).toEqual([['b']]);
  });

  it('is run by the worker of its room', () => {
    expect(SWEEPS.toSorted()).toEqual(
      sweepClasses()
        .map(({ name }) => name?.text)
        .sort(),
    );
    expect(SWEEPS.length).toBeGreaterThan(20);
  });

  it('leaves every loop over what it found to the base class', () => {
    expect(sweepClasses().flatMap(ownLoops)).toEqual([]);
  });
});
