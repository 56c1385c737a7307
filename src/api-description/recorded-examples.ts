import { readFileSync } from 'node:fs';

/** What tests have recorded of a running Parley, with fixed ids and times. */
export interface RecordedExamples {
  /** A body of each kind of event. */
  readonly events: Readonly<Record<string, object>>;
  /** What operations answer to the examples of their bodies. */
  readonly answers: Readonly<Record<string, object>>;
}

/** The file that tests write when `RECORD_SAMPLES` is set, and compare otherwise. */
export const RECORDED_FILE = new URL('./recorded-examples.json', import.meta.url);

/** Reads the file. */
export const recordedExamples = (): RecordedExamples => JSON.parse(readFileSync(RECORDED_FILE, 'utf8'));
