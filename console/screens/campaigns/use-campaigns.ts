import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { accountId } from '../../data/account.js';
import { useTopic } from '../../data/live.js';
import { queries, useQuery } from '../../data/query.js';
import { type Campaign, readCampaign } from '../campaign/campaign-api.js';
import { type CampaignCounts, readCampaigns } from './campaigns-api.js';
import type { CampaignsFilter } from './campaigns-filter.js';
import { differences, type Heard, heardNow, type LiveCampaign, withHeard } from './live-rows.js';
import { shownRows } from './row-order.js';

/** How often the list is read again for what the stream does not tell: drafts, and campaigns of other pages. Milliseconds. */
const READ_EVERY_MS = 30_000;

type LiveState = Partial<Campaign> & LiveCampaign;

/** The list of campaigns as it is shown. */
export interface WatchedCampaigns {
  /** Undefined until they are known. */
  readonly rows: readonly Campaign[] | undefined;
  readonly total: number;
  readonly counts: CampaignCounts | undefined;
  /** How many have come that are not shown because somebody points at the list. */
  readonly fresh: number;
  readonly showFresh: () => void;
  /** Whether somebody points at the list or has focus in it: until then, nothing moves. */
  readonly hold: (isHeld: boolean) => void;
  /** Shows what an action has answered. */
  readonly take: (campaign: LiveState) => void;
  readonly error: unknown;
  readonly reload: () => Promise<unknown>;
}

const listKey = (): string[] => ['campaigns', accountId.value ?? ''];

/** Reads a page of campaigns, and keeps those that run up to date by the stream. */
export function useCampaigns(filter: CampaignsFilter): WatchedCampaigns {
  const { status, search, page } = filter;
  const key = [...listKey(), status ?? '', search ?? '', String(page)];
  const name = key.join('\n');
  const result = useQuery(key, (signal) => readCampaigns(filter, signal)).value;
  const { data } = result;
  const heard = useSignal<ReadonlyMap<string, Heard<LiveState>>>(new Map());
  const running = useSignal<readonly LiveState[] | null>(null);
  const isHeld = useSignal(false);
  const kept = useRef<{ name: string; rows: readonly Campaign[] } | null>(null);
  const counts = useRef<CampaignCounts | undefined>(undefined);
  if (data !== undefined) counts.current = data.counts;

  const take = (...states: readonly LiveState[]): void => {
    heard.value = heardNow(heard.value, states, Date.now());
  };
  useTopic<{ campaigns: readonly LiveState[] }>('campaigns', ({ campaigns }) => {
    running.value = campaigns;
    take(...campaigns);
  });

  const latest = data && withHeard(data.rows, result.dataUpdatedAt, heard.value);
  const isKept = isHeld.value && kept.current?.name === name && kept.current.rows.length > 0;
  const before = isKept ? (kept.current?.rows ?? null) : null;
  const shown = latest && shownRows(before, latest);
  kept.current = shown === undefined ? null : { name, rows: shown.rows };

  const again = (): void => void queries.invalidateQueries({ queryKey: listKey() }, { cancelRefetch: false });
  const mayMiss = page > 1 || search !== null || (status !== null && status !== 'running');
  useReadAgain({ rows: latest, running: running.value, mayMiss }, again);
  // Of what has left the list under a hand, nobody tells any more.
  const gone = shown?.rows.filter((row) => row.campaign_status === 'running' && !latest?.includes(row)) ?? [];
  const goneIds = gone.map(({ campaign_id }) => campaign_id).join();
  useEffect(() => {
    for (const id of goneIds.split(',').filter(Boolean)) void readCampaign(id).then(take, () => undefined);
  }, [goneIds]);

  return {
    rows: shown && withHeard(shown.rows, 0, heardOfGone(heard.value, gone)),
    total: data?.total ?? 0,
    counts: counts.current,
    fresh: shown?.fresh ?? 0,
    showFresh: () => {
      kept.current = null;
      take();
    },
    hold: (held) => {
      isHeld.value = held;
    },
    take,
    error: result.error,
    reload: () => result.refetch(),
  };
}

const heardOfGone = (
  heard: ReadonlyMap<string, Heard<LiveState>>,
  gone: readonly Campaign[],
): ReadonlyMap<string, Heard<LiveState>> =>
  new Map([...heard].filter(([id]) => gone.some(({ campaign_id }) => campaign_id === id)));

interface Comparison {
  readonly rows: readonly Campaign[] | undefined;
  readonly running: readonly LiveState[] | null;
  readonly mayMiss: boolean;
}

/** Calls `again` when other campaigns run than before, or than the list says. */
function useReadAgain({ rows, running, mayMiss }: Comparison, again: () => void): void {
  const known = useRef<{ ids: string; differs: string } | null>(null);
  useEffect(() => {
    if (rows === undefined || running === null) return;
    const ids = running.map(({ campaign_id }) => campaign_id).join();
    const differs = differences(rows, running, mayMiss);
    const { current } = known;
    known.current = { ids, differs };
    // Once for each difference: the list may be read a moment before it has caught up.
    const isNew = differs !== '' && differs !== current?.differs;
    if (isNew || (current !== null && ids !== current.ids)) again();
  }, [rows, running, mayMiss]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}
