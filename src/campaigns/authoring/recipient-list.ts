import { EgressError } from '../../egress/egress-error.js';
import type { EgressGuard } from '../../egress/egress-guard.js';
import { badRequest, DomainError } from '../../errors/domain-error.js';
import type { GroupContact } from '../../groups/group-members.queries.js';
import { type ParsedTemplate, renderPartially, valuesMissing } from '../../templates/rendering/template-message.js';
import { normalisePhoneNumber, type PhoneNumber } from '../../values/phone-number.js';
import { type CampaignContent, type PersonalValues, placeholderFor, sendingInput } from './campaign-content.js';

/** Recipients per campaign. */
export const MAX_CONTACTS = 10_000;
/** Groups per campaign. */
export const MAX_GROUPS = 1000;
/** Phone numbers listed in one error message. */
const MAX_PHONES_IN_ERROR = 10;

/** A recipient as given by the caller. */
export interface RecipientInput {
  readonly phone: string;
  readonly name: string | null;
  /** Values for this recipient only. */
  readonly personal: PersonalValues | null;
}

/** A recipient with a valid phone number. */
export interface ListedRecipient extends Omit<RecipientInput, 'phone'> {
  readonly phoneNumber: PhoneNumber;
  /** Index in the caller's list, from 0. */
  readonly index: number;
}

/** Normalises and deduplicates phone numbers; the first entry for a number wins. Returns invalid phones as given. */
export function listRecipients(given: readonly RecipientInput[]): { valid: ListedRecipient[]; invalid: string[] } {
  const valid = new Map<PhoneNumber, ListedRecipient>();
  const invalid: string[] = [];
  for (const [index, { phone, name, personal }] of given.entries()) {
    const phoneNumber = normalisePhoneNumber(phone);
    if (phoneNumber === null) invalid.push(phone);
    else if (!valid.has(phoneNumber))
      valid.set(phoneNumber, { phoneNumber, name: name?.trim() || null, personal, index });
  }
  return { valid: [...valid.values()], invalid };
}

/**
 * Group members who are not also listed individually.
 *
 * @throws DomainError 400 when there are no recipients at all, or too many
 */
export function unlistedMembers(
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
        ? 'the campaign has no recipients: the groups in group_ids are empty and contacts has no valid phone number'
        : 'contacts has no valid phone number',
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

/** Matches fields that a recipient can have a value of its own for. */
const PERSONAL_FIELD = /^(?:body_data\.|header_data\.|button_params\[|media_url$)/;

/**
 * Test-renders the template for every recipient with values of its own.
 *
 * @param others recipients without values of their own
 * @param at when the campaign will be sent
 * @returns required fields that the campaign leaves out and every recipient supplies
 * @throws DomainError 400 naming the missing or invalid values and whose they are
 */
export function fieldsLeftToRecipients(
  read: ParsedTemplate,
  content: CampaignContent,
  listed: readonly ListedRecipient[],
  others: readonly GroupContact[],
  at: Date,
): string[] {
  const missing = (personal: PersonalValues | null): readonly string[] =>
    renderPartially(read, sendingInput(content, personal, placeholderFor), at).missing;
  const common = missing(null);
  const isPersonal = listed.some((recipient) => recipient.personal !== null);
  if (!isPersonal || !common.every((field) => PERSONAL_FIELD.test(field))) {
    if (common.length > 0) throw valuesMissing(read.template, common);
    return [];
  }
  const incomplete: string[] = [];
  const addMissing = (phone: string, fields: readonly string[]): void => {
    if (fields.length > 0) incomplete.push(`${phone} (${fields.join(', ')})`);
  };
  for (const { phoneNumber, personal, index } of listed) {
    addMissing(phoneNumber, personal === null ? common : namingRecipient(index, () => missing(personal)));
  }
  for (const { phoneNumber, userId } of others) addMissing(phoneNumber ?? userId ?? '', common);
  if (incomplete.length === 0) return [...common];
  const more = incomplete.length > MAX_PHONES_IN_ERROR ? ` and ${incomplete.length - MAX_PHONES_IN_ERROR} more` : '';
  throw badRequest(
    `template ${read.template.name} requires values that these contacts lack: ` +
      incomplete.slice(0, MAX_PHONES_IN_ERROR).join(', ') +
      more,
  );
}

/** @throws DomainError 400 for a recipient's `media_url` that is visibly not public; makes no network request */
export function checkMediaUrls(listed: readonly ListedRecipient[], guard: EgressGuard): void {
  for (const { personal, index } of listed) {
    const { mediaUrl } = personal ?? {};
    if (mediaUrl === undefined) continue;
    try {
      guard.inspect(mediaUrl);
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      throw badRequest(`contacts[${index}].media_url ${error.message}`);
    }
  }
}

function namingRecipient<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? badRequest(`contacts[${index}]: ${error.message}`) : error;
  }
}
