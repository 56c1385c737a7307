import type { ButtonInput, SendingInput } from '../../templates/rendering/sending-input.js';
import {
  type ParsedTemplate,
  type RenderedTemplate,
  renderPartially,
  valuesMissing,
} from '../../templates/rendering/template-message.js';

/** Fields of a contact that a variable may take its value from. */
export const CONTACT_FIELDS = ['first_name', 'last_name', 'email', 'company', 'phone_number'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

/** A variable that takes its value from the contact when its message is made. */
export interface ContactFieldValue {
  readonly contactField: ContactField;
  /** In place of a field that is empty; null: there is none. */
  readonly fallback: string | null;
}

/** The value of a variable in the body of a campaign. */
export type BodyValue = string | ContactFieldValue;

/** What one recipient brings, over what is the same for all; JSON-safe, keys of variables in lower case. */
export interface PersonalValues {
  readonly bodyData?: Readonly<Record<string, BodyValue>>;
  readonly headerData?: Readonly<Record<string, string>>;
  readonly buttonParams?: readonly ButtonInput[];
  readonly mediaUrl?: string;
}

/** What is the same for every recipient of a campaign: the template's variables and media, as given. */
export interface CampaignContent extends Omit<SendingInput, 'bodyData'> {
  readonly bodyData: Readonly<Record<string, BodyValue>>;
  /** Fields that the template needs and that every recipient brings; absent when there are none. */
  readonly leftToRecipients?: readonly string[];
}

/** Whether every message differs, because variables are filled in from the contact. */
export const readsContacts = ({ bodyData }: CampaignContent): boolean =>
  Object.values(bodyData).some((value) => typeof value !== 'string');

/** A field of the contact before there is a contact: its fallback, or else the variable stays as it is. */
export const standIn = ({ fallback }: ContactFieldValue, variable: string): string => fallback ?? `{{${variable}}}`;

/** What fills in the message of one recipient. */
export function sendingInput(
  content: CampaignContent,
  personal: PersonalValues | null,
  fieldValue: (value: ContactFieldValue, variable: string) => string,
): SendingInput {
  const bodyData = over(content.bodyData, personal?.bodyData);
  return {
    ...content,
    bodyData: Object.fromEntries(
      Object.entries(bodyData).map(([key, value]) => [key, typeof value === 'string' ? value : fieldValue(value, key)]),
    ),
    headerData: over(content.headerData, personal?.headerData),
    buttonParams: buttonsOver(content.buttonParams, personal?.buttonParams),
    mediaUrl: personal?.mediaUrl ?? content.mediaUrl,
  };
}

/**
 * What the messages have in common. Where recipients bring values it is not sent as it is.
 *
 * @throws DomainError 400 naming what is missing and not left to recipients, or what does not fit
 */
export function renderCommon(template: ParsedTemplate, content: CampaignContent, at: Date): RenderedTemplate {
  const { missing, ...rendered } = renderPartially(template, sendingInput(content, null, standIn), at);
  const left = new Set(content.leftToRecipients);
  const lacking = missing.filter((field) => !left.has(field));
  if (lacking.length > 0) throw valuesMissing(template.template, lacking);
  return rendered;
}

/** The form in which names of variables are compared. */
export const variableKey = (name: string): string => name.trim().toLowerCase();

function over<Value>(
  own: Readonly<Record<string, Value>>,
  personal: Readonly<Record<string, Value>> | undefined,
): Readonly<Record<string, Value>> {
  if (personal === undefined) return own;
  const normalised = Object.entries(own).map(([name, value]) => [variableKey(name), value] as const);
  return { ...Object.fromEntries(normalised), ...personal };
}

function buttonsOver(own: readonly ButtonInput[], personal: readonly ButtonInput[] = []): readonly ButtonInput[] {
  if (personal.length === 0) return own;
  const byIndex = new Map(own.map((button) => [button.index, button]));
  for (const { index, urlParam, payload, couponCode } of personal) {
    const known = byIndex.get(index);
    byIndex.set(index, {
      index,
      urlParam: urlParam ?? known?.urlParam ?? null,
      payload: payload ?? known?.payload ?? null,
      couponCode: couponCode ?? known?.couponCode ?? null,
    });
  }
  return [...byIndex.values()];
}
