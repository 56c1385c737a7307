import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CallbackSender } from './callbacks/callback-sender.js';
import { Customers } from './callbacks/customers.js';
import { PendingCallbacks } from './callbacks/pending-callbacks.js';
import { StatusReports } from './callbacks/status-reports.js';
import { TimingWheel } from './callbacks/timing-wheel.js';
import { Behaviour } from './control/behaviour.js';
import { ControlRouter } from './control/control-router.js';
import { Ledger } from './control/ledger.js';
import { RequestLog } from './control/request-log.js';
import { GraphRouter } from './graph-router.js';
import { HttpFront } from './http-front.js';
import { MediaEndpoint } from './media/media-endpoint.js';
import { MediaStore } from './media/media-store.js';
import type { AcceptedMessage } from './messages/accepted-message.js';
import { MessageEndpoint } from './messages/message-endpoint.js';
import { SendLimits } from './messages/send-limits.js';
import { ServiceWindows } from './messages/service-windows.js';
import { PhoneRegistry } from './phone-registry.js';
import type { SimulatorOptions } from './simulator-options.js';
import { TemplateEndpoint } from './templates/template-endpoint.js';
import { TemplateReview } from './templates/template-review.js';
import { TemplateStore } from './templates/template-store.js';

/**
 * Simulates the messaging network: a Graph API that rejects what the network rejects, signed callbacks, and a ledger of
 * every accepted message that survives restarts.
 */
export class Simulator {
  private constructor(
    private readonly front: HttpFront,
    private readonly sender: CallbackSender,
    private readonly wheel: TimingWheel,
    private readonly stores: { close(): void }[],
  ) {}

  /** Opens the files in `dataDir`, listens, and resumes the callbacks and reviews that an earlier run left pending. */
  static async start(options: SimulatorOptions): Promise<Simulator> {
    const { dataDir, appId, appSecret, callbacksAtOnce } = options;
    const file = (name: string): string => join(dataDir, name);
    const behaviour = new Behaviour();
    const wheel = new TimingWheel();
    const sender = new CallbackSender(appSecret, wheel, callbacksAtOnce);
    const limits = new SendLimits();
    const requests = new RequestLog();

    const front = new HttpFront(requests, behaviour, wheel);
    const url = await front.listen(options.port, options.host ?? '127.0.0.1');
    await mkdir(dataDir, { recursive: true });

    const phones = PhoneRegistry.open(file('phones.jsonl'));
    for (const phone of options.phones ?? []) await phones.add(phone);
    const users = new Set<string>();
    const windows = ServiceWindows.open(file('windows.jsonl'), (userId) => users.add(userId));
    const templates = TemplateStore.open(file('templates.jsonl'));
    const media = await MediaStore.open(file('media.jsonl'), file('media'));
    const callbacks = PendingCallbacks.open(file('callbacks.jsonl'), sender, wheel);
    const customers = new Customers(phones, windows, callbacks, users);
    const review = new TemplateReview(templates, callbacks, wheel);
    const reports = StatusReports.open(file('answered.log'), { behaviour, phones, sender, wheel });
    reports.onReply = (message: AcceptedMessage): void => {
      customers.reply(message).then(
        () => reports.replied(message),
        () => undefined,
      );
    };
    const ledger = Ledger.open(file('ledger.jsonl'), (message) => {
      users.add(message.userId);
      reports.restore(message);
    });
    reports.restored();
    for (const template of templates.all()) review.schedule(template);

    const messages = new MessageEndpoint({ ledger, media, templates, windows, reports, users }, behaviour, limits);
    const templateEndpoint = new TemplateEndpoint(templates, review, media, behaviour);
    const graph = new GraphRouter(
      {
        phones,
        messages,
        templates: templateEndpoint,
        templateStore: templates,
        media: new MediaEndpoint(media),
        mediaStore: media,
        appId,
      },
      () => url,
    );
    const reset = (): void => {
      behaviour.reset();
      limits.reset();
      requests.reset();
      templateEndpoint.reset();
      sender.reset();
      users.clear();
      for (const store of [ledger, windows, callbacks, reports]) store.reset();
    };
    const control = new ControlRouter({
      behaviour,
      phones,
      ledger,
      requests,
      customers,
      templates,
      review,
      sender,
      reset,
    });
    front.open(graph, control);
    sender.url = options.callbackUrl;
    return new Simulator(front, sender, wheel, [ledger, reports, callbacks, windows, templates, media, phones]);
  }

  /** Base address without a trailing slash, e.g. `http://127.0.0.1:40123`. */
  get url(): string {
    return this.front.url;
  }

  /** Changes the callback URL, and sends the callbacks that were waiting for one. */
  setCallbackUrl(url: string): void {
    this.sender.url = url;
  }

  /** Stops listening, drops connections and timers, then flushes and closes the files. */
  async stop(): Promise<void> {
    this.wheel.stop();
    this.sender.stop();
    await this.front.close();
    for (const store of this.stores) store.close();
  }
}
