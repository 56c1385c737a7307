/** What the stream tells of a campaign. */
export interface LiveCampaign {
  readonly campaign_id: string;
  readonly campaign_status: string;
}

/** Campaigns that one event of the stream names at most; others may run besides. */
export const MAX_LIVE = 20;

/** A campaign as it was heard of at a time, milliseconds since 1970. */
export interface Heard<T> {
  readonly state: T;
  readonly at: number;
}

/** What was heard, with newer states in place of older ones. Who is named no more keeps the last one. */
export function heardNow<T extends LiveCampaign>(
  before: ReadonlyMap<string, Heard<T>>,
  states: readonly T[],
  at: number,
): ReadonlyMap<string, Heard<T>> {
  return new Map([...before, ...states.map((state) => [state.campaign_id, { state, at }] as const)]);
}

/** Rows of a list that was read at a time, with what was heard since. */
export function withHeard<Row extends LiveCampaign>(
  rows: readonly Row[],
  readAt: number,
  heard: ReadonlyMap<string, Heard<Partial<Row> & LiveCampaign>>,
): readonly Row[] {
  return rows.map((row) => {
    const one = heard.get(row.campaign_id);
    return one === undefined || one.at < readAt ? row : { ...row, ...one.state };
  });
}

/**
 * How a list differs from the campaigns that run: those that are missing in it, and those that it shows as running though
 * they have ended. Empty when it has to be read again for neither.
 *
 * @param mayMiss whether the list has no place for all that run, such as a later page
 */
export function differences(rows: readonly LiveCampaign[], running: readonly LiveCampaign[], mayMiss: boolean): string {
  const ids = new Set(running.map(({ campaign_id }) => campaign_id));
  const shown = new Map(rows.map((row) => [row.campaign_id, row.campaign_status]));
  const ended =
    running.length < MAX_LIVE
      ? rows.filter((row) => row.campaign_status === 'running' && !ids.has(row.campaign_id))
      : [];
  const begun = running.filter(({ campaign_id }) =>
    shown.has(campaign_id) ? shown.get(campaign_id) !== 'running' : !mayMiss,
  );
  return [...ended, ...begun]
    .map(({ campaign_id }) => campaign_id)
    .sort()
    .join();
}
