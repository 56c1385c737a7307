import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { QUEUE_NAMES, QUEUE_OF_JOB } from '../../src/queues/jobs.js';

const SOURCE = path.resolve(__dirname, '../../src');

describe('queues', () => {
  it('have one processor and one kind of job each', () => {
    const processors = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.processor.ts'))
      .flatMap((file) => [...readFileSync(path.join(SOURCE, file), 'utf8').matchAll(/^@Processor\('([^']+)'/gm)])
      .map(([, queue]) => queue);
    expect(processors.sort()).toEqual([...QUEUE_NAMES].sort());
    expect(Object.values(QUEUE_OF_JOB).sort()).toEqual([...QUEUE_NAMES].sort());
  });
});
