import { useMemo } from 'preact/hooks';
import { useQuery } from '../../data/query.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { words } from '../../words/en.js';
import { type Action, countWaiting } from './campaign-api.js';
import type { Campaign } from './campaign-types.js';
import { campaignKey } from './use-campaign.js';

export type Question = Extract<Action, 'send' | 'resume' | 'cancel'>;

interface AskDialogProps {
  readonly question: Question;
  readonly campaign: Campaign;
  readonly onConfirm: (action: Question) => void;
  readonly onClose: () => void;
}

/** How many people wait, counted anew for each question; undefined until that is known. */
export function useWaiting(id: string): number | undefined {
  const asked = useMemo(() => String(Date.now()), []);
  return useQuery([...campaignKey(id), 'waiting', asked], (signal) => countWaiting(id, signal)).value.data;
}

/** Asks once, with what will happen to how many people. */
export function AskDialog({ question, campaign, onConfirm, onClose }: AskDialogProps) {
  const { asks, actions } = words.campaign;
  const left = useWaiting(campaign.campaign_id);
  const isCancel = question === 'cancel';
  const [text, confirm] = isCancel
    ? [
        left === undefined ? asks.cancel.textUnknown(campaign.sent_count) : asks.cancel.text(left, campaign.sent_count),
        asks.cancel.confirm,
      ]
    : left === undefined
      ? [asks[question].textUnknown, asks[question].confirmUnknown]
      : [asks[question].text(left), asks[question].confirm(left)];
  return (
    <Dialog
      title={asks[question].title(campaign.name)}
      onClose={onClose}
      answer={
        <>
          <Button onPress={onClose}>{isCancel ? actions.keep : actions.leave}</Button>
          <Button isPrimary onPress={() => onConfirm(question)}>
            {confirm}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {isCancel && <p class="dim sm">{asks.cancel.final}</p>}
    </Dialog>
  );
}
