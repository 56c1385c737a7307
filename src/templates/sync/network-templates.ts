import { Inject, Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import type { DownloadedMedia } from '../../egress/media-download.js';
import { MessagingNetwork } from '../../network/network.js';
import { NetworkOutcomeUnknown, NetworkRefusal } from '../../network/network-error.js';
import { categoryOf, type TemplateCategory } from '../template.js';
import {
  metaTemplateIdOf,
  NETWORK_FIELDS,
  type NetworkTemplate,
  readNetworkTemplate,
  type TemplateRequest,
} from './network-template.js';

/** Templates of a business account that one request lists. */
export const PAGE_SIZE = 200;
/** The network's error for a template that does not exist. */
const NOT_FOUND_SUBCODE = 2593002;

interface ListAnswer {
  readonly data?: unknown;
  readonly paging?: { readonly next?: unknown; readonly cursors?: { readonly after?: unknown } };
}

/** One page of a business account's templates. */
export interface TemplatePage {
  readonly templates: readonly NetworkTemplate[];
  /** How many entries we cannot store, such as templates of an unknown category. */
  readonly unreadable: number;
}

/** The network's response to a new template. */
export interface AcceptedTemplate {
  readonly metaTemplateId: string;
  readonly networkStatus: string;
  /** The network may change the category; null when it does not say. */
  readonly category: TemplateCategory | null;
}

/** Reads and changes templates on the network, with the token of one of their business account's phones. */
@Injectable()
export class NetworkTemplates {
  private readonly appId: string;

  constructor(
    private readonly network: MessagingNetwork,
    private readonly phones: BusinessPhonesService,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.appId = environment.network.appId;
  }

  /** Submits a template for review. */
  async submit(phone: BusinessPhone, request: TemplateRequest): Promise<AcceptedTemplate> {
    const { id, status, category } = await this.network.call<{ id?: unknown; status?: unknown; category?: unknown }>({
      method: 'POST',
      path: `/${phone.wabaId}/message_templates`,
      token: await this.phones.token(phone),
      body: request,
    });
    const metaTemplateId = metaTemplateIdOf(id);
    if (metaTemplateId === null) {
      throw new NetworkOutcomeUnknown('the network returned no id for a new template');
    }
    return {
      metaTemplateId,
      networkStatus: typeof status === 'string' ? status : 'PENDING',
      category: categoryOf(category),
    };
  }

  /** One template, or null when we cannot store it. */
  async read(phone: BusinessPhone, metaTemplateId: string): Promise<NetworkTemplate | null> {
    const answer = await this.network.call<unknown>({
      method: 'GET',
      path: `/${encodeURIComponent(metaTemplateId)}?fields=${NETWORK_FIELDS}`,
      token: await this.phones.token(phone),
    });
    return readNetworkTemplate(answer);
  }

  /**
   * Lists the templates of the phone's business account, newest first. Throws rather than stop before the last page.
   */
  async *pages(phone: BusinessPhone): AsyncGenerator<TemplatePage, void, undefined> {
    const token = await this.phones.token(phone);
    const seen = new Set<string>();
    for (let after: string | null = null; ; ) {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE), fields: NETWORK_FIELDS });
      if (after !== null) query.set('after', after);
      const path = `/${phone.wabaId}/message_templates?${query}`;
      const { data, paging } = await this.network.call<ListAnswer>({ method: 'GET', path, token });
      if (!Array.isArray(data)) throw new NetworkOutcomeUnknown('the network returned a template list without data');
      const templates = data.map(readNetworkTemplate).filter((template) => template !== null);
      yield { templates, unreadable: data.length - templates.length };
      if (paging?.next === undefined) return;
      const cursor = paging.cursors?.after;
      if (typeof cursor !== 'string') throw new NetworkOutcomeUnknown('the network returned a page without a cursor');
      if (seen.has(cursor)) throw new NetworkOutcomeUnknown('the network returned the same page twice');
      seen.add(cursor);
      after = cursor;
    }
  }

  /** Deletes one language of a template; succeeds if the network no longer has it. */
  async remove(phone: BusinessPhone, name: string, metaTemplateId: string): Promise<void> {
    const query = new URLSearchParams({ name, hsm_id: metaTemplateId });
    try {
      await this.network.call<unknown>({
        method: 'DELETE',
        path: `/${phone.wabaId}/message_templates?${query}`,
        token: await this.phones.token(phone),
      });
    } catch (error) {
      if (!(error instanceof NetworkRefusal && error.subcode === NOT_FOUND_SUBCODE)) throw error;
    }
  }

  /** Uploads an example file with the network's two-step resumable upload and returns its handle. */
  async upload(phone: BusinessPhone, media: DownloadedMedia): Promise<string> {
    const token = await this.phones.token(phone);
    const query = new URLSearchParams({ file_length: String(media.size), file_type: media.mimeType });
    const session = await this.network.call<{ id?: unknown }>({
      method: 'POST',
      path: `/${this.appId}/uploads?${query}`,
      token,
    });
    if (typeof session.id !== 'string') throw new NetworkOutcomeUnknown('the network returned no id for an upload');
    const { h } = await this.network.call<{ h?: unknown }>({
      method: 'POST',
      path: `/${session.id}`,
      token,
      body: media.read(),
      headers: { file_offset: '0', 'content-length': String(media.size) },
    });
    if (typeof h !== 'string') throw new NetworkOutcomeUnknown('the network returned no handle for an upload');
    return h;
  }
}
