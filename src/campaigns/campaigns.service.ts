import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { BULK_STATEMENT_MS } from '../database/connections/deadlines.js';
import { withRetries } from '../database/connections/with-retries.js';
import { SecretBox } from '../database/secrets/secret-box.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import type { GroupContact, GroupRecipients } from '../groups/group-members.queries.js';
import { GroupsService } from '../groups/groups.service.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import { type EnsuredContact, ensureContacts } from '../people/ensured-contacts.queries.js';
import { knownNumbers } from '../people/known-numbers.queries.js';
import { isIdentityRace } from '../people/learning.js';
import { eachInSlices } from '../runtime/slices.js';
import { SenderPhoneService } from '../sending/single/sender-phone.service.js';
import { SendingMediaService } from '../sending/single/sending-media.service.js';
import { TemplateCatalogService } from '../templates/rendering/template-catalog.service.js';
import { parseTemplate } from '../templates/rendering/template-message.js';
import { holdTemplate } from '../templates/template-deletion.queries.js';
import { now } from '../values/clock.js';
import type { Country } from '../values/numbering-plans.js';
import type { Page } from '../values/page.js';
import { newRecordId } from '../values/record-id.js';
import { renderCommon } from './authoring/campaign-content.js';
import { sealContent, sealRecipients } from './authoring/one-time-codes.js';
import {
  checkMediaUrls,
  fieldsLeftToRecipients,
  type ListedRecipient,
  type ListedRecipients,
  MAX_CONTACTS,
  type RecipientInput,
  readRecipients,
  unlistedMembers,
} from './authoring/recipient-list.js';
import { checkOrder, endOfOffer, futureInstant } from './authoring/schedule-rules.js';
import { Campaign } from './campaign.entity.js';
import type { CampaignContent, SendWindow } from './campaign.js';
import { insertRecipients, type NewRecipient, requireCampaign } from './campaign.queries.js';
import {
  type CampaignFilter,
  type CountedCampaign,
  findCampaign,
  type ListedCampaigns,
  listCampaigns,
} from './campaign-list.queries.js';
import { campaignNotFound } from './campaigns.errors.js';
import { type CampaignPace, paceOf } from './progress/campaign-pace.queries.js';

/** Attempts to create a campaign while contacts of its recipients are being merged. */
const MAX_TRIES = 5;

/** A new campaign as requested by the caller. */
export interface CampaignDraft {
  readonly name: string;
  readonly description: string | null;
  readonly templateName: string;
  readonly templateLanguage: string | null;
  readonly recipients: readonly RecipientInput[];
  /** Where their numbers may be dialled without a country code; null: nowhere. */
  readonly defaultCountry: Country | null;
  /** Groups whose members are recipients too. */
  readonly groupIds: readonly string[];
  readonly wabaPhoneId: string | null;
  /** When to send it automatically, ISO 8601; null: when the caller sends it. */
  readonly scheduledAt: string | null;
  /** Time zone of local times; null: UTC. */
  readonly scheduledTimezone: string | null;
  readonly content: CampaignContent;
  /** Its time zone defaults to {@link scheduledTimezone}. */
  readonly sendWindow: (Omit<SendWindow, 'timezone'> & Partial<Pick<SendWindow, 'timezone'>>) | null;
  /** ISO 8601; without an offset, in {@link scheduledTimezone}. */
  readonly sendBefore: string | null;
  /** 0: it never pauses itself. */
  readonly maxFailurePercent: number;
}

/** A campaign that was just created. */
export interface CreatedCampaign {
  readonly id: string;
  readonly name: string;
  readonly status: 'draft' | 'scheduled';
  readonly totalContacts: number;
  readonly createdAt: Date;
  /** As given. */
  readonly invalidPhones: string[];
}

/** A campaign with its counters, and how fast it is sent. */
export interface PacedCampaign extends CountedCampaign {
  readonly pace: CampaignPace;
}

