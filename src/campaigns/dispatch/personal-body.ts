import type { Contact } from '../../contacts/contact.entity.js';
import { isDefaultName } from '../../contacts/contact-name.js';
import { DomainError } from '../../errors/domain-error.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import { templateBody } from '../../messages/sending/template-body.js';
import type { NeededMedia } from '../../templates/rendering/template-filling.js';
import { type ParsedTemplate, renderPartially } from '../../templates/rendering/template-message.js';
import type { Template } from '../../templates/template.entity.js';
import {
  type CampaignContent,
  type ContactFieldValue,
  type PersonalValues,
  sendingInput,
  usesContactFields,
} from '../authoring/campaign-content.js';

/** How to make a campaign's per-recipient messages. */
export interface PersonalPlan {
  readonly template: Template;
  readonly read: ParsedTemplate;
  readonly content: CampaignContent;
  /** Whether even recipients without values of their own need a message of their own. */
  readonly always: boolean;
  readonly at: Date;
}

/** A recipient with the current fields of its contact. */
export interface PersonalRecipient extends Readonly<Pick<Contact, 'firstName' | 'lastName' | 'email' | 'company'>> {
  readonly phoneNumber: string | null;
  readonly personal: PersonalValues | null;
}

/** The message of one recipient. */
export interface PersonalMessage {
  /** The request body for the network, without the recipient and our message id. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The text a person would read. */
  readonly content: string;
  /** The recipient's own file, to be checked before sending. */
  readonly media: NeededMedia | null;
}

/** Why a recipient cannot be sent to. */
export interface PersonalFault {
  readonly fault: { readonly code: number; readonly message: string };
}

export const personalPlan = (
  template: Template,
  read: ParsedTemplate,
  content: CampaignContent,
  at: Date,
): PersonalPlan => ({
  template,
  read,
  content,
  always: usesContactFields(content) || (content.leftToRecipients ?? []).length > 0,
  at,
});

/** The message of a recipient; null when it is the shared one. */
export function personalMessage(
  plan: PersonalPlan,
  recipient: PersonalRecipient,
): PersonalMessage | PersonalFault | null {
  const { template, read, content, always, at } = plan;
  const { personal } = recipient;
  if (personal === null && !always) return null;
  try {
    const input = sendingInput(content, personal, (value) => contactValue(recipient, value));
    const { missing, media, ...rendered } = renderPartially(read, input, at);
    if (missing.length > 0) return valueFault(`The contact has no value for ${missing.join(', ')}.`);
    const own = personal?.mediaUrl === undefined ? undefined : media.find(({ url }) => url === personal.mediaUrl);
    return { body: templateBody(template, rendered), content: rendered.content, media: own ?? null };
  } catch (error) {
    if (error instanceof DomainError) return valueFault(error.message);
    throw error;
  }
}

/** A fault for missing or invalid values. */
export const valueFault = (message: string): PersonalFault => ({
  fault: { code: MESSAGE_ERRORS.valueMissing.code, message },
});

/** The value of a variable filled from the contact; empty when it has none. */
function contactValue(
  { firstName, lastName, email, company, phoneNumber }: PersonalRecipient,
  { contactField, fallback }: ContactFieldValue,
): string {
  const fields = {
    // A default name is our placeholder, not the person's name.
    first_name: isDefaultName(firstName) ? null : firstName,
    last_name: lastName,
    email,
    company,
    phone_number: phoneNumber,
  };
  return fields[contactField]?.trim() || fallback || '';
}
