import type { AccountRestrictions } from './accounts/account-restrictions.js';
import type { AppEndpoint } from './apps/app-endpoint.js';
import { type Apps, MANAGEMENT, MESSAGING } from './apps/apps.js';
import type { Answer, Exchange } from './exchange.js';
import { GraphError } from './graph-error.js';
import type { MediaEndpoint } from './media/media-endpoint.js';
import type { MessageEndpoint } from './messages/message-endpoint.js';
import type { PhoneRegistry, SimulatedPhone } from './phone-registry.js';
import { readFields } from './phones/object-fields.js';
import type { PhoneEndpoint } from './phones/phone-endpoint.js';
import type { TemplateEndpoint } from './templates/template-endpoint.js';
import type { TemplateStore } from './templates/template-store.js';

const VERSION = /^v\d+\.\d+$/;

interface Parts {
  apps: Apps;
  appCalls: AppEndpoint;
  phones: PhoneRegistry;
  phoneCalls: PhoneEndpoint;
  restrictions: AccountRestrictions;
  messages: MessageEndpoint;
  templates: TemplateEndpoint;
  templateStore: TemplateStore;
  media: MediaEndpoint;
  /** The only app that may upload; if undefined, any app may. */
  appId: string | undefined;
}

const ACCOUNT_FIELDS = ['id', 'name', 'owner_business_info', 'health_status', 'timezone_id', 'currency'];

function describeAccount(exchange: Exchange, id: string, [phone]: SimulatedPhone[]): object {
  const owner = phone?.portfolio_id;
  const available = { can_send_message: 'AVAILABLE' };
  const full = {
    id,
    name: 'Simulated business account',
    owner_business_info: owner === undefined ? undefined : { id: owner, name: 'Simulated business' },
    health_status: { ...available, entities: [{ entity_type: 'WABA', id, ...available }] },
    timezone_id: '1',
    currency: 'USD',
  };
  return readFields(exchange, full, ACCOUNT_FIELDS, ['name', 'owner_business_info']);
}

/** The access token of a call. Resumable uploads send the same token as `OAuth …`. */
function tokenOf({ request, query }: Exchange): string | null {
  const { authorization } = request.headers;
  return /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? query.get('access_token');
}

/** Routes Graph API requests: checks the token, then looks up the object named by the first path segment. */
export class GraphRouter {
  constructor(
    private readonly parts: Parts,
    private readonly baseUrl: () => string,
  ) {}

  async answer(exchange: Exchange): Promise<Answer> {
    const segments = exchange.path.split('/').filter((segment) => segment !== '');
    if (VERSION.test(segments[0] ?? '')) segments.shift();
    const { apps, appCalls } = this.parts;
    const given = tokenOf(exchange);
    const ofApp = appCalls.answer(segments, exchange, given);
    if (ofApp) return ofApp;
    if (given === null) throw new GraphError(190, 'An access token is required to request this resource.');
    apps.checkAlive(given);
    const [id = '', edge, child] = segments;
    const phone = this.parts.phones.find(id);
    const owner = phone?.waba_id ?? this.parts.templateStore.byId(id)?.waba_id ?? id;
    if (edge === 'subscribed_apps' && child === undefined) return appCalls.subscribed(id, exchange, given);
    if (phone || this.parts.phones.hasAccount(owner)) {
      apps.checkCall(given, owner, edge === 'messages' ? MESSAGING : MANAGEMENT, id);
    }
    this.parts.restrictions.checkAccess(owner, id);
    if (phone && child === undefined) return this.ofPhone(phone, edge, exchange);
    if (edge === 'message_templates' || edge === 'phone_numbers') return this.ofAccount(id, edge, child, exchange);
    if (edge === undefined && exchange.method === 'GET' && this.parts.phones.hasAccount(id)) {
      return { status: 200, json: describeAccount(exchange, id, this.parts.phones.ofAccount(id)) };
    }
    const answer = segments.length > 2 ? null : await this.ofObject(id, edge, exchange);
    if (!answer) throw GraphError.unknownObject(id);
    return answer;
  }

  private async ofPhone(phone: SimulatedPhone, edge: string | undefined, exchange: Exchange): Promise<Answer> {
    if (edge === 'messages' && exchange.method === 'POST') return this.parts.messages.send(phone, exchange);
    if (edge === 'media' && exchange.method === 'POST') return this.parts.media.upload(phone.phone_number_id, exchange);
    if (edge === undefined && exchange.method === 'GET') {
      return { status: 200, json: this.parts.phoneCalls.describe(phone, exchange) };
    }
    const answer = edge === undefined ? null : await this.parts.phoneCalls.call(phone, edge, exchange);
    if (answer) return answer;
    throw GraphError.unknownObject(phone.phone_number_id);
  }

  private async ofAccount(id: string, edge: string, child: string | undefined, exchange: Exchange): Promise<Answer> {
    if (!this.parts.phones.hasAccount(id)) throw GraphError.unknownObject(id);
    const { templates, templateStore } = this.parts;
    const { method } = exchange;
    if (edge === 'phone_numbers') {
      if (method !== 'GET' || child !== undefined) throw GraphError.unknownObject(id);
      const phones = this.parts.phones.ofAccount(id);
      return { status: 200, json: { data: phones.map((phone) => this.parts.phoneCalls.describe(phone, exchange)) } };
    }
    if (child !== undefined) {
      const template = templateStore.byId(child);
      if (method === 'GET' && template?.waba_id === id) return templates.read(template, exchange);
      throw GraphError.unknownObject(child);
    }
    if (method === 'POST') {
      this.parts.restrictions.checkTemplate(id, exchange.graphJson().category);
      return templates.create(id, exchange);
    }
    if (method === 'GET') return templates.list(id, exchange, this.baseUrl());
    if (method === 'DELETE') return templates.remove(id, exchange);
    throw GraphError.unknownObject(id);
  }

  private async ofObject(id: string, edge: string | undefined, exchange: Exchange): Promise<Answer | null> {
    const { media, templates, templateStore, appId } = this.parts;
    const { method } = exchange;
    if (method === 'POST' && edge === 'uploads' && (appId === undefined || id === appId)) {
      return media.startUpload(exchange);
    }
    if (method === 'POST' && edge === undefined && id.startsWith('upload:')) return media.finishUpload(id, exchange);
    if (method === 'GET' && id === 'whatsapp_business' && edge === 'attachments') return media.download(exchange);
    if (edge !== undefined) return null;
    const medium = await media.ofMedium(id, exchange);
    if (medium) return medium;
    const template = templateStore.byId(id);
    if (template && method === 'GET') return templates.read(template, exchange);
    return null;
  }
}
