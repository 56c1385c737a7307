import { useSignal } from '@preact/signals';
import { isOffline } from '../../data/connection.js';
import { failureOf } from '../../data/failure.js';
import { type ShownStatus, shownStatus } from '../../parts/status-pill.js';
import { words } from '../../words/en.js';
import { type Action, act, type Campaign, readCampaign } from '../campaign/campaign-api.js';
import { outcomeOf } from '../campaign/outcome.js';
import type { WatchedCampaigns } from './use-campaigns.js';

/** What an action on a row came to, where that is not just the new state. */
export interface RowOutcome {
  readonly isBad: boolean;
  readonly text: string;
}

/** The actions on rows, one at a time. */
export interface RowActions {
  /** The campaign that waits for an answer. */
  readonly busy: string | null;
  readonly outcome: RowOutcome | null;
  readonly run: (row: Campaign, action: Action) => Promise<void>;
}

const statusOf = ({ campaign_status, paused }: Campaign): ShownStatus => shownStatus(campaign_status, paused);

/** Runs actions on rows. Each waits for its answer; a second one meanwhile does nothing. */
export function useRowActions({ take, reload }: Pick<WatchedCampaigns, 'take' | 'reload'>): RowActions {
  const busy = useSignal<string | null>(null);
  const outcome = useSignal<RowOutcome | null>(null);

  const run = async (row: Campaign, action: Action): Promise<void> => {
    if (busy.value !== null || isOffline.value) return;
    const { campaign_id: id, name } = row;
    busy.value = id;
    outcome.value = null;
    try {
      const after = await act(id, action, crypto.randomUUID());
      if (after !== null) take({ ...row, ...after });
      void reload();
    } catch (error) {
      const latest = await readCampaign(id).catch(() => null);
      if (latest !== null) take(latest);
      const told = said(error, row, latest);
      outcome.value = told && { ...told, text: words.campaigns.outcomeOf(name, told.text) };
    } finally {
      busy.value = null;
    }
  };
  return { busy: busy.value, outcome: outcome.value, run };
}

function said(error: unknown, before: Campaign, latest: Campaign | null): RowOutcome | null {
  const { outcome } = words.campaign;
  const { text } = failureOf(error);
  switch (outcomeOf(error, statusOf(before), latest && statusOf(latest))) {
    case 'signed_out':
    case 'took_effect':
      return null;
    case 'overtaken':
      return {
        isBad: false,
        text: outcome.overtaken(latest === null ? '' : words.campaigns.statuses[statusOf(latest)]),
      };
    case 'unknown':
      return { isBad: false, text: outcome.unknown };
    case 'refused':
      return { isBad: true, text: outcome.refused(text.replace(/\.$/, '')) };
    case 'failed':
      return { isBad: true, text };
  }
}
