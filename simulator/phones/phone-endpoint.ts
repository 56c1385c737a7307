import { isCustomerNumber, isUserId } from '../callbacks/user-ids.js';
import type { Ledger } from '../control/ledger.js';
import type { Answer, Exchange } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import { isText, type JsonObject, objectsOf } from '../json-object.js';
import { messageHistory } from '../messages/message-history.js';
import type { ServiceWindows } from '../messages/service-windows.js';
import type { People } from '../people/people.js';
import type { SimulatedPhone } from '../phone-registry.js';
import { readFields } from './object-fields.js';
import type { PhoneStates } from './phone-states.js';

const USUAL_FIELDS = [
  'display_phone_number',
  'verified_name',
  'code_verification_status',
  'quality_rating',
  'platform_type',
  'throughput',
  'whatsapp_business_manager_messaging_limit',
];
const FIELDS = [
  ...USUAL_FIELDS,
  'id',
  'name_status',
  'status',
  'is_on_biz_app',
  'webhook_configuration',
  'health_status',
];
const MAX_BLOCKED_AT_ONCE = 1000;
const MAX_BLOCKED = 64_000;

interface Stores {
  ledger: Ledger;
  states: PhoneStates;
  people: People;
  windows: ServiceWindows;
}

/** A person in the answers about blocked people. */
type Blocked = JsonObject & { input: string };

/** The calls about a business phone itself: reading it, its registration, and the people whom it blocks. */
export class PhoneEndpoint {
  constructor(private readonly stores: Stores) {}

  describe(phone: SimulatedPhone, exchange: Exchange): object {
    const { phone_number_id: id, waba_id } = phone;
    const isRegistered = this.stores.states.isRegistered(phone);
    const available = { can_send_message: 'AVAILABLE' };
    const entities = [
      { entity_type: 'PHONE_NUMBER', id, ...available },
      { entity_type: 'WABA', id: waba_id, ...available },
    ];
    const full = {
      id,
      display_phone_number: phone.display_phone_number,
      verified_name: 'Simulated business',
      code_verification_status: 'VERIFIED',
      quality_rating: phone.quality_rating ?? 'GREEN',
      platform_type: phone.platform_type ?? (isRegistered ? 'CLOUD_API' : 'NOT_APPLICABLE'),
      throughput: { level: phone.throughput_level ?? 'STANDARD' },
      whatsapp_business_manager_messaging_limit: phone.messaging_limit,
      name_status: phone.name_status ?? 'APPROVED',
      status: isRegistered ? 'CONNECTED' : 'DISCONNECTED',
      is_on_biz_app: phone.is_on_biz_app ?? false,
      webhook_configuration: phone.webhook_configuration,
      health_status: phone.health_status ?? { ...available, entities },
    };
    return readFields(exchange, full, FIELDS, USUAL_FIELDS);
  }

  /** The other calls of a phone; null if there is no such call. */
  async call(phone: SimulatedPhone, edge: string, exchange: Exchange): Promise<Answer | null> {
    const { method } = exchange;
    if (edge === 'message_history' && method === 'GET') return messageHistory(this.stores.ledger, phone, exchange);
    if (edge === 'block_users') return this.blockedUsers(phone, exchange);
    if (method !== 'POST' || (edge !== 'register' && edge !== 'deregister')) return null;
    if (edge === 'register') {
      const { messaging_product, pin } = exchange.graphJson();
      if (messaging_product !== 'whatsapp') throw GraphError.missing('messaging_product');
      if (!/^\d{6}$/.test(String(pin))) throw new GraphError(100, 'Param pin must be a string of six digits.');
      this.stores.states.checkPin(phone, String(pin));
    }
    await this.stores.states.register(phone.phone_number_id, edge === 'register');
    return { status: 200, json: { success: true } };
  }

  private async blockedUsers({ phone_number_id: phone }: SimulatedPhone, exchange: Exchange): Promise<Answer | null> {
    const { states, people } = this.stores;
    const { method } = exchange;
    if (method === 'GET') {
      const data = states.blockedBy(phone).map((userId) => ({
        messaging_product: 'whatsapp',
        ...(people.waIdOfUser(userId) === undefined ? {} : { wa_id: people.waIdOfUser(userId) }),
        user_id: userId,
      }));
      return { status: 200, json: { data } };
    }
    if (method !== 'POST' && method !== 'DELETE') return null;
    const { messaging_product, block_users } = exchange.graphJson();
    if (messaging_product !== 'whatsapp') throw GraphError.missing('messaging_product');
    const users = objectsOf(block_users);
    if (users.length < 1 || users.length > MAX_BLOCKED_AT_ONCE) {
      throw new GraphError(139100, `block_users must name 1 to ${MAX_BLOCKED_AT_ONCE} people`);
    }
    const [done, failed] = [[] as Blocked[], [] as Blocked[]];
    for (const user of users) {
      const { shown, userId } = this.personIn(user);
      const reason = method === 'POST' ? this.whyNot(phone, userId) : null;
      if (reason === null && userId !== null) await states.block(phone, userId, method === 'POST');
      if (reason === null && userId !== null) done.push(shown);
      else
        failed.push({
          ...shown,
          errors: [{ code: 139102, message: 'Failed to block', error_data: { details: reason } }],
        });
    }
    const json = {
      messaging_product: 'whatsapp',
      block_users: { [method === 'POST' ? 'added_users' : 'removed_users']: done, failed_users: failed },
    };
    return { status: done.length > 0 ? 200 : 400, json };
  }

  /** Why somebody cannot be blocked; null if they can. */
  private whyNot(phone: string, userId: string | null): string | null {
    const { states, windows } = this.stores;
    if (userId === null || !windows.isOpen(phone, userId))
      return 'Only people who wrote within 24 hours can be blocked';
    return states.blockedBy(phone).length < MAX_BLOCKED ? null : `No more than ${MAX_BLOCKED} people can be blocked`;
  }

  private personIn({ user, user_id }: JsonObject): { shown: Blocked; userId: string | null } {
    if (isUserId(user_id)) return { shown: { input: user_id, user_id }, userId: user_id };
    const digits = isText(user) ? user.replace(/\D/g, '') : '';
    if (!isCustomerNumber(digits)) return { shown: { input: String(user) }, userId: null };
    const wa_id = this.stores.people.waIdOf(digits);
    return { shown: { input: String(user), wa_id }, userId: this.stores.people.userIdOf(wa_id) };
  }
}
