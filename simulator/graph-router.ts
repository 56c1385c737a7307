import type { Answer, Exchange } from './exchange.js';
import { GraphError } from './graph-error.js';
import type { MediaEndpoint } from './media/media-endpoint.js';
import type { MediaStore } from './media/media-store.js';
import type { MessageEndpoint } from './messages/message-endpoint.js';
import type { PhoneRegistry, SimulatedPhone } from './phone-registry.js';
import type { TemplateEndpoint } from './templates/template-endpoint.js';
import type { TemplateStore } from './templates/template-store.js';

const VERSION = /^v\d+\.\d+$/;

interface Parts {
  phones: PhoneRegistry;
  messages: MessageEndpoint;
  templates: TemplateEndpoint;
  templateStore: TemplateStore;
  media: MediaEndpoint;
  mediaStore: MediaStore;
  /** The only app that may upload; if undefined, any app may. */
  appId: string | undefined;
}

const describePhone = (phone: SimulatedPhone): object => ({
  id: phone.phone_number_id,
  display_phone_number: phone.display_phone_number,
  verified_name: 'Simulated business',
  code_verification_status: 'VERIFIED',
  quality_rating: phone.quality_rating ?? 'GREEN',
  platform_type: 'CLOUD_API',
  throughput: { level: phone.throughput_level ?? 'STANDARD' },
  ...(phone.messaging_limit === undefined ? {} : { whatsapp_business_manager_messaging_limit: phone.messaging_limit }),
});

const describeAccount = (id: string, [phone]: SimulatedPhone[]): object => ({
  id,
  name: 'Simulated business account',
  ...(phone?.portfolio_id === undefined
    ? {}
    : { owner_business_info: { id: phone.portfolio_id, name: 'Simulated business' } }),
});

/** Routes Graph API requests: checks the token, then looks up the object named by the first path segment. */
export class GraphRouter {
  constructor(
    private readonly parts: Parts,
    private readonly baseUrl: () => string,
  ) {}

  async answer(exchange: Exchange): Promise<Answer> {
    this.checkToken(exchange.request.headers.authorization);
    const segments = exchange.path.split('/').filter((segment) => segment !== '');
    if (VERSION.test(segments[0] ?? '')) segments.shift();
    const [id = '', edge, child] = segments;
    const phone = this.parts.phones.find(id);
    if (phone && child === undefined) return this.ofPhone(phone, edge, exchange);
    if (edge === 'message_templates' || edge === 'phone_numbers') return this.ofAccount(id, edge, child, exchange);
    if (edge === undefined && exchange.method === 'GET' && this.parts.phones.hasAccount(id)) {
      return { status: 200, json: describeAccount(id, this.parts.phones.ofAccount(id)) };
    }
    const answer = segments.length > 2 ? null : await this.ofObject(id, edge, exchange);
    if (!answer) throw GraphError.unknownObject(id);
    return answer;
  }

  private checkToken(authorization: string | undefined): void {
    // Resumable uploads send the same token as `OAuth …`.
    const token = /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new GraphError(190, 'An access token is required to request this resource.');
    if (token !== 'expired') return;
    const message = 'Error validating access token: Session has expired.';
    throw new GraphError(190, message, { message, subcode: 463 });
  }

  private async ofPhone(phone: SimulatedPhone, edge: string | undefined, exchange: Exchange): Promise<Answer> {
    if (edge === 'messages' && exchange.method === 'POST') return this.parts.messages.send(phone, exchange);
    if (edge === 'media' && exchange.method === 'POST') return this.parts.media.upload(phone.phone_number_id, exchange);
    if (edge === undefined && exchange.method === 'GET') return { status: 200, json: describePhone(phone) };
    throw GraphError.unknownObject(phone.phone_number_id);
  }

  private async ofAccount(id: string, edge: string, child: string | undefined, exchange: Exchange): Promise<Answer> {
    if (!this.parts.phones.hasAccount(id)) throw GraphError.unknownObject(id);
    const { templates, templateStore } = this.parts;
    const { method } = exchange;
    if (edge === 'phone_numbers') {
      if (method !== 'GET' || child !== undefined) throw GraphError.unknownObject(id);
      return { status: 200, json: { data: this.parts.phones.ofAccount(id).map(describePhone) } };
    }
    if (child !== undefined) {
      const template = templateStore.byId(child);
      if (method === 'GET' && template?.waba_id === id) return templates.read(template, exchange);
      throw GraphError.unknownObject(child);
    }
    if (method === 'POST') return templates.create(id, exchange);
    if (method === 'GET') return templates.list(id, exchange, this.baseUrl());
    if (method === 'DELETE') return templates.remove(id, exchange);
    throw GraphError.unknownObject(id);
  }

  private async ofObject(id: string, edge: string | undefined, exchange: Exchange): Promise<Answer | null> {
    const { media, mediaStore, templates, templateStore, appId } = this.parts;
    const { method } = exchange;
    if (method === 'POST' && edge === 'uploads' && (appId === undefined || id === appId)) {
      return media.startUpload(exchange);
    }
    if (method === 'POST' && edge === undefined && id.startsWith('upload:')) return media.finishUpload(id, exchange);
    if (method === 'GET' && id === 'media-bytes' && edge !== undefined) return media.download(edge);
    if (edge !== undefined) return null;
    const medium = mediaStore.find(id);
    if (medium && method === 'GET') return media.describe(medium, this.baseUrl());
    if (medium && method === 'DELETE') return media.remove(medium);
    const template = templateStore.byId(id);
    if (template && method === 'GET') return templates.read(template, exchange);
    return null;
  }
}
