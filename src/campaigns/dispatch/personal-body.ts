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
  readsContacts,
  sendingInput,
} from '../authoring/campaign-content.js';

/** What personal messages of a campaign are made from. */
export interface PersonalPlan {
  readonly template: Template;
  readonly read: ParsedTemplate;
  readonly content: CampaignContent;
  /** Whether the message differs even for recipients who bring nothing. */
  readonly always: boolean;
  readonly at: Date;
}

/** A recipient, with what its contact's record says at this moment. */
export interface PersonalRecipient extends Readonly<Pick<Contact, 'firstName' | 'lastName' | 'email' | 'company'>> {
  readonly phoneNumber: string | null;
  readonly personal: PersonalValues | null;
}

/** The message of one recipient. */
export interface PersonalMessage {
  /** As the network takes it, without recipient and our id. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What a person would read. */
  readonly content: string;
  /** The recipient's own file, to be looked at before it is sent. */
  readonly media: NeededMedia | null;
}

/** Why a recipient is not sent to. */
export interface PersonalFault {
  readonly fault: { readonly code: number; readonly message: string };
}

/** The plan for the messages of a campaign, made once for all of them. */
export const personalPlan = (
  template: Template,
  read: ParsedTemplate,
  content: CampaignContent,
  at: Date,
): PersonalPlan => ({
  template,
  read,
  content,
  always: readsContacts(content) || (content.leftToRecipients ?? []).length > 0,
  at,
});

/** The message of a recipient, or null where it is the one that all have in common. */
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

/** A recipient whose values do not fill the message in. */
export const valueFault = (message: string): PersonalFault => ({
  fault: { code: MESSAGE_ERRORS.valueMissing.code, message },
});

/** The value of a variable that is filled in from the contact; empty when there is none. */
function contactValue(
  { firstName, lastName, email, company, phoneNumber }: PersonalRecipient,
  { contactField, fallback }: ContactFieldValue,
): string {
  const fields = {
    // A name that we made up ourselves tells a reader nothing.
    first_name: isDefaultName(firstName) ? null : firstName,
    last_name: lastName,
    email,
    company,
    phone_number: phoneNumber,
  };
  return fields[contactField]?.trim() || fallback || '';
}
