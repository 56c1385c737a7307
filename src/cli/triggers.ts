import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../values/clock.js';
import type { PhoneNumber } from '../values/phone-number.js';
import type { ApiAccess } from './api-access.js';
import { CommandFailure } from './command-failure.js';
import type { Answer } from './command-runner.js';
import { ApiRefusal, type JsonApi } from './json-api.js';
import type { SendPlan } from './trigger-plans.js';

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

const TIMEOUT_MS = 20 * SECOND;
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

/** Triggers events of contacts and of the network. Works only with the simulated network. */
export class Triggers {
  private readonly api: JsonApi;
  private readonly simulator: JsonApi;

  constructor(access: ApiAccess) {
    this.api = access.api;
    this.simulator = access.simulator();
  }

  /** Sends a message and waits for the plan's outcome. */
  async send(plan: SendPlan, to: PhoneNumber): Promise<Answer> {
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
    const failure: Answer = error_code === null ? {} : { error_code };
    return { message_id, contact_phone: to, status, ...failure, events: plan.events };
  }

  /** Sends a message from a contact. */
  async inbound(message: { from: PhoneNumber; type: string; name?: string; text?: string }): Promise<Answer> {
    const { phone_number_id } = await this.phone();
    const { id, callback_status } = await this.simulator.post<{ id: string; callback_status: number }>(
      '/_sim/inbound',
      {
        phone_number_id,
        name: CUSTOMER_NAME,
        ...message,
        ...(message.type === 'text' ? { text: message.text ?? 'Hello' } : {}),
      },
    );
    if (callback_status !== 200) throw new CommandFailure(`the callback with ${id} was answered ${callback_status}`);
    return { network_message_id: id, contact_phone: message.from, events: ['message.received'] };
  }

  /** Sends a word from a contact that opts out or in. */
  async consent(from: PhoneNumber, word: string, optedIn: boolean): Promise<Answer> {
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
