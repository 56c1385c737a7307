import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../values/clock.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { ApiAccess } from './api-access.js';
import { CommandFailure } from './command-failure.js';
import type { CommandResult } from './command-runner.js';
import { ApiRefusal, type JsonApi } from './json-api.js';
import { type PersonPlan, SEND_TRIGGERS, type SendPlan } from './trigger-plans.js';

/** The template that triggers send, created on first use. */
const TEMPLATE = {
  name: 'parley_trigger',
  category: 'UTILITY',
  body: { text: 'This message was sent by `trigger`.' },
  buttons: [
    { type: 'QUICK_REPLY', text: 'Yes' },
    { type: 'QUICK_REPLY', text: 'No' },
  ],
};
const CUSTOMER_NAME = 'Casey Example';

const TIMEOUT_MS = 60 * SECOND;
/** Twice a second: a key may make 100 requests a minute. */
const POLL_EVERY_MS = 500;

interface Phone {
  readonly waba_phone_id: string;
  readonly phone_number_id: string;
}
interface MessageRecord {
  readonly message_id: string;
  readonly status: string;
  readonly error_code: number | null;
  readonly timeline: readonly { readonly status: string }[];
}

/** A message that a contact writes. */
interface InboundTrigger {
  readonly from: PhoneNumber;
  readonly type: string;
  readonly name?: string;
  readonly text?: string;
  readonly forwarded?: boolean;
  /** Whether the contact comes from an ad. */
  readonly referral?: boolean;
  readonly hide_number?: boolean;
}

/** Triggers events of contacts and of the network. Works only with the simulated network. */
export class Triggers {
  private readonly api: JsonApi;
  private readonly simulator: JsonApi;

  constructor(access: ApiAccess) {
    this.api = access.api;
    this.simulator = access.simulator();
  }

  /** Sends a message and waits for the plan's outcome. */
  async send(plan: SendPlan, to: PhoneNumber): Promise<CommandResult> {
    const { waba_phone_id } = await this.phone();
    await this.ensureTemplate();
    const { message_id } = await this.api.post<{ message_id: string }>('/api/v1/messages/send', {
      template_name: TEMPLATE.name,
      contact_phone: to,
      contact_name: CUSTOMER_NAME,
      waba_phone_id,
    });
    const { status, error_code } = await this.eventually(`message ${message_id} is ${plan.until}`, async () => {
      const { message_record: record } = await this.api.get<{ message_record: MessageRecord }>(
        `/api/v1/messages/${message_id}`,
      );
      return record.timeline.some((step) => step.status === plan.until) && record;
    });
    if (plan.isAnswered) await this.eventually(`${to} has answered`, () => this.hasWritten(to, message_id));
    const failure: CommandResult = error_code === null ? {} : { error_code };
    return { message_id, contact_phone: to, status, ...failure, events: plan.events };
  }

  /** Sends a message from a contact. */
  async inbound({ from, ...message }: InboundTrigger): Promise<CommandResult> {
    const id = await this.call('/_sim/inbound', {
      name: CUSTOMER_NAME,
      from,
      ...message,
      ...(message.type === 'text' ? { text: message.text ?? 'Hello' } : {}),
    });
    return { network_message_id: id, contact_phone: from, events: ['message.received'] };
  }

  /** Carries out what a contact does with an earlier message, or elsewhere than in a conversation. */
  async person(plan: PersonPlan, contact: PhoneNumber): Promise<CommandResult> {
    const target = plan.refersTo === undefined ? null : await this.target(plan.refersTo, contact);
    const reference = target === null || plan.reference === undefined ? {} : { [plan.reference]: target };
    const who = plan.path === '/_sim/echoes' ? { to: contact } : { from: contact, name: CUSTOMER_NAME };
    let id = '';
    for (const step of plan.steps) id = await this.call(plan.path, { ...who, ...reference, ...step });
    return { network_message_id: id, contact_phone: contact, events: plan.events };
  }

