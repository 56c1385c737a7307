import { Notice } from '../../parts/notice.js';
import { words } from '../../words/en.js';
import { type Campaign, statusOf } from './campaign-types.js';
import { pauseReason, sentence } from './stop-reason.js';
import type { Outcome } from './use-actions.js';

interface NoticesProps {
  readonly campaign: Campaign;
  readonly outcome: Outcome | null;
}

/** What somebody has to know before anything else: why a campaign stopped, and what an action came to. */
export function Notices({ campaign, outcome }: NoticesProps) {
  const { failure_reason } = campaign;
  const status = statusOf(campaign);
  const { failed } = words.campaign;
  return (
    <>
      {outcome !== null && <Notice kind={outcome.kind}>{outcome.text}</Notice>}
      {status === 'failed' && (
        <Notice kind="bad">
          <b class="strong">{failed}</b> <span dir="auto">{sentence(failure_reason ?? '')}</span>
        </Notice>
      )}
      {status === 'paused' && (
        <Notice kind="warn">
          {failure_reason === null ? pausedBy(campaign) : <PausedItself reason={failure_reason} />}
        </Notice>
      )}
    </>
  );
}

/** “Paused at 16:20 by Nura Hallebek. …” */
function pausedBy({ paused_at, paused_by }: Campaign): string {
  const { paused, at } = words.campaign;
  const time = paused_at === null ? null : at(paused_at, new Date());
  if (time === null || paused_by === null) return paused.byHand;
  const { source, name } = paused_by;
  if (source === 'api') return paused.byKey(time);
  return name === null ? paused.byHand : paused.by(time, name);
}

function PausedItself({ reason }: { reason: string }) {
  const { paused } = words.campaign;
  const parts = pauseReason(reason);
  if (parts === null) return <span dir="auto">{sentence(reason)}</span>;
  return (
    <>
      <b class="strong">{paused.byItself(parts.failed, parts.of)}</b>{' '}
      {parts.common !== null && <span dir="auto">{paused.common(parts.common)}</span>}
    </>
  );
}
