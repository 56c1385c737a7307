import { EgressError } from '../../egress/egress-error.js';
import { badRequest, DomainError } from '../../errors/domain-error.js';
import type { GroupContact } from '../../groups/group-members.queries.js';
import { shown } from '../../http/field-rules.js';
import { settledNumber } from '../../people/known-numbers.queries.js';
import { eachInSlices, mapInSlices } from '../../runtime/slices.js';
import type { SendingMediaService } from '../../sending/single/sending-media.service.js';
import { type ParsedTemplate, renderPartially, valuesMissing } from '../../templates/rendering/template-message.js';
import { type NumberKey, numberKey } from '../../values/number-key.js';
import type { Country } from '../../values/numbering-plans.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import { readNumber } from '../../values/written-number.js';
import { type CampaignContent, fillsSomething, type PersonalValues } from '../campaign.js';
import { placeholderFor, sendingInput } from './campaign-content.js';

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

/** A caller's list: the recipients, and the phones that are no phone numbers, as given. */
export interface ListedRecipients {
  readonly valid: ListedRecipient[];
  readonly invalid: string[];
}

/**
 * Reads phone numbers and removes duplicates; the first entry for a person wins, in the spelling it gives. Returns invalid
 * phones as given.
 *
 * @param country where numbers without `+` or `00` may be dialled; null: nowhere
 * @param findKnown finds the numbers that contacts have
 */
export async function readRecipients(
  given: readonly RecipientInput[],
  country: Country | null,
  findKnown: (numbers: readonly PhoneNumber[]) => Promise<ReadonlySet<PhoneNumber>>,
): Promise<ListedRecipients> {
  const readings = await mapInSlices(given, ({ phone }) => readNumber(phone, country));
  const known = await findKnown(readings.flatMap(({ ifKnown }) => (ifKnown === null ? [] : [ifKnown])));
  const valid = new Map<NumberKey, ListedRecipient>();
  const invalid: string[] = [];
  await eachInSlices(given, ({ phone, name, personal }, index) => {
    const reading = readings[index];
    const phoneNumber = reading === undefined ? null : settledNumber(reading, known);
    if (phoneNumber === null) {
      invalid.push(phone);
      return;
    }
    const key = numberKey(phoneNumber);
    if (!valid.has(key)) valid.set(key, { phoneNumber, name: name?.trim() || null, personal, index });
  });
  return { valid: [...valid.values()], invalid };
}

/** Phones that a message names; it only counts the rest. */
const MAX_NAMED = 20;

function namesOf(invalid: readonly string[]): string {
  if (invalid.length === 0) return '';
  const rest = invalid.length - MAX_NAMED;
  return ` (got ${invalid.slice(0, MAX_NAMED).map(shown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
}

/**
 * Group members who are not also listed individually.
 *
 * @throws DomainError 400 when there are no recipients at all, or too many
 */
export function unlistedMembers(
  members: readonly GroupContact[],
  { valid: listed, invalid }: ListedRecipients,
  hasGroups: boolean,
): GroupContact[] {
  const keys = new Set(listed.map(({ phoneNumber }) => numberKey(phoneNumber)));
  const others = members.filter(({ phoneNumber }) => phoneNumber === null || !keys.has(numberKey(phoneNumber)));
  const total = listed.length + others.length;
  if (total === 0) {
    const none = `contacts has no valid phone number${namesOf(invalid)}`;
    throw badRequest(
      hasGroups ? `the campaign has no recipients: the groups in group_ids are empty and ${none}` : none,
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
export async function fieldsLeftToRecipients(
  read: ParsedTemplate,
  content: CampaignContent,
  listed: readonly ListedRecipient[],
  others: readonly GroupContact[],
  at: Date,
): Promise<string[]> {
  const missing = (personal: PersonalValues | null): readonly string[] =>
    renderPartially(read, sendingInput(content, personal, placeholderFor), at).missing;
  const common = missing(null);
  const isPersonal = listed.some(({ personal }) => fillsSomething(personal));
  if (!isPersonal || !common.every((field) => PERSONAL_FIELD.test(field))) {
    if (common.length > 0) throw valuesMissing(read.template, common);
    return [];
  }
  const incomplete: string[] = [];
  const addMissing = (phone: string, fields: readonly string[]): void => {
    if (fields.length > 0) incomplete.push(`${phone} (${fields.join(', ')})`);
  };
  await eachInSlices(listed, ({ phoneNumber, personal, index }) =>
    addMissing(phoneNumber, fillsSomething(personal) ? namingRecipient(index, () => missing(personal)) : common),
  );
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
export async function checkMediaUrls(listed: readonly ListedRecipient[], media: SendingMediaService): Promise<void> {
  await eachInSlices(listed, ({ personal, index }) => {
    const { mediaUrl } = personal ?? {};
    if (mediaUrl === undefined) return;
    try {
      media.inspect(mediaUrl);
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      throw badRequest(`contacts[${index}].media_url ${error.message}`);
    }
  });
}

function namingRecipient<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? badRequest(`contacts[${index}]: ${error.message}`) : error;
  }
}