  /** Sends a word from a contact that opts out or in. */
  async consent(from: PhoneNumber, word: string, optedIn: boolean): Promise<CommandResult> {
    const answer = await this.inbound({ from, type: 'text', text: word });
    const { contacts } = await this.api.get<{ contacts: { phone_number: string; opted_in: boolean }[] }>(
      `/api/v1/contacts/?search=${from}`,
    );
    const contact = contacts.find(({ phone_number }) => phone_number === from);
    if (contact?.opted_in !== optedIn) {
      throw new CommandFailure(`${word} did not change opted_in of ${from}: the organisation uses other words`);
    }
    return { ...answer, opted_in: optedIn };
  }

  /** The network's id of a message that has just been sent to a contact, or by one. */
  private async target(whose: 'ours' | 'theirs', contact: PhoneNumber): Promise<unknown> {
    if (whose === 'theirs') return (await this.inbound({ from: contact, type: 'text' })).network_message_id;
    const { message_id } = await this.send(SEND_TRIGGERS.read as SendPlan, contact);
    const { message_record } = await this.api.get<{ message_record: { network_message_id: string } }>(
      `/api/v1/messages/${String(message_id)}`,
    );
    return message_record.network_message_id;
  }

  /** Calls the simulator for the primary phone; returns the network's id of the message. */
  private async call(path: string, body: object): Promise<string> {
    const { phone_number_id } = await this.phone();
    const { id, callback_status } = await this.simulator.post<{ id: string; callback_status: number }>(path, {
      phone_number_id,
      ...body,
    });
    if (callback_status !== 200) throw new CommandFailure(`the callback with ${id} was answered ${callback_status}`);
    return id;
  }

  /**
   * The account's primary phone.
   *
   * @throws CommandFailure when the simulator does not know it
   */
  private async phone(): Promise<Phone> {
    const { business_phones } = await this.api.get<{ business_phones: Phone[] }>('/api/v1/business-phones/');
    const [primary] = business_phones;
    if (primary === undefined) throw new CommandFailure('the account has no business phone: add one with phones add');
    try {
      await this.simulator.get(`/v23.0/${primary.phone_number_id}`);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      throw new CommandFailure(
        `the simulator at ${this.simulator.baseUrl} does not know business phone ${primary.phone_number_id} of ` +
          `${this.api.baseUrl}: trigger works only on the simulated network`,
      );
    }
    return primary;
  }

  private async ensureTemplate(): Promise<void> {
    if ((await this.templateStatus()) === null) {
      await this.api.post('/api/v1/templates/create', TEMPLATE).catch(async (error: unknown) => {
        // Another run may have created it at the same time.
        if ((await this.templateStatus()) === null) throw error;
      });
    }
    await this.eventually(`the network has approved the template ${TEMPLATE.name}`, async () => {
      return (await this.templateStatus()) === 'APPROVED';
    });
  }

  private async templateStatus(): Promise<string | null> {
    const { templates } = await this.api.get<{ templates: { name: string; status: string }[] }>(
      `/api/v1/templates/?search=${TEMPLATE.name}`,
    );
    return templates.find(({ name }) => name === TEMPLATE.name)?.status ?? null;
  }

  /** Whether a contact has written since a message was sent: ids increase with time. */
  private async hasWritten(from: PhoneNumber, since: string): Promise<boolean> {
    const { messages } = await this.api.get<{ messages: MessageRecord[] }>(
      `/api/v1/messages/?direction=in&contact_phone=${from}&limit=1`,
    );
    return messages.some(({ message_id }) => message_id > since);
  }

  private async eventually<T>(what: string, check: () => Promise<T | false>): Promise<T> {
    for (const deadline = performance.now() + TIMEOUT_MS; ; await sleep(POLL_EVERY_MS)) {
      const found = await check();
      if (found !== false) return found;
      if (performance.now() > deadline) {
        throw new CommandFailure(
          `gave up after ${TIMEOUT_MS / SECOND} s waiting until ${what}: GET /_sim/behaviour shows the simulator’s settings`,
        );
      }
    }
  }
}
