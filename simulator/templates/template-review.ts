import type { PendingCallbacks } from '../callbacks/pending-callbacks.js';
import type { TimingWheel } from '../callbacks/timing-wheel.js';
import { ControlError } from '../control/control-error.js';
import type { StoredTemplate, TemplateStatus, TemplateStore } from './template-store.js';

const OUTCOMES: Record<string, TemplateStatus> = {
  approve: 'APPROVED',
  reject: 'REJECTED',
  pause: 'PAUSED',
  disable: 'DISABLED',
};

/** Reviews templates after `review_delay_ms`, or when a test decides, and reports each decision by callback. */
export class TemplateReview {
  constructor(
    private readonly store: TemplateStore,
    private readonly callbacks: PendingCallbacks,
    private readonly wheel: TimingWheel,
  ) {}

  /** Schedules the automatic review of a pending template; a name ending in `_reject` is rejected. */
  schedule({ id, review_at }: StoredTemplate): void {
    if (review_at === null) return;
    this.wheel.at(review_at, () => {
      const template = this.store.byId(id);
      if (template?.status !== 'PENDING' || template.review_at === null) return;
      const rejected = template.name.endsWith('_reject');
      const decided = rejected
        ? this.settle(template, 'REJECTED', 'INVALID_FORMAT', true)
        : this.settle(template, 'APPROVED', 'NONE', true);
      decided.catch(() => undefined);
    });
  }

  /** Applies a test's decision and, if `notify`, reports it; `answered` resolves with the callback's status. */
  async decide(
    id: string,
    decision: unknown,
    reason: unknown,
    notify: boolean,
  ): Promise<{ status: TemplateStatus; answered: Promise<number> | null }> {
    const template = this.store.byId(id);
    if (!template) throw new ControlError(`no template has the id ${id}`, 404);
    const status = typeof decision === 'string' && Object.hasOwn(OUTCOMES, decision) ? OUTCOMES[decision] : undefined;
    if (!status) throw new ControlError(`decision must be one of ${Object.keys(OUTCOMES).join(', ')}`);
    if (reason !== undefined && typeof reason !== 'string') throw new ControlError('reason must be a string');
    const given = reason ?? (status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE');
    const { answered } = await this.settle(template, status, given, notify);
    return { status, answered };
  }

  private async settle(
    template: StoredTemplate,
    status: TemplateStatus,
    reason: string,
    notify: boolean,
  ): Promise<{ answered: Promise<number> | null }> {
    const rejected_reason = status === 'REJECTED' ? reason : 'NONE';
    await this.store.save({ ...template, status, rejected_reason, review_at: null });
    if (!notify) return { answered: null };
    return this.callbacks.post(template.waba_id, 'message_template_status_update', {
      event: status,
      message_template_id: Number(template.id),
      message_template_name: template.name,
      message_template_language: template.language,
      reason,
    });
  }
}
