import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { DomainError } from '../../errors/domain-error.js';

/** Thrown when a campaign cannot continue until someone acts. The message says what is wrong and what to do. */
export class CampaignStop extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'CampaignStop';
  }
}

export const accountGone = (accountId: string): CampaignStop =>
  new CampaignStop(`account ${accountId} no longer exists, so its campaigns cannot be sent`);

export const accountSuspended = (): CampaignStop =>
  new CampaignStop('the account is suspended. Have it activated, then resume the campaign');

export const phoneGone = (phoneId: string): CampaignStop =>
  new CampaignStop(
    `business phone ${phoneId} no longer belongs to this account. Add it to the account again and resume the ` +
      'campaign, or create a campaign that sends from another phone',
  );

export const phoneRestricted = ({ phone }: Pick<BusinessPhone, 'phone'>, restriction: string): CampaignStop =>
  new CampaignStop(
    `the network does not allow phone ${phone} to send: ${restriction}. Resume the campaign once that is lifted`,
  );

/** @param reference logged with the cause */
export const unexpectedFailure = (seconds: number, reference: string): string =>
  `every attempt to send has failed for ${seconds} seconds because of a fault in the service, not in the campaign. ` +
  `Give the operator the reference ${reference} to find the cause in the log, and resume the campaign once it is fixed`;

/** What to do about a refusal, by its subject; `content` means the values for the template. */
export const ADVICE = {
  token: 'Resume the campaign once that is done',
  phone: 'Resume the campaign once the phone can send again',
  template: 'Resume the campaign once the template can be sent, or create one with another template',
  credits: 'Add credits to the wallet, then resume the campaign',
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
