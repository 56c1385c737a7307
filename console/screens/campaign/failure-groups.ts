import type { FailureRecord, RetryFailedRequest } from '../../../clients/typescript/src/generated/schema.js';
import { words } from '../../words/en.js';
import type { Campaign } from './campaign-types.js';

/** Had enough marketing: once more only, and a day later. */
const MARKETING_CAP = 131049;

type State = Pick<Campaign, 'campaign_status'>;
type Reason = Pick<FailureRecord, 'error_code' | 'title' | 'advice'>;

/** Retries wait for the end of a campaign. */
const hasEnded = ({ campaign_status }: State): boolean =>
  campaign_status === 'completed' || campaign_status === 'failed';

/** What a failure is called; codes that nobody foresaw have the words of the API. */
export const titleOf = ({ error_code, title }: Omit<Reason, 'advice'>): string =>
  words.campaign.failures.byCode[error_code]?.title ?? title;

/** What helps, and when. */
export function adviceOf(failure: FailureRecord, campaign: State, now: Date): string {
  const { failures } = words.campaign;
  const { error_code, advice, retryable, retry_after } = failure;
  const own = failures.byCode[error_code]?.advice ?? sentence(advice);
  if (!retryable) return own;
  if (retry_after !== null) return `${own} ${failures.notBefore(words.when(retry_after, now))}`;
  return campaign.campaign_status === 'running' ? `${own} ${failures.afterEnd}` : own;
}

/** Whether another attempt may help now. */
export const canRetry = ({ retryable, retry_after }: FailureRecord, campaign: State): boolean =>
  retryable && retry_after === null && hasEnded(campaign);

/** Whether a retry does more than its button says. */
export const asksBefore = ({ error_code }: Pick<FailureRecord, 'error_code'>, campaign: State): boolean =>
  error_code === MARKETING_CAP || campaign.campaign_status === 'failed';

/** Retries those who failed for this reason, and nobody else. */
export const retryBody = ({ error_code }: Pick<FailureRecord, 'error_code'>): RetryFailedRequest => ({
  error_codes: [error_code],
  ...(error_code === MARKETING_CAP && { include: ['marketing_cap'] }),
});

/** Whether each of them is tried once more at most. */
export const isTriedOnce = ({ error_code }: Pick<FailureRecord, 'error_code'>): boolean => error_code === MARKETING_CAP;

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);
