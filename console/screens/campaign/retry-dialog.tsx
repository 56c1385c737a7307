import type { FailureRecord } from '../../../clients/typescript/src/generated/schema.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { words } from '../../words/en.js';
import { useWaiting } from './ask-dialog.js';
import type { Campaign } from './campaign-types.js';
import { isTriedOnce } from './failure-groups.js';

interface RetryDialogProps {
  readonly failure: FailureRecord;
  readonly campaign: Campaign;
  readonly onConfirm: (failure: FailureRecord) => void;
  readonly onClose: () => void;
}

/** Asks before a retry that does more than its button says. */
export function RetryDialog({ failure, campaign, onConfirm, onClose }: RetryDialogProps) {
  const { asks, actions } = words.campaign;
  const left = useWaiting(campaign.campaign_id);
  const goesOn = campaign.campaign_status === 'failed';
  return (
    <Dialog
      title={asks.retry.title(failure.count)}
      onClose={onClose}
      answer={
        <>
          <Button onPress={onClose}>{actions.leave}</Button>
          <Button isPrimary onPress={() => onConfirm(failure)}>
            {asks.retry.confirm}
          </Button>
        </>
      }
    >
      {isTriedOnce(failure) && <p>{asks.retry.once}</p>}
      {goesOn && <p>{left === undefined ? asks.retry.textUnknown : asks.retry.text(left)}</p>}
    </Dialog>
  );
}
