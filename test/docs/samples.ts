import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { RECORDED_FILE, type RecordedExamples, recordedExamples } from '../../src/api-description/recorded-examples.js';

/** The time of all samples. */
const AT = new Date('2026-01-31T09:30:00.000Z');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/;
const OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const ZULU = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Offsets from {@link AT} by field path, milliseconds. */
const TIMES: Readonly<Record<string, number>> = {
  'message.status_timestamp': -1000,
  'message.timestamp': -1000,
  'reply.timestamp': -1000,
  'original_message.sent_at': -120_000,
  previous_secret_until: 86_400_000,
};

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/**
 * Replaces ids and times in recorded values by fixed ones, so that every run produces the same samples. An id becomes the
 * one that the page shows in its place, so that a new sample leaves the others as they are.
 */
export class Normaliser {
  private readonly ids = new Map<string, string>();

  /** @param since earlier times are rejected */
  constructor(private readonly since: Date) {}

  /**
   * Returns a value as it appears in a sample; a repeated id keeps its replacement.
   *
   * @param shown the text of the sample on the page, empty for a new one
   */
  normalise(name: string, value: unknown, shown: string): unknown {
    return this.visit(value, [], { name, shown: shown.match(IDS) ?? [], seen: 0 });
  }

  private visit(value: unknown, path: readonly string[], sample: Sample): unknown {
    if (Array.isArray(value)) return value.map((item) => this.visit(item, path, sample));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, this.visit(item, [...path, key], sample)]),
      );
    }
    if (typeof value === 'number' && path.at(-1) === 'duration_ms') return 12;
    return typeof value === 'string' ? this.text(value, path, sample) : value;
  }

  private text(value: string, path: readonly string[], sample: Sample): string {
    if (UUID.test(value)) return this.idFor(value, sample);
    if (value.startsWith('/api/')) return value.replace(IDS, (id) => this.idFor(id, sample));
    // What the network itself delivered.
    if (value.startsWith('wamid.') && path.includes('raw')) return 'wamid.HBgLMTU1NTk5OTAxMDAVAgASGBQzQTA5';
    if (/^\d{10}$/.test(value) && path.at(-1) === 'timestamp') return String(AT.getTime() / 1000 - 1);
    const form = [NAIVE, OFFSET, ZULU].find((pattern) => pattern.test(value));
    if (form === undefined) return value;
    this.check(value.slice(0, 23), path);
    const at = new Date(AT.getTime() + (TIMES[path.join('.')] ?? 0)).toISOString().slice(0, 23);
    return at + value.slice(23);
  }

  /** A time must be from this run, and only deadlines may be in the future. */
  private check(naive: string, path: readonly string[]): void {
    const at = new Date(`${naive}Z`);
    const isAhead = path.at(-1)?.endsWith('_until') === true || path.at(-1) === 'next_attempt_at';
    // The network's times are whole seconds.
    const isRight = at.getTime() >= this.since.getTime() - 1000 && (isAhead || at.getTime() <= Date.now());
    if (!isRight) throw new Error(`${path.join('.')} is ${naive}`);
  }

  private idFor(id: string, sample: Sample): string {
    const shown = sample.shown[sample.seen];
    sample.seen += 1;
    const taken = new Set(this.ids.values());
    const isFree = shown !== undefined && !taken.has(shown);
    const known = this.ids.get(id) ?? (isFree ? shown : sampleId(`${sample.name} ${sample.seen}`));
    this.ids.set(id, known);
    return known;
  }
}

/** A sample while its ids are replaced: those that the page shows, in order, and how many have been met. */
interface Sample {
  readonly name: string;
  readonly shown: readonly string[];
  seen: number;
}

/** Writes some of the recorded examples of the API description. */
export const recordExamples = (some: Partial<RecordedExamples>): void =>
  writeFileSync(RECORDED_FILE, `${JSON.stringify({ ...recordedExamples(), ...some }, null, 2)}\n`);

/** Returns a fixed id for a name. */
function sampleId(name: string): string {
  const time = AT.getTime().toString(16).padStart(12, '0');
  const random = createHash('sha256').update(`sample ${name}`).digest('hex');
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(0, 3)}`,
    `9${random.slice(3, 6)}`,
    random.slice(6, 18),
  ].join('-');
}
