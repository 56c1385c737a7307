import { Injectable, Logger } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { ConfigurationChanges } from '../../database/configuration-changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainError } from '../../errors/domain-error.js';
import { SECOND } from '../../values/clock.js';
import { endsWithin } from '../../values/ends-within.js';
import { isUnchanged, refreshedTemplate } from '../authoring/template-row.js';
import { withAnyPhone } from '../sync/any-phone.js';
import type { NetworkTemplate } from '../sync/network-template.js';
import { NetworkTemplates } from '../sync/network-templates.js';
import {
  claimReviewPolls,
  databaseTime,
  findPendingMetaIds,
  findTemplatesByMetaId,
  lockBusinessAccount,
  updateFoundTemplates,
} from '../sync/template-sync.queries.js';
import { lockState, type StoredState, storeState } from '../template.queries.js';
import { type NetworkState, networkStateOf } from './template-state.js';

/** How often the pending templates of a business account are polled. */
const POLL_EVERY_SECONDS = 5;
/** How long callers wait for a poll; the poll itself goes on. */
const MAX_WAIT_MS = 3 * SECOND;

/** The network's status for a template under review. */
const UNDECIDED = 'PENDING';

/** The content of a `message_template_status_update` callback. */
export interface StatusUpdate {
  readonly metaTemplateId: string;
  readonly event: string;
  readonly reason: string | null;
  /** When the network sent it, in whole seconds; null if it does not say. */
  readonly toldAt: Date | null;
}

/** A template's state before and after a callback. */
interface StateChange {
  readonly former: StoredState;
  readonly state: NetworkState;
}

/** Keeps review decisions up to date, by polling the network and from callbacks. */
@Injectable()
export class TemplateReviewService {
  private readonly logger = new Logger(TemplateReviewService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly upstream: NetworkTemplates,
    private readonly changes: ConfigurationChanges,
  ) {}

  /**
   * Polls the account's pending templates unless that was done in the last 5 s. Never fails and returns within
   * seconds, so that listing templates depends neither on the network nor on connections for writes.
   */
  async pollPending(accountId: string): Promise<void> {
    try {
      await endsWithin(this.pollBusinesses(accountId), MAX_WAIT_MS);
    } catch (error) {
      this.logFailure(`pending templates of account ${accountId}`, error);
    }
  }

  private async pollBusinesses(accountId: string): Promise<void> {
    const wabaIds = await claimReviewPolls(accountId, POLL_EVERY_SECONDS, this.unitOfWork.writes(accountId));
    if (wabaIds.length === 0) return;
    const phones = await this.phones.list(accountId);
    const polls = wabaIds.map(async (wabaId) => {
      const own = phones.filter((phone) => phone.wabaId === wabaId);
      if (own.length === 0) return;
      try {
        await this.pollBusiness(accountId, wabaId, own);
      } catch (error) {
        this.logFailure(`pending templates of ${wabaId}`, error);
      }
    });
    await Promise.all(polls);
  }

  /** Polls one template; a failure or slow answer is left to the next poll. */
  async poll(phone: BusinessPhone, metaTemplateId: string): Promise<void> {
    await endsWithin(this.pollTemplate(phone, metaTemplateId), MAX_WAIT_MS);
  }

  /**
   * Applies a status callback. Callbacks are repeated for days and arrive in any order, so one that is older than the
   * stored state changes nothing. Where the times cannot tell, the network is asked.
   *
   * @returns whether the account has such a template
   */
  async applyStatusUpdate(accountId: string, update: StatusUpdate): Promise<boolean> {
    const { metaTemplateId, event, reason, toldAt } = update;
    const change = await this.unitOfWork.writes(accountId).transaction(async (tx): Promise<StateChange | null> => {
      const former = await lockState(accountId, metaTemplateId, tx);
      if (former === null) return null;
      if (isOlder(toldAt, former)) return { former, state: former };
      const state = networkStateOf(event, reason, former);
      if (!isSameState(former, state) || toldAt !== null) {
        await storeState(accountId, former.id, { ...state, stateToldAt: toldAt ?? former.stateToldAt }, tx);
      }
      return { former, state };
    });
    if (change === null) return false;
    // An older or repeated callback, or one whose decision was already polled, changes nothing.
    if (isSameState(change.former, change.state)) return true;
    // A paused template stops the sends of this process immediately, and those of others within a second.
    await this.changes.refresh();
    if (isInDoubt(change, toldAt)) await this.confirm(accountId, change.former.wabaId, metaTemplateId);
    return true;
  }