/** Creates and reads campaigns. */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sender: SenderPhoneService,
    private readonly templates: TemplateCatalogService,
    private readonly media: SendingMediaService,
    private readonly groups: GroupsService,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Creates a campaign: checks template, variables and times, normalises phone numbers, then stores contacts, campaign
   * and recipients in one transaction.
   *
   * @throws DomainError 404 for an unknown template or group, 403 for another account's business phone, 400 for
   *   invalid times, variables, media or phone numbers
   */
  async create({ accountId, userId, source }: Caller, draft: CampaignDraft): Promise<CreatedCampaign> {
    const { groupIds } = draft;
    const reads = this.unitOfWork.reads(accountId);
    const { members, names: groupNames } =
      groupIds.length === 0 ? NO_GROUPS : await this.groups.recipients(accountId, groupIds, MAX_CONTACTS + 1, reads);
    const requested = { name: draft.templateName, language: draft.templateLanguage };
    const chosen =
      draft.wabaPhoneId === null ? null : await this.sender.choose(accountId, draft.wabaPhoneId, requested);
    const template = await this.templates.findForCampaign(accountId, { ...requested, phone: chosen });
    const createdAt = now();
    const timing = timingOf(draft, createdAt);
    const scheduledAt =
      draft.scheduledAt === null
        ? null
        : futureInstant('scheduled_at', draft.scheduledAt, draft.scheduledTimezone, createdAt);
    checkOrder(scheduledAt, timing.sendBefore);
    const { valid, invalid } = await this.readRecipients(accountId, draft.recipients, draft.defaultCountry);
    const others = unlistedMembers(members, { valid, invalid }, groupIds.length > 0);
    const read = parseTemplate(template);
    const sendsAt = scheduledAt ?? createdAt;
    const left = await fieldsLeftToRecipients(read, draft.content, valid, others, sendsAt);
    const complete = left.length === 0 ? draft.content : { ...draft.content, leftToRecipients: left };
    await checkMediaUrls(valid, this.media);
    const documentName = await this.media.check(accountId, renderCommon(read, complete, sendsAt).media);
    const content = documentName === null ? complete : { ...complete, documentName };
    const id = newRecordId();
    const hasCodes = template.category === 'AUTHENTICATION';
    const campaign = {
      id,
      name: draft.name,
      description: draft.description,
      templateId: template.id,
      templateName: template.name,
      businessPhoneId: chosen?.id ?? template.businessPhoneId,
      ...(hasCodes ? sealContent(accountId, id, content, this.secrets) : { content, code: null }),
      status: scheduledAt === null ? ('draft' as const) : ('scheduled' as const),
      scheduledAt,
      scheduledTimezone: draft.scheduledTimezone,
      ...timing,
      offerEndsAt: read.content.limitedTimeOffer === null ? null : endOfOffer(content.expirationTimeMs),
      maxFailurePercent: draft.maxFailurePercent,
      createdBy: userId,
      createdSource: source,
      groupNames: [...groupNames],
      invalidPhones: invalid.length,
    };
    const store = async (tx: Tx): Promise<number> => {
      await holdTemplate(accountId, template, tx);
      const contacts = await ensureContacts(accountId, valid, 'campaign', tx);
      const recipients = await withContacts(valid, contacts, others);
      const totalContacts = recipients.length;
      const duplicates = draft.recipients.length - invalid.length + members.length - totalContacts;
      await tx.manager.insert(Campaign, { ...campaign, totalContacts, duplicates, accountId, createdAt });
      const stored = hasCodes ? await sealRecipients(accountId, id, recipients, this.secrets) : recipients;
      await insertRecipients(accountId, campaign.id, stored, tx);
      await noteRecordOfKey(campaign.id, tx);
      return totalContacts;
    };
    const once = () => this.unitOfWork.writes(accountId).transaction(store, { statementMs: BULK_STATEMENT_MS });
    const totalContacts = await withRetries(once, isIdentityRace, MAX_TRIES);
    return { ...campaign, totalContacts, createdAt, invalidPhones: invalid };
  }

  /** What {@link create} returned, for a request that is repeated. @throws DomainError 404 */
  async recoverCreated(
    accountId: string,
    campaignId: string,
    given: readonly RecipientInput[],
    defaultCountry: Country | null,
  ): Promise<CreatedCampaign> {
    const campaign = await requireCampaign(accountId, campaignId, this.unitOfWork.reads(accountId));
    return {
      ...campaign,
      status: campaign.scheduledAt === null ? 'draft' : 'scheduled',
      invalidPhones: (await this.readRecipients(accountId, given, defaultCountry)).invalid,
    };
  }

  private readRecipients(
    accountId: string,
    given: readonly RecipientInput[],
    country: Country | null,
  ): Promise<ListedRecipients> {
    return readRecipients(given, country, (numbers) =>
      knownNumbers(accountId, numbers, this.unitOfWork.reads(accountId)),
    );
  }

  /** A campaign with its current counters. @throws DomainError 404 */
  async getWithCounts(accountId: string, campaignId: string): Promise<CountedCampaign> {
    const campaign = await findCampaign(accountId, campaignId, this.unitOfWork.reads(accountId));
    if (campaign === null) throw campaignNotFound(campaignId);
    return campaign;
  }

  /** A campaign with its current counters, and how fast it is sent. @throws DomainError 404 */
  async getWithPace(accountId: string, campaignId: string): Promise<PacedCampaign> {
    const counted = await this.getWithCounts(accountId, campaignId);
    return { ...counted, pace: await paceOf(accountId, counted.campaign, this.unitOfWork.reads(accountId)) };
  }

  /** A page of campaigns with their counters, newest first, and how many there are by status. */
  list(accountId: string, filter: CampaignFilter, page: Page): Promise<ListedCampaigns> {
    return listCampaigns(accountId, filter, page, this.unitOfWork.reads(accountId));
  }
}

