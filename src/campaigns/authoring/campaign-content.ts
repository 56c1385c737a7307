import type { ButtonInput, MediaInput, SendingInput } from '../../templates/rendering/sending-input.js';
import type { FillingOptions } from '../../templates/rendering/template-filling.js';
import {
  type ParsedTemplate,
  type RenderedTemplate,
  renderPartially,
  valuesMissing,
} from '../../templates/rendering/template-message.js';
import type { CampaignContent, ContactFieldValue, PersonalValues } from '../campaign.js';

/** Whether any variable is filled from the contact, so that every message differs. */
export const usesContactFields = ({ bodyData }: CampaignContent): boolean =>
  Object.values(bodyData).some((value) => typeof value !== 'string');

/** What to show for a contact field when no contact is known: its fallback, else the bare `{{variable}}`. */
export const placeholderFor = ({ fallback }: ContactFieldValue, variable: string): string =>
  fallback ?? `{{${variable}}}`;

/** The template input for one recipient: the campaign's content with the recipient's own values on top. */
export function sendingInput(
  content: CampaignContent,
  personal: PersonalValues | null,
  fieldValue: (value: ContactFieldValue, variable: string) => string,
): SendingInput {
  const bodyData = withOverrides(content.bodyData, personal?.bodyData);
  return {
    ...content,
    bodyData: Object.fromEntries(
      Object.entries(bodyData).map(([key, value]) => [key, typeof value === 'string' ? value : fieldValue(value, key)]),
    ),
    headerData: withOverrides(content.headerData, personal?.headerData),
    buttonParams: mergeButtons(content.buttonParams, personal?.buttonParams),
    ...mediaOf(content, personal),
    filename: content.filename ?? (personal?.mediaUrl === undefined ? (content.documentName ?? null) : null),
  };
}

/** The recipient's own file, or the shared one. */
function mediaOf({ mediaUrl, mediaId }: CampaignContent, personal: PersonalValues | null): MediaInput {
  if (personal?.mediaUrl !== undefined) return { mediaUrl: personal.mediaUrl, mediaId: undefined };
  return { mediaUrl, mediaId };
}

/**
 * Renders the message all recipients share. If recipients have values of their own, it is only a template for theirs.
 *
 * @param options whether the content is that of a stored campaign
 * @throws DomainError 400 naming values that are invalid, or missing and not left to recipients
 */
export function renderCommon(
  template: ParsedTemplate,
  content: CampaignContent,
  at: Date,
  options: FillingOptions = {},
): RenderedTemplate {
  const { missing, ...rendered } = renderPartially(template, sendingInput(content, null, placeholderFor), at, options);
  const left = new Set(content.leftToRecipients);
  const notCovered = missing.filter((field) => !left.has(field));
  if (notCovered.length > 0) throw valuesMissing(template.template, notCovered);
  return rendered;
}

/** Normalises a variable name for comparison. */
export const variableKey = (name: string): string => name.trim().toLowerCase();

function withOverrides<Value>(
  own: Readonly<Record<string, Value>>,
  personal: Readonly<Record<string, Value>> | undefined,
): Readonly<Record<string, Value>> {
  if (personal === undefined) return own;
  const normalised = Object.entries(own).map(([name, value]) => [variableKey(name), value] as const);
  return { ...Object.fromEntries(normalised), ...personal };
}

function mergeButtons(own: readonly ButtonInput[], personal: readonly ButtonInput[] = []): readonly ButtonInput[] {
  if (personal.length === 0) return own;
  const shared = new Map(own.map((button) => [button.index, button]));
  // The recipient's own first, so that errors name their positions in the request.
  const byIndex = new Map<number, ButtonInput>();
  for (const { index, urlParam, payload, couponCode } of personal) {
    const known = byIndex.get(index) ?? shared.get(index);
    byIndex.set(index, {
      index,
      urlParam: urlParam ?? known?.urlParam ?? null,
      payload: payload ?? known?.payload ?? null,
      couponCode: couponCode ?? known?.couponCode ?? null,
    });
  }
  for (const [index, button] of shared) if (!byIndex.has(index)) byIndex.set(index, button);
  return [...byIndex.values()];
}
