import { HOUR } from '../../src/values/clock.js';
import type { Behaviour } from '../control/behaviour.js';
import type { Answer, Exchange } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import type { MediaStore } from '../media/media-store.js';
import type { TemplateReview } from './template-review.js';
import { checkTemplate } from './template-rules.js';
import type { StoredTemplate, TemplateStore } from './template-store.js';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1000;
/** The fields returned by default; the id is always included. */
const DEFAULT_FIELDS = 'name,parameter_format,components,language,status,category';
const FIELDS = `${DEFAULT_FIELDS},id,rejected_reason,message_send_ttl_seconds,quality_score,last_updated_time`.split(
  ',',
);

const cursorOf = ({ id }: StoredTemplate): string => Buffer.from(id).toString('base64url');
const idOf = (cursor: string): number => Number(Buffer.from(cursor, 'base64url').toString());

function show(template: StoredTemplate, fields: string[]): Record<string, unknown> {
  const full: Record<string, unknown> = { ...template, quality_score: { score: 'UNKNOWN' } };
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
    const { review, review_delay_ms } = this.behaviour.settings;
    const template: StoredTemplate = {
      ...request,
      id: this.store.newId(),
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
    const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
    if (!Number.isInteger(limit) || limit < 1) throw new GraphError(100, 'Param limit must be a positive integer');
    const fields = fieldsOf(exchange);
    const templates = this.store.ofAccount(wabaId).filter((template) =>
      (['name', 'status', 'category', 'language'] as const).every((field) => {
        const filter = query.get(field);
        // The network matches any part of a name.
        return filter === null || (field === 'name' ? template.name.includes(filter) : template[field] === filter);
      }),
    );
    const after = query.get('after');
    if (after !== null && !Number.isInteger(idOf(after))) throw new GraphError(100, 'Invalid cursor');
    // Newest first: a page starts below the cursor's id, so deletions and additions do not shift it.
    const rest = after === null ? templates : templates.filter(({ id }) => Number(id) < idOf(after));
    const page = rest.slice(0, Math.min(limit, MAX_LIMIT));
    const [first, last] = [page[0], page.at(-1)];
    const cursors = first && last ? { before: cursorOf(first), after: cursorOf(last) } : {};
    const next = new URLSearchParams(query);
    if (last) next.set('after', cursorOf(last));
    const more = rest.length > page.length ? { next: `${base}${path}?${next}` } : {};
    return { status: 200, json: { data: page.map((each) => show(each, fields)), paging: { cursors, ...more } } };
  }

  read(template: StoredTemplate, exchange: Exchange): Answer {
    return { status: 200, json: show(template, fieldsOf(exchange)) };
  }

  /** Deletes every language of `name`, or only the template `hsm_id`. */
  async remove(wabaId: string, { query }: Exchange): Promise<Answer> {
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
