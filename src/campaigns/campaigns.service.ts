import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { ensureContacts } from '../contacts/ensured-contacts.queries.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { badRequest } from '../errors/domain-error.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import { SendingMedia } from '../messages/sending-media.service.js';
import { SendingPlace } from '../messages/sending-place.service.js';
import { TemplateCatalog } from '../templates/template-catalog.service.js';
import { renderTemplateMessage, type SendingInput } from '../templates/template-message.js';
import { now } from '../values/clock.js';
import { normalisePhoneNumber, type PhoneNumber } from '../values/phone-number.js';
import { newRecordId } from '../values/record-id.js';
import { type CampaignRow, findCampaign, insertCampaign, insertRecipients } from './campaign.queries.js';
import { campaignNotFound } from './campaigns.errors.js';

/** A campaign as its maker describes it. */
export interface CampaignDraft {
  readonly name: string;
  readonly description: string | null;
  readonly templateName: string;
  readonly templateLanguage: string | null;
  readonly contacts: readonly { readonly phone: string; readonly name?: string | null }[];
  readonly wabaPhoneId: string | null;
  readonly content: SendingInput;
}

/** A campaign just made. */
export interface CreatedCampaign {
  readonly id: string;
  readonly name: string;
  readonly status: 'draft' | 'scheduled';
  readonly totalContacts: number;
  readonly created_at: Date;
  /** As given (D56). */
  readonly invalidPhones: string[];
}

/** Makes campaigns and reads them. */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly place: SendingPlace,
    private readonly templates: TemplateCatalog,
    private readonly media: SendingMedia,
  ) {}

  /**
   * Makes a campaign: template and variables are checked, phones normalised, contacts made, recipients stored, all or
   * nothing (SPEC §7).
   *
   * @throws DomainError 403 for a foreign phone, 404 for an unknown template, 400 for everything else SPEC §7 lists
   */
  async create({ accountId }: Caller, draft: CampaignDraft): Promise<CreatedCampaign> {
    const wanted = { name: draft.templateName, language: draft.templateLanguage };
    const chosen = draft.wabaPhoneId === null ? null : await this.place.choose(accountId, draft.wabaPhoneId, wanted);
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
      scheduledTimezone: null,
    };
    const createdAt = now();
    await this.unitOfWork.transaction(async (tx) => {
      const contacts = await ensureContacts(accountId, valid, 'campaign', tx);
      await insertCampaign(accountId, campaign, createdAt, tx);
      await insertRecipients(
        accountId,
        campaign.id,
        contacts.map(() => newRecordId()),
        contacts.map(({ id }) => id),
        tx,
      );
      await noteRecordOfKey(campaign.id, tx);
    });
    return { ...campaign, created_at: createdAt, invalidPhones: invalid };
  }

  /** A campaign that was just made, as {@link create} told of it. @throws DomainError 404 */
  async created(accountId: string, campaignId: string, contacts: CampaignDraft['contacts']): Promise<CreatedCampaign> {
    const campaign = await this.get(accountId, campaignId);
    return {
      ...campaign,
      status: campaign.scheduled_at === null ? 'draft' : 'scheduled',
      totalContacts: campaign.total_contacts,
      invalidPhones: normaliseAll(contacts).invalid,
    };
  }

  /** @throws DomainError 404 */
  async get(accountId: string, campaignId: string): Promise<CampaignRow> {
    const campaign = await findCampaign(accountId, campaignId, this.unitOfWork.autocommit);
    if (campaign === null) throw campaignNotFound(campaignId);
    return campaign;
  }
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
