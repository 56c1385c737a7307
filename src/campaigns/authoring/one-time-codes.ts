import type { SecretBox } from '../../database/secrets/secret-box.js';
import { mapInSlices } from '../../runtime/slices.js';
import { CODE_MASK, CODE_VARIABLE } from '../../templates/rendering/one-time-code.js';
import type { Campaign } from '../campaign.entity.js';
import { type BodyValue, type CampaignContent, type PersonalValues } from '../campaign.js';
import type { NewRecipient } from '../campaign.queries.js';
import { variableKey } from './campaign-content.js';
import { campaignCodePlace, recipientCodePlace } from './code-columns.js';

// One-time codes are stored apart from all other values, encrypted, and only until they are sent. A release from before
// that finds no value for the code and stops the campaign, which can be resumed.

const BLANK: CampaignContent = {
  bodyData: {},
  headerData: {},
  mediaUrl: null,
  filename: null,
  location: null,
  buttonParams: [],
  carouselData: null,
  expirationTimeMs: null,
};

/** The field that a recipient lacks if nobody has a code for it. */
const CODE_FIELD = `body_data.${CODE_VARIABLE}`;

/** The one-time code among values of the caller; null if there is none. As in a send, the last spelling wins. */
function codeIn(bodyData: Readonly<Record<string, BodyValue>> = {}): BodyValue | null {
  const given = Object.entries(bodyData).filter(([name]) => variableKey(name) === CODE_VARIABLE);
  const value = given.at(-1)?.[1] ?? null;
  return typeof value === 'string' && value.trim() === '' ? null : value;
}

/** The columns of a campaign's shared values, as they are stored. */
export type StoredContent = Pick<Campaign, 'content' | 'code'>;

/**
 * The values of a campaign with an AUTHENTICATION template as they are stored. Such templates take only the code.
 * Anything else is dropped, because it might be the code again.
 */
export function sealContent(
  accountId: string,
  campaignId: string,
  { bodyData }: Pick<CampaignContent, 'bodyData'>,
  secrets: SecretBox,
): StoredContent {
  const code = codeIn(bodyData);
  return {
    content: { ...BLANK, code: code === null ? 'own' : 'shared' },
    code: code === null ? null : secrets.seal(JSON.stringify(code), campaignCodePlace(accountId, campaignId)),
  };
}

/** The values of a recipient as they are stored. Values that are not null mark a recipient with a code of its own. */
export function sealRecipient(
  accountId: string,
  campaignId: string,
  position: number,
  personal: PersonalValues | null,
  secrets: SecretBox,
): Pick<NewRecipient, 'personal' | 'code'> {
  const code = codeIn(personal?.bodyData);
  const { reference } = personal ?? {};
  if (code === null) return { personal: reference === undefined ? null : { reference }, code: null };
  const place = recipientCodePlace(accountId, campaignId, position);
  return {
    personal: reference === undefined ? {} : { reference, hasCode: true },
    code: secrets.seal(JSON.stringify(code), place),
  };
}

/** Whether a recipient of a campaign with one-time codes was given one of its own. */
export const hadOwnCode = (personal: PersonalValues | null): boolean =>
  personal !== null && (personal.reference === undefined || personal.hasCode === true);

/** {@link sealRecipient} for the recipients of a new campaign, in sending order. */
export function sealRecipients(
  accountId: string,
  campaignId: string,
  recipients: readonly NewRecipient[],
  secrets: SecretBox,
): Promise<NewRecipient[]> {
  return mapInSlices(recipients, ({ contactId, personal }, position) => ({
    contactId,
    ...sealRecipient(accountId, campaignId, position, personal, secrets),
  }));
}

/** The values with the mask as the code: for checks and for callers, never for a send. */
export const maskedContent = (content: CampaignContent): CampaignContent =>
  content.code === undefined ? content : { ...content, bodyData: { [CODE_VARIABLE]: CODE_MASK } };

/**
 * The values with the code, to be sent. Without a shared code each recipient needs one of its own.
 *
 * @throws UnreadableSecret
 */
export function openContent(campaign: Campaign, secrets: SecretBox): CampaignContent {
  const { accountId, id, content, code } = campaign;
  if (content.code === undefined) return content;
  if (code === null) return { ...content, leftToRecipients: [CODE_FIELD] };
  return { ...content, bodyData: { [CODE_VARIABLE]: openValue(code, secrets, campaignCodePlace(accountId, id)) } };
}

/** A recipient's values as stored. */
export interface StoredRecipient {
  readonly position: number;
  readonly personal: PersonalValues | null;
  readonly code: string | null;
}

/**
 * The recipient's values with its code, to be sent.
 *
 * @throws UnreadableSecret
 */
export function openPersonal(
  accountId: string,
  campaignId: string,
  { position, personal, code }: StoredRecipient,
  secrets: SecretBox,
): PersonalValues | null {
  if (code === null) return personal;
  const value = openValue(code, secrets, recipientCodePlace(accountId, campaignId, position));
  return { ...personal, bodyData: { ...personal?.bodyData, [CODE_VARIABLE]: value } };
}

const openValue = (sealed: string, secrets: SecretBox, place: ReturnType<typeof campaignCodePlace>): BodyValue =>
  JSON.parse(secrets.open(sealed, place)) as BodyValue;
