import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import { EventLoopTurns } from '../runtime/event-loop-turns.js';
import { traced } from '../tracing/spans.js';
import { AccountNoticesService } from './account-notices.service.js';
import { type CallbackItem, readEnvelope, type StatusItem } from './callback.js';
import { signatureMatches } from './callback-signature.js';
import { InboundMessagesService } from './inbound-messages.service.js';
import { ReportIntakeService } from './report-intake.service.js';
import { TemplateDecisionsService } from './template-decisions.service.js';
import { recordUnhandled } from './unhandled-callback.queries.js';

/** Receives the network's callbacks. A callback is acknowledged only after it is stored. */
@Injectable()
export class CallbacksService {
  private readonly turns = new EventLoopTurns();

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: ReportIntakeService,
    private readonly messages: InboundMessagesService,
    private readonly templates: TemplateDecisionsService,
    private readonly notices: AccountNoticesService,
  ) {}

  /**
   * Verifies and stores one callback.
   *
   * @param bytes the raw body
   * @throws DomainError 401 when the signature is missing or wrong; then nothing is stored
   */
  async receive(bytes: Buffer, signature: string | undefined): Promise<void> {
    if (!signatureMatches(bytes, signature, this.environment.network.appSecret)) {
      throw new DomainError('unauthorized', 'the X-Hub-Signature-256 of the callback does not match its body');
    }
    const body = parse(bytes);
    const items = readEnvelope(body);
    if (items === null) {
      await recordUnhandled(
        [{ accountId: null, field: null, reason: 'not a network envelope', body }],
        this.unitOfWork.autocommit,
      );
      return;
    }
    // Spreads a burst of callbacks for one phone over several turns of the event loop.
    await this.turns.entered(phoneOf(items) ?? '');
    await traced(
      () => ({ name: 'callback', kind: 'internal', attributes: countsOf(items) }),
      () => this.store(items),
    );
  }

  private async store(items: readonly CallbackItem[]): Promise<void> {
    await this.reports.record(items.filter((item): item is StatusItem => item.kind === 'status'));
    for (const item of items) await this.receiveItem(item);
  }

  private async receiveItem(item: CallbackItem): Promise<void> {
    if (item.kind === 'message') await this.messages.receive(item);
    if (item.kind === 'template') await this.templates.apply(item);
    if (item.kind === 'other') await this.notices.receive(item);
  }
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

/** Parses the body as JSON, or returns it as text: a signed callback is recorded whatever it contains. */
function parse(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
