import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUserId } from '../../simulator/callbacks/user-ids.js';
import { Simulator } from '../../simulator/simulator.js';
import type { SimulatorOptions } from '../../simulator/simulator-options.js';
import { until } from '../support/until.js';
import { CallbackReceiver } from './callback-receiver.js';

export const PHONE = '106540352242922';
export const WABA = '102290129340398';
export const SECRET = 'app-secret-of-the-tests';
export const CUSTOMER = '4915112345678';

export interface Reply<T> {
  status: number;
  body: T;
  headers: Headers;
}

export interface GraphErrorBody {
  error: { message: string; code: number; error_subcode?: number; error_data: { details: string }; fbtrace_id: string };
}

export interface SendBody {
  contacts: { input: string; wa_id?: string; user_id?: string }[];
  messages: { id: string; message_status: string }[];
}

export interface LedgerBody {
  total: number;
  distinct: number;
  data: {
    id: string;
    to: string | null;
    recipient_user_id?: string;
    biz_opaque_callback_data: string | null;
    template_name: string | null;
    type: string;
  }[];
}

const OPTIONS = {
  port: 0,
  appSecret: SECRET,
  appId: '900100',
  phones: [{ phone_number_id: PHONE, waba_id: WABA, display_phone_number: '+49 30 901820' }],
  // Over several connections they may overtake each other.
  callbacksAtOnce: 1,
};

/** Stops the clock until `work` has been done: however long that takes, nothing of the simulator falls due meanwhile. */
export async function atOneMoment<T>(work: () => Promise<T>): Promise<T> {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

export const templateBody = (name: string, components: object[], more: object = {}): object => ({
  name,
  language: 'en_US',
  category: 'MARKETING',
  components,
  ...more,
});

/** A simulator with one business phone, a receiver for its callbacks, and methods to drive it. */
export class SimulatedNetwork {
  private constructor(
    readonly dataDir: string,
    readonly receiver: CallbackReceiver,
    private simulator: Simulator,
  ) {}

  static async start(more: Partial<SimulatorOptions> = {}): Promise<SimulatedNetwork> {
    const dataDir = await mkdtemp(join(tmpdir(), 'simulator-'));
    const receiver = await CallbackReceiver.start();
    const simulator = await Simulator.start({ ...OPTIONS, dataDir, callbackUrl: receiver.url, ...more });
    const network = new SimulatedNetwork(dataDir, receiver, simulator);
    await network.behave({});
    return network;
  }

  get url(): string {
    return this.simulator.url;
  }

  async call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: 'Bearer token', 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T, headers: response.headers };
  }

  /** Sets the behaviour; by default reports come 10 ms apart and reviews take 1 ms. */
  async behave(behaviour: object): Promise<void> {
    await this.call('POST', '/_sim/behaviour', { status_delay_ms: 10, review_delay_ms: 1, ...behaviour });
  }

  post<T = SendBody & GraphErrorBody>(message: object): Promise<Reply<T>> {
    return this.call<T>('POST', `/v23.0/${PHONE}/messages`, {
      messaging_product: 'whatsapp',
      to: CUSTOMER,
      ...message,
    });
  }

  /** Sends and returns the message id; fails unless the network accepts. */
  async send(message: object): Promise<string> {
    const { body } = await this.post(message);
    if (!body.messages?.[0]) throw new Error(`refused: ${JSON.stringify(body)}`);
    return body.messages[0].id;
  }

  sendText(to: string, more: object = {}): Promise<string> {
    return this.send({ to, type: 'text', text: { body: 'hi' }, ...more });
  }

  sendTemplate(name: string, components?: object[], to = CUSTOMER): Promise<Reply<SendBody & GraphErrorBody>> {
    return this.post({ to, type: 'template', template: { name, language: { code: 'en_US' }, components } });
  }

  /** Sends a message from the customer with this number or, if hidden, this user id, which opens the window. */
  async inbound(customer: string, more: object = {}): Promise<{ id: string; callback_status: number }> {
    const sender = isUserId(customer) ? { from_user_id: customer } : { from: customer };
    const input = { phone_number_id: PHONE, ...sender, type: 'text', text: 'hello', ...more };
    return (await this.call<{ id: string; callback_status: number }>('POST', '/_sim/inbound', input)).body;
  }

  create(name: string, components: object[], more: object = {}): Promise<Reply<{ id: string } & GraphErrorBody>> {
    return this.call('POST', `/v23.0/${WABA}/message_templates`, templateBody(name, components, more));
  }

  /** Creates a template and waits for its approval and the notice of it; returns its id. */
  async approved(name: string, components: object[], more: object = {}): Promise<string> {
    const { body } = await this.create(name, components, more);
    if (!body.id) throw new Error(`refused: ${JSON.stringify(body)}`);
    await until('the template is approved', async () => (await this.statusOf(body.id)) === 'APPROVED');
    const isReported = () => this.receiver.changes.some(({ value }) => value.message_template_name === name);
    await until('the approval is reported', isReported);
    return body.id;
  }

  async statusOf(templateId: string): Promise<string> {
    return (await this.call<{ status: string }>('GET', `/v23.0/${templateId}`)).body.status;
  }

  /** Uploads a template's header file; returns the handle. */
  async handle(type: string): Promise<string> {
    const session = await this.call<{ id: string }>('POST', `/v23.0/900100/uploads?file_length=5&file_type=${type}`);
    const upload = { file_offset: '0', authorization: 'OAuth token', 'content-type': type };
    return (await this.call<{ h: string }>('POST', `/v23.0/${session.body.id}`, 'bytes', upload)).body.h;
  }

  async ledger(query = ''): Promise<LedgerBody> {
    return (await this.call<LedgerBody>('GET', `/_sim/ledger${query}`)).body;
  }

  /** Stops the simulator and starts another on the same files. */
  async restart(callbackUrl: string | undefined = this.receiver.url): Promise<void> {
    await this.simulator.stop();
    this.simulator = await Simulator.start({ ...OPTIONS, phones: [], dataDir: this.dataDir, callbackUrl });
    await this.behave({});
  }

  async reset(): Promise<void> {
    await this.call('POST', '/_sim/reset');
    await this.behave({});
    this.receiver.callbacks.length = 0;
    this.receiver.answer = () => 200;
  }

  async stop(): Promise<void> {
    await this.simulator.stop();
    await this.receiver.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
