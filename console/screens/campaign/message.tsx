import { useId } from 'preact/hooks';
import { accountId } from '../../data/account.js';
import { useQuery } from '../../data/query.js';
import { LoadFailed } from '../../parts/load-failed.js';
import { MessageBubble } from '../../parts/message-bubble.js';
import { Skeleton } from '../../parts/skeleton.js';
import { words } from '../../words/en.js';
import { clock } from '../../words/times.js';
import { readTemplate } from './campaign-api.js';
import type { Campaign } from './campaign-types.js';
import { messageOf } from './message-parts.js';

/** The message of a campaign, as the phone shows it. */
export function Message({ campaign }: { campaign: Campaign }) {
  const id = useId();
  const { message, parts } = words.campaign;
  const { template_name: name, template_language: language, waba_phone_id: phoneId, started_at } = campaign;
  const key = ['template', accountId.value ?? '', name, language, phoneId];
  const result = useQuery(key, (signal) => readTemplate({ name, language, phoneId }, signal)).value;
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{message.title}</h2>
        <bdi class="faint sm last cut">{name}</bdi>
      </header>
      {result.data === undefined ? (
        result.error === null ? (
          <Skeleton />
        ) : (
          <LoadFailed what={parts.message} error={result.error} retry={() => result.refetch()} />
        )
      ) : result.data === null ? (
        <p class="body dim sm">{message.gone}</p>
      ) : (
        <div class="body">
          <MessageBubble
            message={messageOf(result.data, campaign)}
            at={started_at === null ? null : clock(started_at)}
          />
        </div>
      )}
    </section>
  );
}
