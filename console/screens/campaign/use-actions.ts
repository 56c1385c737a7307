import { useSignal } from '@preact/signals';
import type { RetryFailedRequest } from '../../../clients/typescript/src/generated/schema.js';
import { isOffline } from '../../data/connection.js';
import { failureOf, hasStatus } from '../../data/failure.js';
import { session } from '../../data/session.js';
import type { NoticeKind } from '../../parts/notice-kind.js';
import { words } from '../../words/en.js';
import { type Action, act } from './campaign-api.js';
import { type Campaign, statusOf } from './campaign-types.js';
import { outcomeOf } from './outcome.js';
import type { WatchedCampaign } from './use-campaign.js';

/** What an action came to, where that is not just the new state. */
export interface Outcome {
  readonly kind: NoticeKind;
  readonly text: string;
}

/** What a person may do with a campaign, and what became of it. */
export interface Actions {
  readonly mayChange: boolean;
  readonly isOff: boolean;
  readonly busy: Action | null;
  readonly outcome: Outcome | null;
  readonly run: (action: Action, body?: RetryFailedRequest) => Promise<void>;
}

/** Puts focus on the heading if what had it is gone. */
function keepFocus(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true });
}

/** The actions on a campaign. Each waits for its answer; a second press meanwhile does nothing. */
export function useActions(id: string, { campaign, reload, take }: WatchedCampaign): Actions {
  const busy = useSignal<Action | null>(null);
  const outcome = useSignal<Outcome | null>(null);

  const run = async (action: Action, body?: RetryFailedRequest): Promise<void> => {
    if (busy.value !== null || campaign === null || isOffline.value) return;
    busy.value = action;
    outcome.value = null;
    const before = statusOf(campaign);
    try {
      const after = await act(id, action, crypto.randomUUID(), body);
      if (after === null) await reload();
      else take(after);
    } catch (error) {
      const latest = hasStatus(error, 401) ? null : await reload();
      outcome.value = textOf(error, before, latest);
    } finally {
      busy.value = null;
      // Once the new state is drawn.
      setTimeout(keepFocus);
    }
  };
  const mayChange = session.value?.scopes.includes('campaigns:write') ?? false;
  return { mayChange, isOff: isOffline.value, busy: busy.value, outcome: outcome.value, run };
}

function textOf(error: unknown, before: string, latest: Campaign | null): Outcome | null {
  const { outcome, ...rest } = words.campaign;
  const now = latest === null ? null : statusOf(latest);
  switch (outcomeOf(error, before, now)) {
    case 'signed_out':
    case 'took_effect':
      return null;
    case 'overtaken':
      return { kind: 'calm', text: outcome.overtaken(labelOf(now, rest.title)) };
    case 'unknown':
      return { kind: 'warn', text: outcome.unknown };
    case 'refused':
      return { kind: 'bad', text: outcome.refused(failureOf(error).text.replace(/\.$/, '')) };
    case 'failed':
      return { kind: 'bad', text: failureOf(error).text };
  }
}

const labelOf = (status: string | null, otherwise: string): string =>
  (words.campaigns.statuses as Readonly<Record<string, string>>)[status ?? ''] ?? otherwise;
