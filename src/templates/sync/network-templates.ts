import { Inject, Injectable } from '@nestjs/common';
import { type BusinessPhone, BusinessPhonesService } from '../../accounts/business-phones.service.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import type { DownloadedMedia } from '../../egress/media-download.js';
import { MessagingNetwork } from '../../network/network.js';
import { NetworkOutcomeUnknown, NetworkRefusal } from '../../network/network-error.js';
import type { TemplateRequest } from '../authoring/template-components.js';
import { NETWORK_FIELDS, type NetworkTemplate, readNetworkTemplate } from './network-template.js';

/** Templates on one page of the network's list. */
const PAGE_SIZE = 200;
/** The network's word for a template that it does not have. */
const NOT_FOUND_SUBCODE = 2593002;

interface ListAnswer {
  readonly data?: unknown;
  readonly paging?: { readonly next?: unknown; readonly cursors?: { readonly after?: unknown } };
}

/** One page of a business account's templates. */
export interface TemplatePage {
  readonly templates: readonly NetworkTemplate[];
  /** Entries that are there but that we could not store, such as templates of a category we do not know. */
  readonly unreadable: number;
}

/** The network's answer to a new template. */
export interface AcceptedTemplate {
  readonly metaTemplateId: string;
  /** In the network's words. */
  readonly networkStatus: string;
  /** The network may put a template into another category. */
  readonly category: string | null;
}

/** The templates of a business account on the network, reached through one of its phones. */
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
    if (typeof id !== 'string' && typeof id !== 'number') {
      throw new NetworkOutcomeUnknown('the network answered a new template without an id');
    }
    return {
      metaTemplateId: String(id),
      networkStatus: typeof status === 'string' ? status : 'PENDING',
      category: typeof category === 'string' ? category : null,
    };
  }

  /** One template, or null when the network's answer is none that we could store. */
  async read(phone: BusinessPhone, metaTemplateId: string): Promise<NetworkTemplate | null> {
    const answer = await this.network.call<unknown>({
      method: 'GET',
      path: `/${encodeURIComponent(metaTemplateId)}?fields=${NETWORK_FIELDS}`,
      token: await this.phones.token(phone),
    });
    return readNetworkTemplate(answer);
  }

  /**
   * All templates of the phone's business account, page by page, newest first. It ends only where the network says that
   * the list does.
   */
  async *pages(phone: BusinessPhone): AsyncGenerator<TemplatePage, void, undefined> {
    const token = await this.phones.token(phone);
    const seen = new Set<string>();
    for (let after: string | null = null; ; ) {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE), fields: NETWORK_FIELDS });
      if (after !== null) query.set('after', after);
      const path = `/${phone.wabaId}/message_templates?${query}`;
      const { data, paging } = await this.network.call<ListAnswer>({ method: 'GET', path, token });
      if (!Array.isArray(data)) throw new NetworkOutcomeUnknown('the network answered a list without data');
      const templates = data.map(readNetworkTemplate).filter((template) => template !== null);
      yield { templates, unreadable: data.length - templates.length };
      if (paging?.next === undefined) return;
      const cursor = paging.cursors?.after;
      if (typeof cursor !== 'string') throw new NetworkOutcomeUnknown('the network answered a page without a cursor');
      if (seen.has(cursor)) throw new NetworkOutcomeUnknown('the network answered the same page twice');
      seen.add(cursor);
      after = cursor;
    }
  }

  /** Deletes one language of a template; one that the network does not have is deleted already. */
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

  /** Uploads an example file of a header, in the two steps of the resumable upload; answers its handle. */
  async upload(phone: BusinessPhone, media: DownloadedMedia): Promise<string> {
    const token = await this.phones.token(phone);
    const query = new URLSearchParams({ file_length: String(media.size), file_type: media.mimeType });
    const session = await this.network.call<{ id?: unknown }>({
      method: 'POST',
      path: `/${this.appId}/uploads?${query}`,
      token,
    });
    if (typeof session.id !== 'string') throw new NetworkOutcomeUnknown('the network answered an upload without an id');
    const { h } = await this.network.call<{ h?: unknown }>({
      method: 'POST',
      path: `/${session.id}`,
      token,
      body: media.read(),
      headers: { file_offset: '0', 'content-length': String(media.size) },
    });
    if (typeof h !== 'string') throw new NetworkOutcomeUnknown('the network answered an upload without a handle');
    return h;
  }
}
