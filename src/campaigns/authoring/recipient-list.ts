import { EgressError } from '../../egress/egress-error.js';
import type { EgressGuard } from '../../egress/egress-guard.js';
import { badRequest, DomainError } from '../../errors/domain-error.js';
import type { GroupContact } from '../../groups/group-members.queries.js';
import { type ParsedTemplate, renderPartially, valuesMissing } from '../../templates/rendering/template-message.js';
import { normalisePhoneNumber, type PhoneNumber } from '../../values/phone-number.js';
import { type CampaignContent, type PersonalValues, sendingInput, standIn } from './campaign-content.js';

/** Recipients of one campaign. */
export const MAX_CONTACTS = 10_000;
/** Groups that one campaign takes its recipients from. */
export const MAX_GROUPS = 1000;
/** Phones that a refusal names. */
const MAX_NAMED = 10;

/** A recipient as the caller names it. */
export interface GivenRecipient {
  readonly phone: string;
  readonly name: string | null;
  /** What is filled in for this recipient alone. */
  readonly personal: PersonalValues | null;
}

/** A recipient with a number that can be sent to. */
export interface ListedRecipient extends Omit<GivenRecipient, 'phone'> {
  readonly phoneNumber: PhoneNumber;
  /** Its place among those given, from 0. */
  readonly place: number;
}

/** Normalises phones; of several entries for one number the first counts. Invalid phones are answered as given. */
export function listRecipients(given: readonly GivenRecipient[]): { valid: ListedRecipient[]; invalid: string[] } {
  const valid = new Map<PhoneNumber, ListedRecipient>();
  const invalid: string[] = [];
  for (const [place, { phone, name, personal }] of given.entries()) {
    const phoneNumber = normalisePhoneNumber(phone);
    if (phoneNumber === null) invalid.push(phone);
    else if (!valid.has(phoneNumber))
      valid.set(phoneNumber, { phoneNumber, name: name?.trim() || null, personal, place });
  }
  return { valid: [...valid.values()], invalid };
}

/**
 * The members of groups who are not listed by themselves.
 *
 * @throws DomainError 400 when all together are nobody, or too many
 */
export function othersOf(
  members: readonly GroupContact[],
  listed: readonly ListedRecipient[],
  hasGroups: boolean,
): GroupContact[] {
  const numbers = new Set(listed.map(({ phoneNumber }) => phoneNumber));
  const others = members.filter(({ phoneNumber }) => phoneNumber === null || !numbers.has(phoneNumber));
  const total = listed.length + others.length;
  if (total === 0) {
    throw badRequest(
      hasGroups
        ? 'the campaign has no recipients: the groups of group_ids are empty, and contacts holds no valid phone number'
        : 'contacts holds no valid phone number',
    );
  }
  if (total > MAX_CONTACTS) {
    const found = members.length > MAX_CONTACTS ? `more than ${MAX_CONTACTS}` : total;
    throw badRequest(
      `contacts and group_ids must name at most ${MAX_CONTACTS} different contacts together (got ${found})`,
    );
  }
  return others;
}

/** Fields that a recipient can bring. */
const PERSONAL_FIELD = /^(?:body_data\.|header_data\.|button_params\[|media_url$)/;

/**
 * Fills the template in for each recipient who brings values.
 *
 * @param others recipients who bring none
 * @param at when the campaign is sent
 * @returns fields that the campaign leaves to its recipients
 * @throws DomainError 400 naming what is missing, or what does not fit, and for whom
 */
export function fieldsLeftToRecipients(
  read: ParsedTemplate,
  content: CampaignContent,
  listed: readonly ListedRecipient[],
  others: readonly GroupContact[],
  at: Date,
): string[] {
  const missing = (personal: PersonalValues | null): readonly string[] =>
    renderPartially(read, sendingInput(content, personal, standIn), at).missing;
  const common = missing(null);
  const isPersonal = listed.some((recipient) => recipient.personal !== null);
  if (!isPersonal || !common.every((field) => PERSONAL_FIELD.test(field))) {
    if (common.length > 0) throw valuesMissing(read.template, common);
    return [];
  }
  const lacking: string[] = [];
  const note = (phone: string, fields: readonly string[]): void => {
    if (fields.length > 0) lacking.push(`${phone} (${fields.join(', ')})`);
  };
  for (const { phoneNumber, personal, place } of listed) {
    note(phoneNumber, personal === null ? common : ofRecipient(place, () => missing(personal)));
  }
  for (const { phoneNumber, userId } of others) note(phoneNumber ?? userId ?? '', common);
  if (lacking.length === 0) return [...common];
  const more = lacking.length > MAX_NAMED ? ` and ${lacking.length - MAX_NAMED} more` : '';
  throw badRequest(
    `template ${read.template.name} requires values that these contacts lack: ` +
      lacking.slice(0, MAX_NAMED).join(', ') +
      more,
  );
}

/** @throws DomainError 400 for a personal `media_url` that leads nowhere public, as far as that shows without asking */
export function checkMediaAddresses(listed: readonly ListedRecipient[], guard: EgressGuard): void {
  for (const { personal, place } of listed) {
    const { mediaUrl } = personal ?? {};
    if (mediaUrl === undefined) continue;
    try {
      guard.inspect(mediaUrl);
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      throw badRequest(`contacts[${place}].media_url ${error.message}`);
    }
  }
}

function ofRecipient<T>(place: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? badRequest(`contacts[${place}]: ${error.message}`) : error;
  }
}
