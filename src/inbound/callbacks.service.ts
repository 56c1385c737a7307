import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { MAX_REPORTS, ReportIntakeService } from '../reports/report-intake.service.js';
import type { StatusItem } from '../reports/status-item.js';
import { recordUnhandled } from '../reports/unhandled-callback.queries.js';
import { EventLoopTurns } from '../runtime/event-loop-turns.js';
import { traced } from '../tracing/spans.js';
import { AccountNoticesService } from './account-notices.service.js';
import { type CallbackItem, readEnvelope } from './callback.js';
import { CallbackAppsService } from './callback-apps.service.js';
import { parseExactJson } from './exact-json.js';
import { InboundMessagesService } from './inbound-messages.service.js';
import { TemplateDecisionsService } from './template-decisions.service.js';

/** Receives the network's callbacks. A callback is acknowledged only after it is stored. */
@Injectable()
export class CallbacksService {
  private readonly turns = new EventLoopTurns();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly apps: CallbackAppsService,
    private readonly reports: ReportIntakeService,
    private readonly messages: InboundMessagesService,
    private readonly templates: TemplateDecisionsService,
    private readonly notices: AccountNoticesService,
  ) {}

  /**
   * Verifies and stores one callback.
   *
   * @param bytes the raw body
   * @param id the request id
   * @param appId the app that the URL names; null for the app in the environment
   * @throws DomainError 401 when the signature is missing or wrong, 404 for an unknown app; then nothing is stored
   */
  async receive(bytes: Buffer, signature: string | undefined, id: string, appId: string | null): Promise<void> {
    const app = await this.apps.verify(appId, bytes, signature);
    const body = await parse(bytes);
    const named = await readEnvelope(body);
    if (named === null) {
      await recordUnhandled(
        [{ accountId: null, field: null, reason: 'not a network envelope', body }],
        this.unitOfWork.autocommit,
      );
      return;
    }
    const items = await this.apps.own(named, app);
    // Spreads a burst of callbacks for one phone over several turns of the event loop.
    await this.turns.entered(phoneOf(items) ?? '');
    await traced(
      () => ({ name: 'callback', kind: 'internal', attributes: countsOf(items) }),
      () => this.store(items, id),
    );
  }

  private async store(items: readonly CallbackItem[], id: string): Promise<void> {
    const statuses = items.filter((item): item is StatusItem => item.kind === 'status');
    for (let from = 0; from < statuses.length; from += MAX_REPORTS) {
      await this.reports.record(statuses.slice(from, from + MAX_REPORTS));
    }
    const lines = byPhone(items).map(async (line) => {
      for (const item of line) await this.receiveItem(item, id);
    });
    const failed = (await Promise.allSettled(lines)).find((line) => line.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private async receiveItem(item: CallbackItem, id: string): Promise<void> {
    if (item.kind === 'message') await this.messages.receive(item);
    if (item.kind === 'echo') await this.messages.receiveEcho(item);
    if (item.kind === 'template') await this.templates.apply(item);
    if (item.kind === 'other') await this.notices.receive(item, id);
  }
}

/** Items other than statuses, in their order for each phone: no phone waits for the messages of another. */
function byPhone(items: readonly CallbackItem[]): readonly CallbackItem[][] {
  const lines = new Map<string, CallbackItem[]>();
  for (const item of items) {
    if (item.kind === 'status') continue;
    const phone = 'phoneNumberId' in item ? item.phoneNumberId : '';
    const line = lines.get(phone);
    if (line === undefined) lines.set(phone, [item]);
    else line.push(item);
  }
  return [...lines.values()];
}

/** How many items of each kind a callback has. */
function countsOf(items: readonly CallbackItem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of items) counts[`parley.items.${kind}`] = (counts[`parley.items.${kind}`] ?? 0) + 1;
  return counts;
}

/** The business phone of a callback's first item, if it has one. */
const phoneOf = ([first]: readonly CallbackItem[]): string | null =>
  first !== undefined && 'phoneNumberId' in first ? first.phoneNumberId : null;

/**
 * Parses the body as JSON, or returns it as text: a signed callback is recorded whatever it contains. Ids that would be
 * rounded as numbers become strings.
 */
async function parse(bytes: Buffer): Promise<unknown> {
  const text = bytes.toString('utf8');
  try {
    return await parseExactJson(text);
  } catch {
    return text;
  }
}
