import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { ConfigurationChanges } from '../../database/configuration-changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainError } from '../../errors/domain-error.js';
import { SECOND } from '../../values/clock.js';
import { isUnchanged, refreshedTemplate } from '../authoring/template-storing.js';
import { throughAnyPhone } from '../sync/any-phone.js';
import type { NetworkTemplate } from '../sync/network-template.js';
import { NetworkTemplates } from '../sync/network-templates.js';
import {
  claimReviewLooks,
  databaseTime,
  findPendingMetaIds,
  findTemplatesByMetaId,
  lockBusinessAccount,
  updateFoundTemplates,
} from '../sync/template-sync.queries.js';
import { updateState } from '../template.queries.js';
import { networkStateOf } from './template-state.js';

/** Seconds between two looks at the pending templates of a business account. */
const LOOK_EVERY_SECONDS = 5;
/** Callers wait for the network's answer this long; the look itself goes on. */
const PATIENCE_MS = 3 * SECOND;

/** The network's word for a template that it has not decided on yet. */
const UNDECIDED = 'PENDING';

/** What a `message_template_status_update` callback says. */
export interface StatusUpdate {
  readonly metaTemplateId: string;
  readonly event: string;
  readonly reason: string | null;
}

/** Follows the network's decisions on templates: by looking and by callback. */
@Injectable()
export class TemplateReviewService {
  private readonly logger = new Logger(TemplateReviewService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly upstream: NetworkTemplates,
    private readonly epoch: ConfigurationChanges,
  ) {}

  /**
   * Asks the network about the account's pending templates if nobody has done so in the last 5 s. Never fails and never
   * takes long: the list of templates does not depend on the network.
   */
  async lookAtPending(accountId: string): Promise<void> {
    const wabaIds = await claimReviewLooks(accountId, LOOK_EVERY_SECONDS, this.unitOfWork.writes(accountId));
    if (wabaIds.length === 0) return;
    const phones = await this.phones.list(accountId);
    const looks = wabaIds.map(async (wabaId) => {
      const own = phones.filter((phone) => phone.wabaId === wabaId);
      if (own.length === 0) return;
      try {
        await this.lookAtBusiness(accountId, wabaId, own);
      } catch (error) {
        this.logFailure(`pending templates of ${wabaId}`, error);
      }
    });
    await patiently(Promise.all(looks), PATIENCE_MS);
  }

  /** Asks the network about one template; a failure, or a slow answer, is left to the next look. */
  async look(phone: BusinessPhone, metaTemplateId: string): Promise<void> {
    await patiently(this.lookAtTemplate(phone, metaTemplateId), PATIENCE_MS);
  }

  /**
   * Applies a status callback.
   *
   * @returns whether the account has such a template
   */
  async applyStatusUpdate(accountId: string, { metaTemplateId, event, reason }: StatusUpdate): Promise<boolean> {
    const state = networkStateOf(event, reason);
    const former = await updateState(accountId, metaTemplateId, state, this.unitOfWork.writes(accountId));
    if (former !== null) {
      // A paused template stops the sends of this process at once, and those of others within a second.
      await this.epoch.refresh();
      // Callbacks come in any order: an approval after another decision may be the older one.
      if (state.status === 'APPROVED' && former.networkStatus !== UNDECIDED) {
        await this.confirm(accountId, former.wabaId, metaTemplateId);
      }
      return true;
    }
    // A repeated decision, or one that was seen before its callback came, changes nothing.
    const known = await findTemplatesByMetaId(accountId, [metaTemplateId], this.unitOfWork.writes(accountId));
    return known.length > 0;
  }

  /** Asks the network what a template's state is; the caller does not wait for the answer. */
  private async confirm(accountId: string, wabaId: string, metaTemplateId: string): Promise<void> {
    const phone = (await this.phones.list(accountId)).find((each) => each.wabaId === wabaId);
    if (phone !== undefined) void this.lookAtTemplate(phone, metaTemplateId);
  }

  private async lookAtTemplate(phone: BusinessPhone, metaTemplateId: string): Promise<void> {
    try {
      const startedAt = await databaseTime(this.unitOfWork.writes(phone.accountId));
      const found = await this.upstream.read(phone, metaTemplateId);
      if (found !== null) await this.refresh(phone.accountId, phone.wabaId, [found], startedAt);
    } catch (error) {
      this.logFailure(`template ${metaTemplateId}`, error);
    }
  }

  /** Refusals of our own, such as a token that cannot be decrypted, are logged where they are made. */
  private logFailure(what: string, error: unknown): void {
    if (error instanceof DomainError) return;
    this.logger.warn(`${what} could not be looked at: ${(error as Error).message}`);
  }

  private async lookAtBusiness(accountId: string, wabaId: string, phones: readonly BusinessPhone[]): Promise<void> {
    const startedAt = await databaseTime(this.unitOfWork.writes(accountId));
    const pending = await findPendingMetaIds(accountId, wabaId, this.unitOfWork.writes(accountId));
    const found = await throughAnyPhone(phones, (phone) => this.decisionsOn(pending, phone));
    await this.refresh(accountId, wabaId, found, startedAt);
  }

  /** Reads the list, newest first, until every one of the templates has been seen. */
  private async decisionsOn(metaTemplateIds: readonly string[], phone: BusinessPhone): Promise<NetworkTemplate[]> {
    const wanted = new Set(metaTemplateIds);
    const found: NetworkTemplate[] = [];
    for await (const { templates } of this.upstream.pages(phone)) {
      found.push(...templates.filter(({ metaTemplateId }) => wanted.delete(metaTemplateId)));
      if (wanted.size === 0) break;
    }
    return found;
  }

  /** Writes what the network said, unless it is older than what a callback has said meanwhile. */
  private async refresh(
    accountId: string,
    wabaId: string,
    found: readonly NetworkTemplate[],
    startedAt: string,
  ): Promise<void> {
    const byMetaId = new Map(found.map((template) => [template.metaTemplateId, template]));
    const stored = await findTemplatesByMetaId(accountId, [...byMetaId.keys()], this.unitOfWork.writes(accountId));
    const changed = stored.flatMap((template) => {
      const current = byMetaId.get(template.metaTemplateId);
      return current === undefined || isUnchanged(template, current) ? [] : [refreshedTemplate(template, current)];
    });
    if (changed.length === 0) return;
    const written = await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      // A sync writes several rows too: one after the other, so that the two never lock rows in different orders.
      await lockBusinessAccount(accountId, wabaId, tx);
      return updateFoundTemplates(accountId, changed, startedAt, tx);
    });
    if (written > 0) await this.epoch.refresh();
  }
}

/** Waits for `work`, but not longer than `patienceMs`. */
async function patiently(work: Promise<unknown>, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const outOfPatience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([work, outOfPatience]);
  clearTimeout(timer);
}
