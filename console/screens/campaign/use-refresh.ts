import { useEffect, useRef } from 'preact/hooks';
import { queries } from '../../data/query.js';
import type { Campaign } from './campaign-types.js';
import { campaignKey } from './use-campaign.js';

/** Lists are read at most this often, milliseconds: each reads every message of the campaign. */
const REFRESH_MS = 5000;

/** The same as long as the lists of a campaign are. */
function stampOf(campaign: Campaign | null): string | null {
  if (campaign === null) return null;
  const { campaign_status, paused, sent_count, delivered_count, read_count } = campaign;
  const { clicked_count, replied_count, failed_count } = campaign;
  return [
    campaign_status,
    paused,
    sent_count,
    delivered_count,
    read_count,
    clicked_count,
    replied_count,
    failed_count,
  ].join();
}

/** Reads the lists of a campaign again after its figures have changed. */
export function useRefresh(id: string, campaign: Campaign | null): void {
  const stamp = stampOf(campaign);
  const known = useRef<string | null>(null);
  const readAt = useRef(Date.now());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = stamp;
    if (before === null || before === stamp || timer.current !== undefined) return;
    const refresh = (): void => {
      timer.current = undefined;
      readAt.current = Date.now();
      const record = JSON.stringify([...campaignKey(id), 'record']);
      void queries.invalidateQueries({
        queryKey: campaignKey(id),
        predicate: ({ queryKey }) => JSON.stringify(queryKey) !== record,
      });
    };
    timer.current = setTimeout(refresh, Math.max(0, readAt.current + REFRESH_MS - Date.now()));
  }, [stamp]);
  useEffect(() => () => clearTimeout(timer.current), []);
}
