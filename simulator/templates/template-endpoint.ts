import { HOUR } from '../../src/values/clock.js';
import type { Behaviour } from '../control/behaviour.js';
import { type Answer, type Exchange, jsonOr } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import type { MediaStore } from '../media/media-store.js';
import { filtered, pageOf } from './template-page.js';
import type { TemplateReview } from './template-review.js';
import { checkTemplate } from './template-rules.js';
import type { StoredTemplate, TemplateStore } from './template-store.js';

const MAX_DELETED_AT_ONCE = 100;
/** The fields returned by default; the id is always included. */
const DEFAULT_FIELDS = 'name,parameter_format,components,language,status,category';
const FIELDS = [
  ...DEFAULT_FIELDS.split(','),
  'id',
  'rejected_reason',
  'message_send_ttl_seconds',
  'quality_score',
  'last_updated_time',
  'correct_category',
  'previous_category',
  'health_status',
  'library_template_name',
];

function show(template: StoredTemplate, fields: string[]): Record<string, unknown> {
  const available = { can_send_message: template.status === 'APPROVED' ? 'AVAILABLE' : 'BLOCKED' };
  const entities = [{ entity_type: 'MESSAGE_TEMPLATE', id: template.id, ...available }];
  const full: Record<string, unknown> = {
    ...template,
    quality_score: { score: template.quality ?? 'UNKNOWN' },
    health_status: { ...available, entities },
  };
  return Object.fromEntries([...fields, 'id'].map((field) => [field, full[field]]));
}

function fieldsOf({ query }: Exchange): string[] {
  const fields = (query.get('fields') ?? DEFAULT_FIELDS).split(',').map((field) => field.trim());
  const unknown = fields.find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) throw new GraphError(100, `Tried accessing nonexisting field (${unknown})`);
  return fields;
}

/** The template calls of the Graph API: create, list, read, delete. */
export class TemplateEndpoint {
  /** Creation times within the last hour, in ms since the epoch, for `max_templates_per_hour`. */
  private created: number[] = [];

  constructor(
    private readonly store: TemplateStore,
    private readonly review: TemplateReview,
    private readonly media: MediaStore,
    private readonly behaviour: Behaviour,
  ) {}

  async create(wabaId: string, exchange: Exchange): Promise<Answer> {
    const request = checkTemplate(exchange.graphJson(), (handle) => this.media.handleType(handle));
    if (this.store.find(wabaId, request.name, request.language)) {
      const details = `There is already ${request.language} content for the template ${request.name}`;
      throw new GraphError(100, details, { subcode: 2388024 });
    }
    this.takeCreation();
    const { review, review_delay_ms, big_ids } = this.behaviour.settings;
    const template: StoredTemplate = {
      ...request,
      id: big_ids ? this.store.newBigId() : this.store.newId(),
      waba_id: wabaId,
      status: 'PENDING',
      rejected_reason: 'NONE',
      review_at: review === 'auto' ? Date.now() + review_delay_ms : null,
    };
    await this.store.save(template);
    this.review.schedule(template);
    return { status: 200, json: { id: template.id, status: template.status, category: template.category } };
  }

  list(wabaId: string, exchange: Exchange, base: string): Answer {
    const { query, path } = exchange;
    const fields = fieldsOf(exchange);
    const templates = filtered(this.store.ofAccount(wabaId), query);
    const version = this.behaviour.settings.network_version;
    const { page, ...more } = pageOf(templates, query, `${base}${path}`, version);
    return { status: 200, json: { data: page.map((each) => show(each, fields)), ...more } };
  }

  read(template: StoredTemplate, exchange: Exchange): Answer {
    return { status: 200, json: show(template, fieldsOf(exchange)) };
  }

  /** Deletes every language of `name`, or only the template `hsm_id`; or all of `hsm_ids`, or none of them. */
  async remove(wabaId: string, { query }: Exchange): Promise<Answer> {
    const ids = query.get('hsm_ids');
    if (ids !== null) return this.removeAll(wabaId, jsonOr(ids));
    const name = query.get('name');
    const id = query.get('hsm_id');
    if (name === null) throw GraphError.missing('name');
    const found = this.store
      .ofAccount(wabaId)
      .filter((template) => template.name === name && (id === null || template.id === id));
    if (found.length === 0) throw new GraphError(100, `Message template ${name} was not found`, { subcode: 2593002 });
    await this.store.remove(found);
    return { status: 200, json: { success: true } };
  }

  private async removeAll(wabaId: string, ids: unknown): Promise<Answer> {
    if (!Array.isArray(ids) || ids.length < 1 || ids.length > MAX_DELETED_AT_ONCE) {
      throw new GraphError(100, `Param hsm_ids must be an array of 1 to ${MAX_DELETED_AT_ONCE} ids`);
    }
    const found = ids.flatMap((id) => this.store.byId(String(id)) ?? []).filter(({ waba_id }) => waba_id === wabaId);
    if (found.length < ids.length) throw new GraphError(100, 'Not all templates were found', { subcode: 2593002 });
    await this.store.remove(found);
    return { status: 200, json: { success: true } };
  }

  reset(): void {
    this.created = [];
  }

  private takeCreation(): void {
    const max = this.behaviour.settings.max_templates_per_hour;
    if (max === 0) return;
    const now = Date.now();
    this.created = this.created.filter((at) => at > now - HOUR);
    if (this.created.length >= max) {
      throw new GraphError(80007, `No more than ${max} templates can be created in an hour`);
    }
    this.created.push(now);
  }
}