  /** Polls one template in the background. */
  private async confirm(accountId: string, wabaId: string, metaTemplateId: string): Promise<void> {
    const phone = (await this.phones.list(accountId)).find((each) => each.wabaId === wabaId);
    if (phone !== undefined) void this.pollTemplate(phone, metaTemplateId);
  }

  private async pollTemplate(phone: BusinessPhone, metaTemplateId: string): Promise<void> {
    try {
      const startedAt = await databaseTime(this.unitOfWork.writes(phone.accountId));
      const found = await this.upstream.read(phone, metaTemplateId);
      if (found !== null) await this.refresh(phone.accountId, phone.wabaId, [found], startedAt);
    } catch (error) {
      this.logFailure(`template ${metaTemplateId}`, error);
    }
  }

  /** Our own errors, such as a token that cannot be decrypted, are logged where they are thrown. */
  private logFailure(what: string, error: unknown): void {
    if (error instanceof DomainError) return;
    this.logger.warn(`${what} could not be polled: ${(error as Error).message}`);
  }

  private async pollBusiness(accountId: string, wabaId: string, phones: readonly BusinessPhone[]): Promise<void> {
    const startedAt = await databaseTime(this.unitOfWork.writes(accountId));
    const pending = await findPendingMetaIds(accountId, wabaId, this.unitOfWork.writes(accountId));
    const found = await withAnyPhone(phones, (phone) => this.findUpstream(pending, phone));
    await this.refresh(accountId, wabaId, found, startedAt);
  }

  /** Reads the network's list, newest first, until all of these templates have been found. */
  private async findUpstream(metaTemplateIds: readonly string[], phone: BusinessPhone): Promise<NetworkTemplate[]> {
    const remaining = new Set(metaTemplateIds);
    const found: NetworkTemplate[] = [];
    for await (const { templates } of this.upstream.pages(phone)) {
      found.push(...templates.filter(({ metaTemplateId }) => remaining.delete(metaTemplateId)));
      if (remaining.size === 0) break;
    }
    return found;
  }

  /** Stores what the network returned, except where a callback has changed the row since the poll started. */
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
      // A sync writes several rows too. Taking turns keeps the two from locking rows in different orders.
      await lockBusinessAccount(accountId, wabaId, tx);
      return updateFoundTemplates(accountId, changed, startedAt, tx);
    });
    if (written > 0) await this.changes.refresh();
  }
}

const isSameState = (former: NetworkState, { status, networkStatus, rejectionReason }: NetworkState): boolean =>
  former.status === status && former.networkStatus === networkStatus && former.rejectionReason === rejectionReason;

/** Whether the network had sent a notice before it reported the stored state. */
const isOlder = (toldAt: Date | null, { stateToldAt }: StoredState): boolean =>
  toldAt !== null && stateToldAt !== null && toldAt < stateToldAt;

/**
 * Whether a change that follows another decision may in fact be the older one: the times do not tell, or it is an
 * approval, which would let messages out that the network refuses.
 */
function isInDoubt({ former, state }: StateChange, toldAt: Date | null): boolean {
  if (former.networkStatus === UNDECIDED || former.status === state.status) return false;
  const isNewer = toldAt !== null && former.stateToldAt !== null && toldAt > former.stateToldAt;
  return !isNewer || state.status === 'APPROVED';
}
