import { SECOND } from '../../values/clock.js';
import type { CampaignPace } from './campaign-pace.queries.js';
import type { LiveCampaignRow } from './live-campaigns.queries.js';

/** How far back people who were sent to are counted, milliseconds. */
const MEASURED_MS = 10 * SECOND;
/** With less of a past, no pace is told, milliseconds. */
const MIN_MEASURED_MS = 2 * SECOND;

interface Sample {
  readonly at: number;
  readonly sent: number;
}

/**
 * How fast watched campaigns are sent, from what their watchers read anyway: counting the messages of each, as a single
 * look does, would cost more than all other reads together.
 */
export class LivePace {
  private readonly samples = new Map<string, Sample[]>();

  /** Adds what was read at a time, by `performance.now()`. Campaigns that are not read any more are forgotten. */
  note(rows: readonly LiveCampaignRow[], at: number): void {
    for (const { id, sent, status, paused } of rows) {
      // After a pause, what was before says nothing.
      const known = status === 'running' && !paused ? (this.samples.get(id) ?? []) : [];
      known.push({ at, sent });
      while ((known[1]?.at ?? at) <= at - MEASURED_MS) known.shift();
      this.samples.set(id, known);
    }
    for (const [id, known] of this.samples) {
      if ((known.at(-1)?.at ?? 0) < at - MEASURED_MS) this.samples.delete(id);
    }
  }

  /** The pace of a campaign that was just noted; null unless it is sending and was watched for two seconds. */
  of({ id, status, paused, totalContacts, sent, failed }: LiveCampaignRow): CampaignPace {
    const known = this.samples.get(id) ?? [];
    const [first, last] = [known[0], known.at(-1)];
    const passed = (last?.at ?? 0) - (first?.at ?? 0);
    if (status !== 'running' || paused || passed < MIN_MEASURED_MS) return { ratePerSecond: null, secondsLeft: null };
    const rate = Math.max(0, ((last?.sent ?? 0) - (first?.sent ?? 0)) / (passed / SECOND));
    const left = Math.max(0, totalContacts - sent - failed);
    return {
      ratePerSecond: Math.round(rate * 10) / 10,
      secondsLeft: rate === 0 ? null : Math.ceil(left / rate),
    };
  }
}
