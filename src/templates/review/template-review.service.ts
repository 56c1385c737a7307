import { Injectable } from '@nestjs/common';
import { ConfigurationChanges } from '../../database/configuration-changes.js';
import { type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { SECOND } from '../../values/clock.js';
import { endsWithin } from '../../values/ends-within.js';
import { lookSoon, planLook } from '../looks/template-look.queries.js';
import { TemplateRefreshService } from '../sync/template-refresh.service.js';
import { claimReviewPolls, findPendingMetaIds } from '../sync/template-sync.queries.js';
import { lockState, type ReportedChanges, type StoredState, storeReported } from '../template.queries.js';
import { isState, type NetworkState, networkStateOf } from '../template-state.js';
import { type CategoryNews, categoryOutcome } from './category-order.js';

/** How often the pending templates of a business account are polled. */
const POLL_EVERY_SECONDS = 5;
/** How long callers wait for a poll; the poll itself goes on. */
const MAX_WAIT_MS = 3 * SECOND;

/** The network's status for a template under review. */
const UNDECIDED = 'PENDING';

/** What a callback says about a template. */
export interface TemplateNotice {
  readonly metaTemplateId: string;
  /** When the network sent it, in whole seconds; null if it does not say. */
  readonly toldAt: Date | null;
  /** A decision about its status. */
  readonly decision: { readonly event: string; readonly reason: string | null } | null;
  /** Its category at the time of the notice. */
  readonly category: CategoryNews | null;
  /** When its category will change, if the notice announces that. */
  readonly changeAt: Date | null;
}

/** Keeps status and category of templates up to date, by polling the network and from callbacks. */
@Injectable()
export class TemplateReviewService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly templates: TemplateRefreshService,
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
      this.templates.logFailure(`pending templates of account ${accountId}`, error);
    }
  }

  private async pollBusinesses(accountId: string): Promise<void> {
    const wabaIds = await claimReviewPolls(accountId, POLL_EVERY_SECONDS, this.unitOfWork.writes(accountId));
    const polls = wabaIds.map(async (wabaId) => {
      try {
        const pending = await findPendingMetaIds(accountId, wabaId, this.unitOfWork.writes(accountId));
        await this.templates.refresh(accountId, wabaId, pending);
      } catch (error) {
        this.templates.logFailure(`pending templates of ${wabaId}`, error);
      }
    });
    await Promise.all(polls);
  }

  /**
   * Applies a notice. Notices are repeated for days and arrive in any order, so one that is older than what is stored
   * changes nothing. Status and category are ordered separately. Where the times cannot tell, and where an event names
   * no state, the template is read from the network: a look is planned in the same transaction, so that it survives us.
   *
   * @returns whether the account has such a template
   */
  async applyNotice(accountId: string, notice: TemplateNotice): Promise<boolean> {
    const applied = await this.unitOfWork.writes(accountId).transaction((tx) => this.applyIn(accountId, notice, tx));
    // A paused template stops the sends of this process immediately, and those of others within a second.
    if (applied === 'changed') await this.changes.refresh();
    return applied !== 'unknown';
  }

  private async applyIn(
    accountId: string,
    notice: TemplateNotice,
    tx: Tx,
  ): Promise<'unknown' | 'unchanged' | 'changed'> {
    const former = await lockState(accountId, notice.metaTemplateId, tx);
    if (former === null) return 'unknown';
    const state = stateChange(former, notice);
    const category = categoryChange(former, notice);
    const changes = { ...state.changes, ...category.changes };
    // Looks are planned first: changes of templates hold a lock that all accounts share.
    if (notice.changeAt !== null) await planLook(accountId, former.id, notice.changeAt, tx);
    if (state.isInDoubt || category.isInDoubt) await lookSoon(accountId, former.id, tx);
    if (Object.keys(changes).length > 0) await storeReported(accountId, former.id, changes, tx);
    return state.isChanged || category.isChanged ? 'changed' : 'unchanged';
  }
}

/** The part of a notice's consequences that concerns either the status or the category. */
interface Change {
  readonly changes: ReportedChanges;
  readonly isChanged: boolean;
  /** Whether the notice may be the older one, or names no state, so that the network must be asked. */
  readonly isInDoubt: boolean;
}

const NO_CHANGE: Change = { changes: {}, isChanged: false, isInDoubt: false };

function stateChange(former: StoredState, { decision, toldAt }: TemplateNotice): Change {
  if (decision === null || (toldAt !== null && former.stateToldAt !== null && toldAt < former.stateToldAt)) {
    return NO_CHANGE;
  }
  if (!isState(decision.event)) return { ...NO_CHANGE, isInDoubt: true };
  const state = networkStateOf(decision.event, decision.reason);
  const isChanged = !isSameState(former, state);
  if (!isChanged && toldAt === null) return NO_CHANGE;
  return {
    changes: { ...state, stateToldAt: toldAt ?? former.stateToldAt },
    isChanged,
    isInDoubt: isChanged && isStateInDoubt(former, state, toldAt),
  };
}

function categoryChange(former: StoredState, { category: news, toldAt }: TemplateNotice): Change {
  if (news === null) return NO_CHANGE;
  const { isInForce, isInDoubt } = categoryOutcome(former, news, toldAt);
  const isChanged = isInForce && news.category !== former.category;
  if (!isInForce || (!isChanged && toldAt === null)) return { ...NO_CHANGE, isInDoubt };
  const categoryToldAt = toldAt ?? former.categoryToldAt;
  // The network drops the time to live with the category that it was for.
  const changes = isChanged ? { category: news.category, messageSendTtlSeconds: null } : {};
  return { changes: { ...changes, categoryToldAt }, isChanged, isInDoubt };
}

const isSameState = (former: NetworkState, { status, networkStatus, rejectionReason }: NetworkState): boolean =>
  former.status === status && former.networkStatus === networkStatus && former.rejectionReason === rejectionReason;

/**
 * Whether a change that follows another decision may in fact be the older one: the times do not tell, or it is an
 * approval, which would let messages out that the network refuses.
 */
function isStateInDoubt(former: StoredState, state: NetworkState, toldAt: Date | null): boolean {
  if (former.networkStatus === UNDECIDED || former.status === state.status) return false;
  const isNewer = toldAt !== null && former.stateToldAt !== null && toldAt > former.stateToldAt;
  return !isNewer || state.status === 'APPROVED';
}
