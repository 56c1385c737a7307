import { DomainError } from '../../errors/domain-error.js';
import { MESSAGE_ERRORS } from '../../errors/error-catalog.js';
import type { Contact } from '../../people/contact.entity.js';
import { type FieldOf, fieldOf, type TextColumn } from '../../people/contact-columns.js';
import { isDefaultName } from '../../people/contact-name.js';
import { templateBody } from '../../sending/single/template-body.js';
import type { NeededLink, NeededMedia } from '../../templates/rendering/template-filling.js';
import { renderPartially } from '../../templates/rendering/template-message.js';
import { sendingInput } from '../authoring/campaign-content.js';
import { type ContactFieldValue, fillsSomething, type PersonalValues } from '../campaign.js';
import type { CampaignPlan } from '../planning/campaign-plan.js';

/** A recipient with the current fields of its contact. */
export interface PersonalRecipient extends Readonly<Pick<Contact, FieldOf<TextColumn>>> {
  readonly phoneNumber: string | null;
  readonly personal: PersonalValues | null;
}

/** The message of one recipient. */
export interface PersonalMessage {
  /** The request body for the network as JSON, without the recipient and our message id. */
  readonly body: string;
  /** The text a person would read. */
  readonly content: string;
  /** The one-time code in {@link body}; null for none. */
  readonly code: string | null;
  /** The recipient's own file, to be checked before sending. */
  readonly media: NeededLink | null;
}

/** Why a recipient cannot be sent to. */
export interface PersonalFault {
  readonly fault: { readonly code: number; readonly message: string };
}

/** Until when a recipient may not be sent to. */
export interface PersonalHold {
  readonly heldUntil: Date;
}

/**
 * The message of a recipient; null when it is the shared one.
 *
 * @param documentName for a document of its own that nothing else names
 */
export function personalMessage(
  { template, parsed, values, isPersonal, at }: CampaignPlan,
  recipient: PersonalRecipient,
  documentName: string | null = null,
): PersonalMessage | PersonalFault | null {
  const { personal } = recipient;
  if (!fillsSomething(personal) && !isPersonal) return null;
  try {
    const input = sendingInput(values, personal, (value) => contactValue(recipient, value));
    const named = documentName === null ? input : { ...input, filename: documentName };
    const { missing, media, ...rendered } = renderPartially(parsed, named, at, { isStored: true });
    if (missing.length > 0) return valueFault(`The contact has no value for ${missing.join(', ')}.`);
    const own = personal?.mediaUrl === undefined ? undefined : media.find(isLinkTo(personal.mediaUrl));
    return {
      body: JSON.stringify(templateBody(template, rendered)),
      content: rendered.content,
      code: rendered.code,
      media: own ?? null,
    };
  } catch (error) {
    if (error instanceof DomainError) return valueFault(error.message);
    throw error;
  }
}

const isLinkTo =
  (url: string) =>
  (media: NeededMedia): media is NeededLink =>
    'url' in media && media.url === url;

/** A fault for missing or invalid values. */
export const valueFault = (message: string): PersonalFault => ({
  fault: { code: MESSAGE_ERRORS.valueMissing.code, message },
});

/**
 * The value of a variable filled from the contact; empty when it has none. White space becomes a blank: the network
 * refuses line breaks and tabs, and the caller cannot know what a contact's fields hold.
 */
function contactValue(recipient: PersonalRecipient, { contactField, fallback }: ContactFieldValue): string {
  const value = recipient[fieldOf(contactField)];
  // A default name is our placeholder, not the person's name.
  const own = contactField === 'first_name' && isDefaultName(recipient.firstName) ? null : value;
  return own?.replace(/\s+/g, ' ').trim() || fallback || '';
}
