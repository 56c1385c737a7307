import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { type EnsuredContact, ensureContacts } from '../contacts/ensured-contacts.queries.js';
import { BULK_STATEMENT_MS } from '../database/deadlines.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import { SenderPhone } from '../messages/sender-phone.service.js';
import { SendingMedia } from '../messages/sending-media.service.js';
import { TemplateCatalog } from '../templates/template-catalog.service.js';
import { renderTemplateMessage, type SendingInput } from '../templates/template-message.js';
import { now } from '../values/clock.js';
import { normalisePhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { newRecordId } from '../values/record-id.js';
import { Campaign } from './campaign.entity.js';
import { type CampaignCounts, countCampaign, insertRecipients } from './campaign.queries.js';
import { checkDeadline, instantOf } from './campaign-times.js';
import { campaignNotFound } from './campaigns.errors.js';
import type { SendWindow } from './send-window-rules.js';

/** A campaign as its maker describes it. */
export interface CampaignDraft {
  readonly name: string;
  readonly description: string | null;
  readonly templateName: string;
  readonly templateLanguage: string | null;
  readonly contacts: readonly { readonly phone: string; readonly name?: string | null }[];
  readonly wabaPhoneId: string | null;
  readonly content: SendingInput;
  /** In which local times are meant; null: UTC. */
  readonly timezone: string | null;
  /** Without a time zone of its own it is in {@link timezone}. */
  readonly sendWindow: (Omit<SendWindow, 'timezone'> & Partial<Pick<SendWindow, 'timezone'>>) | null;
  /** ISO 8601, in {@link timezone} where it has no offset. */
  readonly sendBefore: string | null;
  readonly maxFailurePercent: number | null;
}

/** A campaign just made. */
export interface CreatedCampaign {
  readonly id: string;
  readonly name: string;
  readonly status: 'draft' | 'scheduled';
  readonly totalContacts: number;
  readonly createdAt: Date;
  /** As given. */
  readonly invalidPhones: string[];
}

/** Makes campaigns and reads them. */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sender: SenderPhone,
    private readonly templates: TemplateCatalog,
    private readonly media: SendingMedia,
  ) {}

  /**
   * Makes a campaign: template and variables are checked, phones normalised, contacts made, recipients stored, all or
   * nothing.
   *
   * @throws DomainError 403 for a foreign phone, 404 for an unknown template, 400 for variables, media or phones
   */
  async create({ accountId }: Caller, draft: CampaignDraft): Promise<CreatedCampaign> {
    const timing = timingOf(draft, now());
    const wanted = { name: draft.templateName, language: draft.templateLanguage };
    const chosen = draft.wabaPhoneId === null ? null : await this.sender.choose(accountId, draft.wabaPhoneId, wanted);
    const template = await this.templates.findForCampaign(accountId, { ...wanted, phone: chosen });
    renderTemplateMessage(template, draft.content, now());
    await this.media.check(template, draft.content);
    const phoneId = chosen?.id ?? template.businessPhoneId;
    const { valid, invalid } = normaliseAll(draft.contacts);
    if (valid.length === 0) throw badRequest('contacts holds no valid phone number');
    const campaign = {
      id: newRecordId(),
      name: draft.name,
      description: draft.description,
      templateId: template.id,
      templateName: template.name,
      businessPhoneId: phoneId,
      content: draft.content,
      status: 'draft' as const,
      totalContacts: valid.length,
      scheduledAt: null,
      scheduledTimezone: draft.timezone,
      ...timing,
      maxFailurePercent: draft.maxFailurePercent,
    };
    const createdAt = now();
    const store = async (tx: Tx): Promise<void> => {
      const contacts = await ensureContacts(accountId, valid, 'campaign', tx);
      await tx.manager.insert(Campaign, { ...campaign, accountId, createdAt });
      await insertRecipients(accountId, campaign.id, inOrderOf(valid, contacts), tx);
      await noteRecordOfKey(campaign.id, tx);
    };
    await this.unitOfWork.writes(accountId).transaction(store, { statementMs: BULK_STATEMENT_MS });
    return { ...campaign, createdAt, invalidPhones: invalid };
  }

  /** A campaign that was just made, as {@link create} told of it. @throws DomainError 404 */
  async created(accountId: string, campaignId: string, contacts: CampaignDraft['contacts']): Promise<CreatedCampaign> {
    const campaign = await this.get(accountId, campaignId);
    return {
      ...campaign,
      status: campaign.scheduledAt === null ? 'draft' : 'scheduled',
      invalidPhones: normaliseAll(contacts).invalid,
    };
  }

  /** @throws DomainError 404 */
  async get(accountId: string, campaignId: string): Promise<Campaign> {
    const campaign = await this.unitOfWork.reads(accountId).manager.findOneBy(Campaign, { accountId, id: campaignId });
    if (campaign === null) throw campaignNotFound(campaignId);
    return campaign;
  }

  /** A campaign with what is counted of it, exact at this moment. @throws DomainError 404 */
  async stats(accountId: string, campaignId: string): Promise<{ campaign: Campaign; counts: CampaignCounts }> {
    const campaign = await this.get(accountId, campaignId);
    return { campaign, counts: await countCampaign(accountId, campaignId, this.unitOfWork.reads(accountId)) };
  }
}

const LONG_AGO = new Date(0);

/**
 * When the campaign may send. Window and messaging limit are looked at when it starts, so until then it is closed.
 *
 * @throws DomainError 400 for a deadline that is over or that no clock shows
 */
function timingOf(
  { timezone, sendWindow: window, sendBefore: deadline }: CampaignDraft,
  at: Date,
): Pick<Campaign, 'sendWindow' | 'sendBefore' | 'closesAt'> {
  const zone = timezone ?? 'UTC';
  const sendBefore = deadline === null ? null : instantOf('send_before', deadline, zone);
  checkDeadline(sendBefore, at);
  const sendWindow = window && { from: window.from, to: window.to, timezone: window.timezone ?? zone };
  return { sendWindow, sendBefore, closesAt: LONG_AGO };
}

/** The ids of contacts in the order in which their numbers were given. */
function inOrderOf(
  entries: readonly { readonly phoneNumber: PhoneNumber }[],
  contacts: readonly EnsuredContact[],
): string[] {
  const ids = new Map(contacts.map(({ phoneNumber, id }) => [phoneNumber, id]));
  return entries.flatMap(({ phoneNumber }) => ids.get(phoneNumber) ?? []);
}

/** Normalises phones and removes duplicates; the first name given for a number counts. */
function normaliseAll(contacts: CampaignDraft['contacts']): {
  valid: { phoneNumber: PhoneNumber; name: string | null }[];
  invalid: string[];
} {
  const names = new Map<PhoneNumber, string | null>();
  const invalid: string[] = [];
  for (const { phone, name } of contacts) {
    const phoneNumber = normalisePhoneNumber(phone);
    if (phoneNumber === null) invalid.push(phone);
    else names.set(phoneNumber, names.get(phoneNumber) ?? (name?.trim() || null));
  }
  return { valid: [...names].map(([phoneNumber, name]) => ({ phoneNumber, name })), invalid };
}
