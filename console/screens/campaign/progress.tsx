import { ProgressBar } from '../../parts/progress-bar.js';
import { words } from '../../words/en.js';
import { count, decimal } from '../../words/numbers.js';
import { duration } from '../../words/times.js';
import { type Campaign, statusOf } from './campaign-types.js';

const TONES = { paused: 'paused', failed: 'failed', completed: 'ended', cancelled: 'ended' } as const;

/** How many people a campaign was sent to, how fast it goes, and how long it takes. */
export function Progress({ campaign }: { campaign: Campaign }) {
  const { progress, parts } = words.campaign;
  const { sent_count, total_contacts } = campaign;
  const status = statusOf(campaign);
  const tone = (TONES as Readonly<Record<string, (typeof TONES)[keyof typeof TONES]>>)[status] ?? 'going';
  return (
    <section class="progress" aria-label={parts.progress}>
      <ProgressBar
        value={sent_count}
        max={total_contacts}
        tone={tone}
        label={progress.label(sent_count, total_contacts)}
      />
      <div class="figures num">
        <p>
          <b>{count(sent_count)}</b> {progress.handed(total_contacts)}
        </p>
        {status === 'running' && <Speed campaign={campaign} />}
      </div>
    </section>
  );
}

function Speed({ campaign: { rate_per_second: rate, seconds_left: left } }: { campaign: Campaign }) {
  const { progress } = words.campaign;
  if (rate === null) return null;
  if (rate === 0) return <p>{progress.slow}</p>;
  return (
    <p>
      <b>{decimal(rate)}</b> {progress.rate}
      {left !== null && ` · ${progress.left(duration(left))}`}
    </p>
  );
}
