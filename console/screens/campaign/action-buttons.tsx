import { useSignal } from '@preact/signals';
import { useLetters } from '../../frame/letters.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { Menu } from '../../parts/menu.js';
import { words } from '../../words/en.js';
import { AskDialog, type Question } from './ask-dialog.js';
import { type Campaign, statusOf } from './campaign-types.js';
import type { Actions } from './use-actions.js';

interface ActionButtonsProps {
  readonly campaign: Campaign;
  readonly actions: Actions;
}

const NO_LETTERS = {};

/** Send, pause, resume and cancel, for those who may; all but pausing ask once. */
export function ActionButtons({ campaign, actions }: ActionButtonsProps) {
  const asked = useSignal<Question | null>(null);
  const { send, sending, pause, pausing, resume, resuming, cancel, more } = words.campaign.actions;
  const status = statusOf(campaign);
  const { mayChange, isOff, busy, run } = actions;
  const canSend = mayChange && status === 'draft';
  const canPause = mayChange && status === 'running';
  const canResume = mayChange && (status === 'paused' || status === 'failed');
  const canCancel = mayChange && ['draft', 'scheduled', 'running', 'paused'].includes(status);
  const ask = (question: Question): void => {
    if (busy === null && !isOff) asked.value = question;
  };
  const pauseOrResume = (): void => {
    if (canPause) void run('pause');
    else if (canResume) ask('resume');
  };
  useLetters(canPause || canResume ? { p: { label: words.campaign.keys.pause, press: pauseOrResume } } : NO_LETTERS);
  const label = canResume ? resume : pause;
  return (
    <>
      {canSend && (
        <Button
          isPrimary
          isBusy={busy !== null}
          {...(busy === 'send' && { busyLabel: sending })}
          refusal={isOff ? send : null}
          onPress={() => ask('send')}
        >
          <span class="with-icon">
            <Icon name="play" />
            {send}
          </span>
        </Button>
      )}
      {(canPause || canResume) && (
        <Button
          isPrimary={canResume}
          isBusy={busy !== null}
          {...(busy === 'pause' && { busyLabel: pausing })}
          {...(busy === 'resume' && { busyLabel: resuming })}
          refusal={isOff ? label : null}
          onPress={pauseOrResume}
        >
          <span class="with-icon">
            <Icon name={canResume ? 'play' : 'pause'} />
            {label}
          </span>
        </Button>
      )}
      {canCancel && !isOff && (
        <Menu
          class="btn icon"
          label={more}
          isAtEnd
          items={[{ id: 'cancel', label: cancel, choose: () => ask('cancel') }]}
        >
          <Icon name="more" />
        </Menu>
      )}
      {asked.value !== null && (
        <AskDialog
          question={asked.value}
          campaign={campaign}
          onConfirm={(action) => {
            asked.value = null;
            void run(action);
          }}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
    </>
  );
}