const NO_GROUPS: GroupRecipients = { members: [], names: [] };
const LONG_AGO = new Date(0);

/**
 * The send window and deadline. The campaign is stored as closed: its first opening is planned when it starts.
 *
 * @throws DomainError 400 for a deadline that has passed or does not exist in its time zone
 */
function timingOf(
  { scheduledTimezone, sendWindow: window, sendBefore: deadline }: CampaignDraft,
  at: Date,
): Pick<Campaign, 'sendWindow' | 'sendBefore' | 'closesAt'> {
  const sendBefore = deadline === null ? null : futureInstant('send_before', deadline, scheduledTimezone, at);
  const sendWindow = window && {
    from: window.from,
    to: window.to,
    timezone: window.timezone ?? scheduledTimezone ?? 'UTC',
  };
  return { sendWindow, sendBefore, closesAt: LONG_AGO };
}

/**
 * Pairs recipients with their contacts, in the order given by the caller and group members after them. A person whom the
 * network knows by several of the numbers counts once.
 */
async function withContacts(
  listed: readonly ListedRecipient[],
  contacts: readonly EnsuredContact[],
  others: readonly GroupContact[],
): Promise<NewRecipient[]> {
  const ids = new Map<string, string>();
  await eachInSlices(contacts, ({ identity, id }) => ids.set(identity, id));
  const recipients = new Map<string, NewRecipient>();
  await eachInSlices(listed, ({ phoneNumber, personal }) => {
    const contactId = ids.get(phoneNumber);
    if (contactId !== undefined && !recipients.has(contactId)) {
      recipients.set(contactId, { contactId, personal, code: null });
    }
  });
  for (const { id: contactId } of others) {
    if (!recipients.has(contactId)) recipients.set(contactId, { contactId, personal: null, code: null });
  }
  return [...recipients.values()];
}
