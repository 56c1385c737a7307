import type { Restriction } from '../../accounts/restrictions.js';
import { badRequest, DomainError } from '../../errors/domain-error.js';
import { uploadFailure } from '../../media/media.errors.js';

/** What else is known about a {@link CampaignStop}. */
interface StopDetails {
  /** The error that caused it. For a caller who wanted to start the campaign, a DomainError says the same. */
  readonly cause?: unknown;
  /** The run of the campaign that it ends; null: it was found before the campaign ran. */
  readonly run?: number | null;
}

/** Thrown when a campaign cannot start or continue until someone acts. The message says what is wrong and what to do. */
export class CampaignStop extends Error {
  readonly run: number | null;

  constructor(reason: string, { cause, run = null }: StopDetails = {}) {
    super(reason, { cause });
    this.name = 'CampaignStop';
    this.run = run;
  }

  /** The same, as a stop of one run. */
  in(run: number): CampaignStop {
    return new CampaignStop(this.message, { cause: this.cause, run });
  }

  /** The error for a caller who wanted to start the campaign. */
  get forCaller(): DomainError {
    return this.cause instanceof DomainError ? this.cause : badRequest(this.message);
  }
}

export const accountGone = (accountId: string): CampaignStop =>
  new CampaignStop(`account ${accountId} no longer exists, so its campaigns cannot be sent`);

export const accountSuspended = (): CampaignStop =>
  new CampaignStop('the account is suspended. Have it activated, then resume the campaign', {
    cause: badRequest('the business account is suspended: it cannot send campaigns'),
  });

export const phoneGone = (phoneId: string): CampaignStop =>
  new CampaignStop(
    `business phone ${phoneId} no longer belongs to this account. Add it to the account again and resume the ` +
      'campaign, or create a campaign that sends from another phone',
    { cause: badRequest('the campaign’s business phone no longer exists') },
  );

export const phoneRestricted = (campaignId: string, phone: string, { reason }: Restriction): CampaignStop =>
  new CampaignStop(
    `the network does not allow phone ${phone} to send: ${reason}. Once that is lifted, continue with ` +
      `POST /api/v1/campaigns/${campaignId}/resume`,
    { cause: badRequest(`the business account is not active: ${reason}`) },
  );

/** The stop of a campaign whose recipients that are left are all refused, by a restriction without an end. */
export function refusedForGood(
  { phone, runs: run }: { readonly phone: string | null; readonly runs: number },
  campaignId: string,
  { type, reason }: Restriction,
): CampaignStop {
  const refusal = `the network does not allow phone ${phone} to send to anybody who is left: ${reason} (${type})`;
  return new CampaignStop(
    `${refusal}. Have the restriction lifted at the network, then continue with POST /api/v1/campaigns/${campaignId}/resume`,
    { cause: badRequest(`${refusal}. Send the campaign once that is lifted`), run },
  );
}

export const takesNoCode = (templateName: string): CampaignStop =>
  new CampaignStop(
    `template ${templateName} is no longer an AUTHENTICATION template. Create a campaign with another one`,
  );

export function offerEnded(expirationTimeMs: number | null): CampaignStop {
  const problem =
    `expiration_time_ms must be later: nothing is sent in the last second of an offer, and this one expires at ` +
    new Date(expirationTimeMs ?? 0).toISOString();
  return new CampaignStop(`${problem}. Create another campaign with a new offer`, { cause: badRequest(problem) });
}

/** @param isPastDeadline whether it cannot be sent any more at all */
export const startedTooLate = (scheduledAt: Date, at: Date, isPastDeadline: boolean): CampaignStop =>
  new CampaignStop(
    `the campaign was scheduled for ${scheduledAt.toISOString()}, but the service was away and found it at ` +
      `${at.toISOString()}, more than 6 hours later. ` +
      (isPastDeadline
        ? 'Its deadline has passed, too: create another one'
        : 'Resume the campaign to send it now, or create another one'),
  );
/** @param refusal the network's, in plain words */
export const repeatedCode = (refusal: string): string =>
  `20 recipients in a row failed for the same reason: ${refusal}. Mend the cause, then resume the campaign for those ` +
  'who are left, and use retry-failed for those who failed';

/** @param failure the network's latest, in plain words */
export const waitedTooLong = (hours: number, failure: string): string =>
  `the network has taken no message from this phone for ${hours} hours: ${failure}. Resume the campaign once it does`;

/** @param reference logged with the cause */
export const unexpectedFailure = (seconds: number, reference: string): string =>
  `every attempt to send has failed for ${seconds} seconds because of a fault in the service, not in the campaign. ` +
  `Give the operator the reference ${reference} to find the cause in the log, and resume the campaign once it is fixed`;

/** A failure to upload a file that will not pass; null for any other. */
export function uploadStop(error: unknown): CampaignStop | null {
  const failure = uploadFailure(error, 'media_id');
  if (!(failure instanceof DomainError) || failure.status >= 500) return null;
  return new CampaignStop(`${failure.message}. ${ADVICE.upload}`, { cause: failure });
}

/** What to do about a refusal, by its subject; `content` means the values for the template. */
export const ADVICE = {
  secret: 'Resume the campaign once that is done',
  phone: 'Resume the campaign once the phone can send again',
  template: 'Resume the campaign once the template can be sent, or create one with another template',
  category: 'Resume the campaign once the network accepts messages of this category again',
  credits: 'Add credits to the wallet, then resume the campaign',
  media: 'Resume the campaign once the file can be fetched and is one that the network takes',
  upload: 'Upload it again, and create a campaign with the new media_id',
  content: 'The template has changed since the campaign was created: create a campaign with the values it needs now',
} as const;

/**
 * Runs `work` and turns any DomainError it throws into a CampaignStop with `advice`.
 *
 * @throws CampaignStop
 */
export async function stopsWith<T>(advice: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DomainError ? new CampaignStop(`${error.message}. ${advice}`, { cause: error }) : error;
  }
}
