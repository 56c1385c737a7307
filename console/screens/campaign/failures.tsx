import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import type { FailureRecord } from '../../../clients/typescript/src/generated/schema.js';
import { useQuery } from '../../data/query.js';
import { Button } from '../../parts/button.js';
import { LoadFailed } from '../../parts/load-failed.js';
import { Skeleton } from '../../parts/skeleton.js';
import { words } from '../../words/en.js';
import { count } from '../../words/numbers.js';
import { readFailures } from './campaign-api.js';
import type { Campaign } from './campaign-types.js';
import { adviceOf, asksBefore, canRetry, retryBody, titleOf } from './failure-groups.js';
import { PeopleLink } from './people-link.js';
import { RetryDialog } from './retry-dialog.js';
import type { Actions } from './use-actions.js';
import { campaignKey } from './use-campaign.js';

interface FailuresProps {
  readonly campaign: Campaign;
  readonly actions: Actions;
}

/** Those who did not get it, by reason, with what helps. */
export function Failures({ campaign, actions }: FailuresProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const asked = useSignal<FailureRecord | null>(null);
  const { campaign_id, failed_count, campaign_status } = campaign;
  const result = useQuery([...campaignKey(campaign_id), 'failures'], (signal) =>
    readFailures(campaign_id, signal),
  ).value;
  const { failures } = words.campaign;

  const retry = (failure: FailureRecord): void => {
    asked.value = null;
    // The button goes away with the end of the campaign.
    heading.current?.focus();
    void actions.run('retryFailed', retryBody(failure));
  };
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id} ref={heading} tabIndex={-1}>
          {failures.title}
        </h2>
        <span class="faint num">{count(failed_count)}</span>
        {failed_count > 0 && (
          <PeopleLink choice={{ status: 'failed' }} class="link last">
            {failures.show}
          </PeopleLink>
        )}
      </header>
      {result.data === undefined ? (
        result.error === null ? (
          <Skeleton />
        ) : (
          <LoadFailed what={words.campaign.parts.failures} error={result.error} retry={() => result.refetch()} />
        )
      ) : result.data.length === 0 ? (
        <p class="body dim sm">{campaign_status === 'running' ? failures.noneYet : failures.none}</p>
      ) : (
        <ul>
          {result.data.map((failure) => (
            <Reason
              key={failure.error_code}
              failure={failure}
              campaign={campaign}
              actions={actions}
              onRetry={() => {
                if (asksBefore(failure, campaign)) asked.value = failure;
                else retry(failure);
              }}
            />
          ))}
        </ul>
      )}
      {asked.value !== null && (
        <RetryDialog
          failure={asked.value}
          campaign={campaign}
          onConfirm={retry}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
    </section>
  );
}

interface ReasonProps extends FailuresProps {
  readonly failure: FailureRecord;
  readonly onRetry: () => void;
}

function Reason({ failure, campaign, actions, onRetry }: ReasonProps) {
  const { failures, actions: labels } = words.campaign;
  const { error_code: code, count: number } = failure;
  const title = titleOf(failure);
  const label = (asksBefore(failure, campaign) ? labels.retryAsks : labels.retry)(number);
  return (
    <li class="reason">
      <PeopleLink choice={{ error_code: String(code) }} class="n link" name={failures.showOne(title, number)}>
        {count(number)}
      </PeopleLink>
      <div>
        <p class="strong">
          {title} <bdi class="faint num">({code})</bdi>
        </p>
        <p class="faint xs">{adviceOf(failure, campaign, new Date())}</p>
      </div>
      {actions.mayChange && canRetry(failure, campaign) && (
        <Button
          isSmall
          isBusy={actions.busy !== null}
          {...(actions.busy === 'retryFailed' && { busyLabel: labels.retrying })}
          refusal={actions.isOff ? label : null}
          name={failures.retryOf(label, title)}
          onPress={onRetry}
        >
          {label}
        </Button>
      )}
    </li>
  );
}
