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
  const { paused: pausedWords, failed } = words.campaign;
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
          {failure_reason === null ? pausedWords.byHand : <PausedItself reason={failure_reason} />}
        </Notice>
      )}
    </>
  );
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
