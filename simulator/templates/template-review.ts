import type { PendingCallbacks } from '../callbacks/pending-callbacks.js';
import type { TimingWheel } from '../callbacks/timing-wheel.js';
import { ControlError } from '../control/control-error.js';
import { isObject, isText, type JsonObject } from '../json-object.js';
import type { StoredTemplate, TemplateStatus, TemplateStore } from './template-store.js';

/** Decisions about the status, which the network reports by its name. */
const OUTCOMES: Record<string, TemplateStatus> = {
  approve: 'APPROVED',
  reject: 'REJECTED',
  pause: 'PAUSED',
  disable: 'DISABLED',
  archive: 'ARCHIVED',
};

/** Decisions that the network reports as events of another name; lists never show these. */
const EVENTS: Record<string, { event: string; next: (template: StoredTemplate) => TemplateStatus }> = {
  flag: { event: 'FLAGGED', next: ({ status }) => status },
  lock: { event: 'LOCKED', next: ({ status }) => status },
  reinstate: { event: 'REINSTATED', next: () => 'APPROVED' },
  unarchive: { event: 'UNARCHIVED', next: ({ archived_from: former, status }) => former ?? status },
};

const DECISIONS = [...Object.keys(OUTCOMES), ...Object.keys(EVENTS), 'category', 'quality'];
const QUALITIES = ['GREEN', 'YELLOW', 'RED', 'UNKNOWN'];
const LANGUAGE = 'en_US';

/** `answered` resolves with the callback's status; it is null without a callback. */
interface Reported {
  answered: Promise<number> | null;
}

interface Decided extends Reported {
  status: TemplateStatus;
  /** Only for decisions about it. */
  category?: string;
  quality?: string;
}

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
        ? this.settle(template, { status: 'REJECTED', reason: 'INVALID_FORMAT' }, true)
        : this.settle(template, { status: 'APPROVED', reason: 'NONE' }, true);
      decided.catch(() => undefined);
    });
  }

  /**
   * Applies a test's decision and, if `notify`, reports it; `answered` resolves with the callback's status.
   *
   * @param details `reason` of a review; `category` and `announced_for` of a change of category; `quality`
   */
  async decide(id: string, decision: unknown, details: JsonObject, notify: boolean): Promise<Decided> {
    const template = this.store.byId(id);
    if (!template) throw new ControlError(`no template has the id ${id}`, 404);
    const name = DECISIONS.find((known) => known === decision);
    if (name === undefined) throw new ControlError(`decision must be one of ${DECISIONS.join(', ')}`);
    if (name === 'category') return this.recategorise(template, details, notify);
    if (name === 'quality') return this.rate(template, details, notify);
    const { reason } = details;
    if (reason !== undefined && typeof reason !== 'string') throw new ControlError('reason must be a string');
    const other = EVENTS[name];
    const status = OUTCOMES[name] ?? other?.next(template) ?? template.status;
    const given = reason ?? (name === 'reject' ? 'INVALID_FORMAT' : 'NONE');
    return { status, ...(await this.settle(template, { status, reason: given, event: other?.event }, notify)) };
  }

  /**
   * Keeps a template as it is, approved, whatever its components: one that was made elsewhere, or of a kind that is new.
   * An existing template of this name and language gets the components, as if it had been edited there.
   */
  async hold(input: JsonObject): Promise<StoredTemplate> {
    const { waba_id, name, language = LANGUAGE, components } = input;
    const former = this.store.find(String(waba_id), String(name), String(language));
    const { category = former?.category ?? 'MARKETING', parameter_format = former?.parameter_format ?? 'POSITIONAL' } =
      input;
    for (const [field, value] of Object.entries({ waba_id, name, language, category })) {
      if (!isText(value)) throw new ControlError(`${field} must be a string`);
    }
    if (parameter_format !== 'POSITIONAL' && parameter_format !== 'NAMED') {
      throw new ControlError('parameter_format must be POSITIONAL or NAMED');
    }
    if (!Array.isArray(components) || !components.every(isObject)) {
      throw new ControlError('components must be an array of objects');
    }
    const template: StoredTemplate = {
      status: 'APPROVED',
      rejected_reason: 'NONE',
      ...former,
      id: former?.id ?? this.store.newId(),
      waba_id: String(waba_id),
      name: String(name),
      language: String(language),
      category: String(category),
      parameter_format,
      components,
      review_at: null,
    };
    await this.store.save(template);
    return template;
  }

  private async rate(template: StoredTemplate, { quality }: JsonObject, notify: boolean): Promise<Decided> {
    if (!isText(quality) || !QUALITIES.includes(quality)) {
      throw new ControlError(`quality must be one of ${QUALITIES.join(', ')}`);
    }
    await this.store.save({ ...template, quality });
    const rated = { previous_quality_score: template.quality ?? 'UNKNOWN', new_quality_score: quality };
    const reported = await this.report(template, 'message_template_quality_update', rated, notify);
    return { status: template.status, quality, ...reported };
  }

  /** Moves a template to another category, or only announces that, with its time in unix seconds. */
  private async recategorise(template: StoredTemplate, details: JsonObject, notify: boolean): Promise<Decided> {
    const { category: next, announced_for: at } = details;
    const { status, category } = template;
    if (!isText(next) || !/^[A-Z_]+$/.test(next)) throw new ControlError('category must be a name such as MARKETING');
    if (at !== undefined && !Number.isSafeInteger(at)) throw new ControlError('announced_for must be unix seconds');
    if (at !== undefined) {
      await this.store.save({ ...template, correct_category: next });
      const announced = { new_category: category, correct_category: next, category_update_timestamp: at };
      return { status, category, ...(await this.report(template, 'template_category_update', announced, notify)) };
    }
    const { correct_category: _, message_send_ttl_seconds: __, ...kept } = template;
    await this.store.save({ ...kept, category: next, previous_category: category });
    const done = { previous_category: category, new_category: next };
    return { status, category: next, ...(await this.report(template, 'template_category_update', done, notify)) };
  }

  private async settle(
    template: StoredTemplate,
    { status, reason, event = status }: { status: TemplateStatus; reason: string; event?: string | undefined },
    notify: boolean,
  ): Promise<Reported> {
    // An event of another name may leave the template as it is, also a review that is still to come.
    if (event === status || status !== template.status) {
      const { archived_from: former, ...kept } = template;
      const archived = status === 'ARCHIVED' ? { archived_from: former ?? template.status } : {};
      const rejected_reason = status === 'REJECTED' ? reason : 'NONE';
      await this.store.save({ ...kept, ...archived, status, rejected_reason, review_at: null });
    }
    const decided = { event, message_template_category: template.category, reason };
    return this.report(template, 'message_template_status_update', decided, notify);
  }

  private async report(template: StoredTemplate, field: string, news: JsonObject, notify: boolean): Promise<Reported> {
    if (!notify) return { answered: null };
    const { id, waba_id, name, language } = template;
    const value = { message_template_name: name, message_template_language: language, ...news };
    return this.callbacks.post({ waba_id, field, value, template_id: id });
  }
}
