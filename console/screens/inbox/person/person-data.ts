import type {
  CampaignRecord,
  ConsentDecisionRecord,
  ContactRecord,
  ConversationRecord,
  GroupRecord,
} from '../../../../clients/typescript/src/generated/schema.js';
import { accountId } from '../../../data/account.js';
import { parley } from '../../../data/api.js';
import { hasStatus } from '../../../data/failure.js';
import { readPhones } from '../business-phones.js';

export type Contact = ContactRecord;

/** How many campaigns of somebody are shown at first, and how many at most. */
export const FIRST_CAMPAIGNS = 5;
const MAX_CAMPAIGNS = 100;
const MAX_LISTED = 100;

export const contactKey = (id: string): readonly string[] => ['contact', accountId.value ?? '', id];

/** The record of a person; null when it was deleted or erased. */
export async function readContact(id: string, signal: AbortSignal): Promise<Contact | null> {
  try {
    return (await parley.contacts.get(id, { signal })).contact;
  } catch (error) {
    if (hasStatus(error, 404)) return null;
    throw error;
  }
}

/** The decision in force about marketing; null when nobody has decided. */
export async function readDecision(id: string, signal: AbortSignal): Promise<ConsentDecisionRecord | null> {
  const { consent } = await parley.contacts.consentOf(id, { limit: 1 }, { signal });
  return consent[0] ?? null;
}

/** What else there is of a person. */
export interface Elsewhere {
  readonly groups: readonly GroupRecord[];
  readonly conversations: readonly ConversationRecord[];
  /** The digits of each business phone, by its record’s id. */
  readonly phones: ReadonlyMap<string, string>;
}

/** Groups and conversations of a person. */
export async function readElsewhere(id: string, signal: AbortSignal): Promise<Elsewhere> {
  const query = { contact_id: id, limit: MAX_LISTED };
  const [{ groups }, { conversations }, phones] = await Promise.all([
    parley.groups.list(query, { signal }),
    parley.conversations.list(query, { signal }),
    readPhones(signal),
  ]);
  return { groups, conversations, phones: new Map(phones.map((one) => [one.waba_phone_id, one.phone])) };
}

/** The campaigns that a person is in, the newest first. */
export async function readCampaigns(
  id: string,
  isEvery: boolean,
  signal: AbortSignal,
): Promise<{ readonly campaigns: readonly CampaignRecord[]; readonly total: number }> {
  const limit = isEvery ? MAX_CAMPAIGNS : FIRST_CAMPAIGNS;
  const { campaigns, total } = await parley.campaigns.list({ contact_id: id, limit }, { signal });
  return { campaigns, total };
}
