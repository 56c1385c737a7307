import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { type EnsuredContact, ensureContacts } from '../contacts/identity/ensured-contacts.queries.js';
import { BULK_STATEMENT_MS } from '../database/connections/deadlines.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { EgressGuard } from '../egress/egress-guard.js';
import { GroupsService } from '../groups/groups.service.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import { SenderPhoneService } from '../messages/sending/sender-phone.service.js';
import { SendingMediaService } from '../messages/sending/sending-media.service.js';
import { TemplateCatalogService } from '../templates/rendering/template-catalog.service.js';
import { parseTemplate } from '../templates/rendering/template-message.js';
import { now } from '../values/clock.js';
import type { Page, Paged } from '../values/page.js';
import { newRecordId } from '../values/record-id.js';
import { type CampaignContent, renderCommon } from './authoring/campaign-content.js';
import {
  checkMediaUrls,
  fieldsLeftToRecipients,
  type ListedRecipient,
  listRecipients,
  MAX_CONTACTS,
  type RecipientInput,
  unlistedMembers,
} from './authoring/recipient-list.js';
import { futureInstant } from './authoring/schedule-rules.js';
import { Campaign, type CampaignStatus } from './campaign.entity.js';
import {
  type CountedCampaign,
  findCampaign,
  insertRecipients,
  listCampaigns,
  type NewRecipient,
} from './campaign.queries.js';
import { campaignNotFound } from './campaigns.errors.js';
import type { SendWindow } from './dispatch/send-window-rules.js';

/** A new campaign as requested by the caller. */
export interface CampaignDraft {
  readonly name: string;
  readonly description: string | null;
  readonly templateName: string;
  readonly templateLanguage: string | null;
  readonly recipients: readonly RecipientInput[];
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
  readonly maxFailurePercent: number | null;
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

/** Creates and reads campaigns. */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sender: SenderPhoneService,
    private readonly templates: TemplateCatalogService,
    private readonly media: SendingMediaService,
    private readonly groups: GroupsService,
    private readonly egress: EgressGuard,
  ) {}

  /**
   * Creates a campaign: checks template, variables and times, normalises phone numbers, then stores contacts, campaign
   * and recipients in one transaction.
   *
   * @throws DomainError 404 for an unknown template or group, 403 for another account's business phone, 400 for
   *   invalid times, variables, media or phone numbers
   */
  async create({ accountId }: Caller, draft: CampaignDraft): Promise<CreatedCampaign> {
    const { groupIds } = draft;
    const reads = this.unitOfWork.reads(accountId);
    const members =
      groupIds.length === 0 ? [] : await this.groups.recipients(accountId, groupIds, MAX_CONTACTS + 1, reads);
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
    const { valid, invalid } = listRecipients(draft.recipients);
    const others = unlistedMembers(members, valid, groupIds.length > 0);
    const read = parseTemplate(template);
    const sendsAt = scheduledAt ?? createdAt;
    const left = fieldsLeftToRecipients(read, draft.content, valid, others, sendsAt);
    const content = left.length === 0 ? draft.content : { ...draft.content, leftToRecipients: left };
    checkMediaUrls(valid, this.egress);
    await this.media.check(renderCommon(read, content, sendsAt).media);
    const campaign = {
      id: newRecordId(),
      name: draft.name,
      description: draft.description,
      templateId: template.id,
      templateName: template.name,
      businessPhoneId: chosen?.id ?? template.businessPhoneId,
      content,
      status: scheduledAt === null ? ('draft' as const) : ('scheduled' as const),
      totalContacts: valid.length + others.length,
      scheduledAt,
      scheduledTimezone: draft.scheduledTimezone,
      ...timing,
      maxFailurePercent: draft.maxFailurePercent,
    };
    const store = async (tx: Tx): Promise<void> => {
      const contacts = await ensureContacts(accountId, valid, 'campaign', tx);
      await tx.manager.insert(Campaign, { ...campaign, accountId, createdAt });
      const recipients = [
        ...withContacts(valid, contacts),
        ...others.map(({ id }) => ({ contactId: id, personal: null })),
      ];
      await insertRecipients(accountId, campaign.id, recipients, tx);
      await noteRecordOfKey(campaign.id, tx);
    };
    await this.unitOfWork.writes(accountId).transaction(store, { statementMs: BULK_STATEMENT_MS });
    return { ...campaign, createdAt, invalidPhones: invalid };
  }

  /** What {@link create} returned, for a request that is repeated. @throws DomainError 404 */
  async recoverCreated(
    accountId: string,
    campaignId: string,
    given: readonly RecipientInput[],
  ): Promise<CreatedCampaign> {
    const campaign = await this.get(accountId, campaignId);
    return {
      ...campaign,
      status: campaign.scheduledAt === null ? 'draft' : 'scheduled',
      invalidPhones: listRecipients(given).invalid,
    };
  }

  /** @throws DomainError 404 */
  async get(accountId: string, campaignId: string): Promise<Campaign> {
    const campaign = await this.unitOfWork.reads(accountId).manager.findOneBy(Campaign, { accountId, id: campaignId });
    if (campaign === null) throw campaignNotFound(campaignId);
    return campaign;
  }

  /** A campaign with its current counters. @throws DomainError 404 */
  async getWithCounts(accountId: string, campaignId: string): Promise<CountedCampaign> {
    const campaign = await findCampaign(accountId, campaignId, this.unitOfWork.reads(accountId));
    if (campaign === null) throw campaignNotFound(campaignId);
    return campaign;
  }

  /**
   * A page of campaigns with their counters, newest first.
   *
   * @param status null: any
   */
  list(accountId: string, status: CampaignStatus | null, page: Page): Promise<Paged<CountedCampaign>> {
    return listCampaigns(accountId, status, page, this.unitOfWork.reads(accountId));
  }
}

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

/** Pairs recipients with their contacts, in the order given by the caller. */
function withContacts(listed: readonly ListedRecipient[], contacts: readonly EnsuredContact[]): NewRecipient[] {
  const ids = new Map(contacts.map(({ phoneNumber, id }) => [phoneNumber, id]));
  return listed.flatMap(({ phoneNumber, personal }) => {
    const contactId = ids.get(phoneNumber);
    return contactId === undefined ? [] : [{ contactId, personal }];
  });
}
