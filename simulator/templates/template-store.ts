import { AppendLog } from '../control/append-log.js';
import { asciiJson, type JsonObject } from '../json-object.js';
import { shapeOf, type TemplateShape } from './template-shape.js';

export type TemplateStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'PAUSED' | 'DISABLED' | 'ARCHIVED';

/** A template as the network stores it. */
export interface StoredTemplate {
  id: string;
  waba_id: string;
  name: string;
  language: string;
  category: string;
  parameter_format: 'POSITIONAL' | 'NAMED';
  status: TemplateStatus;
  components: JsonObject[];
  rejected_reason: string;
  message_send_ttl_seconds?: number;
  /** The category that the network has announced for later. */
  correct_category?: string;
  /** The category before the network changed it. */
  previous_category?: string;
  /** What people think of its messages; `UNKNOWN` unless a test says so. */
  quality?: string;
  /** The status before it was archived. */
  archived_from?: TemplateStatus;
  /** When the automatic review decides (ms since the epoch); null if only `/_sim/templates/{id}/review` decides. */
  review_at: number | null;
}

const keyOf = (wabaId: string, name: string, language: string): string => `${wabaId}:${name}:${language}`;

/** Stores the templates of all accounts, unique by account, name and language. */
export class TemplateStore {
  private readonly templates = new Map<string, StoredTemplate>();
  private readonly byKey = new Map<string, string>();
  private readonly shapes = new Map<string, TemplateShape>();
  private lastId = 0n;
  private log: AppendLog;

  static open(path: string): TemplateStore {
    const store = new TemplateStore();
    store.log = AppendLog.open(path, (line) => {
      const { deleted, ...template } = JSON.parse(line) as StoredTemplate & { deleted?: boolean };
      if (deleted) store.forget(template.id);
      else store.keep(template);
    });
    return store;
  }

  /** A 16-digit id, greater than all earlier ones because lists are sorted by id. */
  newId(): string {
    return this.above(BigInt(Date.now()) * 1000n, this.lastId + 1n);
  }

  /** A 19-digit id, greater than all earlier ones; odd, so a reader that takes it for a double changes it. */
  newBigId(): string {
    return this.above(BigInt(Date.now()) * 1_000_000n + 1n, (this.lastId + 1n) | 1n);
  }

  async save(template: StoredTemplate): Promise<void> {
    this.keep(template);
    await this.log.append(asciiJson(template));
  }

  async remove(templates: StoredTemplate[]): Promise<void> {
    for (const { id } of templates) {
      this.forget(id);
      await this.log.append(asciiJson({ id, deleted: true }));
    }
  }

  byId(id: string): StoredTemplate | undefined {
    return this.templates.get(id);
  }

  find(wabaId: string, name: string, language: string): StoredTemplate | undefined {
    return this.templates.get(this.byKey.get(keyOf(wabaId, name, language)) ?? '');
  }

  /** Templates of one account, newest first. */
  ofAccount(wabaId: string): StoredTemplate[] {
    return [...this.templates.values()].filter((template) => template.waba_id === wabaId).reverse();
  }

  all(): StoredTemplate[] {
    return [...this.templates.values()];
  }

  shape(template: StoredTemplate): TemplateShape {
    const known = this.shapes.get(template.id);
    if (known) return known;
    const shape = shapeOf(template.components, template.parameter_format);
    this.shapes.set(template.id, shape);
    return shape;
  }

  close(): void {
    this.log.close();
  }

  private keep(template: StoredTemplate): void {
    this.templates.set(template.id, template);
    this.shapes.delete(template.id);
    this.byKey.set(keyOf(template.waba_id, template.name, template.language), template.id);
    const id = BigInt(template.id);
    if (id > this.lastId) this.lastId = id;
  }

  private above(id: bigint, next: bigint): string {
    this.lastId = id > next ? id : next;
    return String(this.lastId);
  }

  private forget(id: string): void {
    const template = this.templates.get(id);
    if (!template) return;
    this.templates.delete(id);
    this.shapes.delete(id);
    this.byKey.delete(keyOf(template.waba_id, template.name, template.language));
  }
}
