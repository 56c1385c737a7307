import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CampaignRecord } from '../../../clients/typescript/src/generated/schema.js';
import { accountId } from '../../data/account.js';
import { liveState, useTopic } from '../../data/live.js';
import { queries, useQuery } from '../../data/query.js';
import { readCampaign } from './campaign-api.js';
import type { Campaign } from './campaign-types.js';

/** From when on figures are old, milliseconds. */
const STALE_MS = 10_000;
/** How often their age is looked at, milliseconds. */
const LOOK_MS = 1000;
/** How long after the answer to an action its state is read again, milliseconds; events come faster. */
const SETTLED_MS = 1500;

/** The key of everything that is read about a campaign. */
export const campaignKey = (id: string): string[] => ['campaign', accountId.value ?? '', id];

/** What an action changes at once. The figures follow by themselves. */
export type CampaignState = Pick<
  CampaignRecord,
  | 'campaign_status'
  | 'paused'
  | 'paused_at'
  | 'paused_by'
  | 'failure_reason'
  | 'completed_at'
  | 'waiting_reason'
  | 'waiting_until'
>;

/** A campaign that is watched. */
export interface WatchedCampaign {
  /** Null until it is known. */
  readonly campaign: Campaign | null;
  /** Why it could not be read. */
  readonly error: unknown;
  /** Whether nothing was heard for a while. */
  readonly isStale: boolean;
  /** Reads it again. @returns the latest that is known; null when it could not be read */
  readonly reload: () => Promise<Campaign | null>;
  /** Shows what an action has answered. */
  readonly take: (record: CampaignState) => void;
}

/** Reads a campaign, and keeps it up to date by the stream; without one the page asks again by itself. */
export function useCampaign(id: string): WatchedCampaign {
  const key = [...campaignKey(id), 'record'];
  const result = useQuery(key, (signal) => readCampaign(id, signal));
  // What the stream says is newer than any answer that comes while it is open.
  const event = useSignal<Partial<Campaign> | null>(null);
  const isStale = useSignal(false);
  const shown = useComputed<Campaign | null>(() => {
    const { data } = result.value;
    return data === undefined ? null : { ...data, ...event.value };
  });
  const events = useRef(0);
  const settling = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useTopic<Partial<Campaign>>(`campaign:${id.toLowerCase()}`, (state) => {
    events.current += 1;
    event.value = state;
  });

  const show = (record: CampaignState): void => {
    const { campaign_status, paused, paused_at, paused_by, failure_reason, completed_at } = record;
    const { waiting_reason, waiting_until } = record;
    const pace = campaign_status === 'running' && !paused ? {} : { rate_per_second: null, seconds_left: null };
    const told = { campaign_status, paused, failure_reason, completed_at, waiting_reason, waiting_until };
    const state = { ...told, paused_at, paused_by, ...pace };
    if (event.value !== null) event.value = { ...event.value, ...state };
    queries.setQueryData<Campaign>(key, (before) => before && { ...before, ...state });
  };
  const reload = async (): Promise<Campaign | null> => {
    const before = events.current;
    const { data, isSuccess } = await result.value.refetch();
    if (!isSuccess || data === undefined) return null;
    // An event that has come meanwhile is as new, or another one follows it.
    if (events.current === before) show(data);
    return data;
  };
  const take = (record: CampaignState): void => {
    show(record);
    // The answer may have come later than an event that was newer.
    clearTimeout(settling.current);
    settling.current = setTimeout(() => void reload(), SETTLED_MS);
  };
  useEffect(() => () => clearTimeout(settling.current), []);

  // Events don’t say who has started or paused it.
  const startedAt = shown.value?.started_at;
  const isPaused = shown.value?.paused;
  useEffect(() => {
    const { data, refetch } = result.value;
    if (data !== undefined && (data.started_at !== startedAt || data.paused !== isPaused)) void refetch();
  }, [startedAt, isPaused]);

  const isLive = liveState.value === 'live';
  useEffect(() => {
    isStale.value = false;
    if (isLive) return;
    // From here on answers are newer than the last event.
    const last = event.value;
    event.value = null;
    if (last !== null) queries.setQueryData<Campaign>(key, (before) => before && { ...before, ...last });
    const endedAt = Date.now();
    const timer = setInterval(() => {
      isStale.value = Date.now() - Math.max(endedAt, result.value.dataUpdatedAt) > STALE_MS;
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isLive, id]);

  return { campaign: shown.value, error: result.value.error, isStale: isStale.value, reload, take };
}
