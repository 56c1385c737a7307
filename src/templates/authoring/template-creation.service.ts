import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { ConfigurationChanges } from '../../database/configuration-changes.js';
import { isContention, isTransient } from '../../database/connections/transient-errors.js';
import { withRetries } from '../../database/connections/with-retries.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { noteRecordOfKey } from '../../idempotency/record-notes.js';
import { SECOND } from '../../values/clock.js';
import { endsWithin } from '../../values/ends-within.js';
import { newRecordId } from '../../values/record-id.js';
import type { NetworkTemplate, TemplateRequest } from '../sync/network-template.js';
import { type AcceptedTemplate, NetworkTemplates } from '../sync/network-templates.js';
import type { CallerFields } from '../sync/template-description.js';
import { TemplateRefreshService } from '../sync/template-refresh.service.js';
import { storedTemplate } from '../sync/template-row.js';
import { insertTemplate, isNameTaken } from '../template.queries.js';
import { duplicateName, isDuplicateRefusal, networkFailure } from '../templates.errors.js';
import { ExampleMedia } from './example-media.js';
import { templateRequest } from './template-components.js';
import type { CarouselDraft, TemplateDraft } from './template-draft.js';

/** How long a caller waits for the first look at a new template; the look itself goes on. */
const MAX_POLL_MS = 3 * SECOND;
/** Tries of the transaction that stores an accepted template. */
const MAX_TRIES = 3;

/** The body that asks for a template; its types are checked. */
export interface TemplateOrder {
  toDraft(): TemplateDraft | CarouselDraft;
  /** @throws DomainError 422 `{detail}` for a broken rule, 400 for a missing `media_url` */
  check(): void;
}

/** The result of creating a template. */
export interface CreatedTemplate {
  readonly templateId: string;
  readonly metaTemplateId: string;
  /** The network's initial status, usually `PENDING`. */
  readonly metaStatus: string;
}

/**
 * Creates templates: checks the rules, uploads example files, submits to the network, then stores the row. Nothing is
 * stored before the network accepts the template, so a refusal leaves nothing behind. If an accepted template is
 * certainly not stored, it is deleted from the network again. If that fails, or is not certain because the database
 * does not answer, the next sync picks it up.
 */
@Injectable()
export class TemplateCreationService {
  private readonly logger = new Logger(TemplateCreationService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly upstream: NetworkTemplates,
    private readonly examples: ExampleMedia,
    private readonly refresh: TemplateRefreshService,
    private readonly epoch: ConfigurationChanges,
  ) {}

  /**
   * @param gone aborted when the client disconnects, which ends the downloads of examples
   * @throws DomainError 403 for a foreign `waba_phone_id`, 422 `{detail}` for a broken rule, 400 for a duplicate name,
   * an unusable `media_url` or the network's refusal, 503 when the network is unavailable or too many examples are being
   * downloaded, 504 when its answer was lost
   */
  async create(accountId: string, order: TemplateOrder, gone: AbortSignal): Promise<CreatedTemplate> {
    const draft = order.toDraft();
    const phone = await this.phones.choose(accountId, draft.wabaPhoneId);
    order.check();
    const { name, language } = draft;
    // Only saves the uploads. The network decides, then the unique index, also when two callers race.
    if (await isNameTaken(accountId, phone.wabaId, name, language, this.unitOfWork.writes(phone.accountId))) {
      throw duplicateName(name, language);
    }
    const { request, accepted } = await this.submit(phone, draft, gone);
    const templateId = await this.store(phone, request, accepted, knowledgeOf(draft));
    // The callback may have arrived before the row was stored, with nothing to update.
    await endsWithin(this.refresh.refreshOne(phone, accepted.metaTemplateId), MAX_POLL_MS);
    return { templateId, metaTemplateId: accepted.metaTemplateId, metaStatus: accepted.networkStatus };
  }

  private async submit(
    phone: BusinessPhone,
    draft: TemplateDraft | CarouselDraft,
    gone: AbortSignal,
  ): Promise<{ request: TemplateRequest; accepted: AcceptedTemplate }> {
    try {
      const request = templateRequest(draft, await this.examples.upload(phone, draft, gone));
      return { request, accepted: await this.upstream.submit(phone, request) };
    } catch (error) {
      if (isDuplicateRefusal(error)) throw duplicateName(draft.name, draft.language);
      throw networkFailure(error, `the template ${draft.name} was not created`);
    }
  }

  private async store(
    phone: BusinessPhone,
    request: TemplateRequest,
    accepted: AcceptedTemplate,
    known: CallerFields,
  ): Promise<string> {
    const owner = { id: newRecordId(), wabaId: phone.wabaId, businessPhoneId: phone.id };
    const template = storedTemplate(asListed(request, accepted), owner, known);
    let mayBeStored = false;
    const once = async (): Promise<string | null> => {
      try {
        return await this.unitOfWork.writes(phone.accountId).transaction(async (tx) => {
          const id = await insertTemplate(phone.accountId, template, tx);
          if (id !== null) await noteRecordOfKey(id, tx);
          return id;
        });
      } catch (error) {
        mayBeStored ||= isTransient(error) && !isContention(error);
        throw error;
      }
    };
    let storedId: string | null;
    try {
      // If only the answer to the commit was lost, the second try finds the row and keeps it.
      storedId = await withRetries(once, isTransient, MAX_TRIES);
    } catch (error) {
      // The row may exist after all; deleting its template upstream would be worse than leaving one to the next sync.
      if (!mayBeStored) await this.removeUpstream(phone, request.name, accepted.metaTemplateId);
      throw error;
    }
    if (storedId === null) {
      await this.removeUpstream(phone, request.name, accepted.metaTemplateId);
      throw duplicateName(request.name, request.language);
    }
    await this.epoch.refresh();
    return storedId;
  }

  /**
   * Deletes a template from the network that could not be stored here; if that fails too, the next sync picks it up.
   */
  private async removeUpstream(phone: BusinessPhone, name: string, metaTemplateId: string): Promise<void> {
    try {
      await this.upstream.remove(phone, name, metaTemplateId);
    } catch (error) {
      this.logger.warn(
        `template ${metaTemplateId} could not be deleted upstream; the next sync stores it: ${(error as Error).message}`,
      );
    }
  }
}

const knowledgeOf = (draft: TemplateDraft | CarouselDraft): CallerFields =>
  draft.kind === 'carousel'
    ? { offerCode: null, mediaUrl: null, cardMediaUrls: draft.cards.map(({ mediaUrl }) => mediaUrl) }
    : { offerCode: draft.offerCode, mediaUrl: draft.mediaUrl, cardMediaUrls: [] };

/** The new template as the network would list it. */
const asListed = (request: TemplateRequest, accepted: AcceptedTemplate): NetworkTemplate => ({
  metaTemplateId: accepted.metaTemplateId,
  name: request.name,
  language: request.language,
  category: accepted.category ?? request.category,
  networkStatus: accepted.networkStatus,
  rejectedReason: null,
  parameterFormat: request.parameter_format,
  messageSendTtlSeconds: request.message_send_ttl_seconds ?? null,
  components: request.components,
});
