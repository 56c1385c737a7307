import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AccountRestrictions } from './accounts/account-restrictions.js';
import { RestrictionControl } from './accounts/restriction-control.js';
import { AppEndpoint } from './apps/app-endpoint.js';
import { AppStore } from './apps/app-store.js';
import { Apps } from './apps/apps.js';
import { CallbackSender } from './callbacks/callback-sender.js';
import { PendingCallbacks } from './callbacks/pending-callbacks.js';
import { StatusReports } from './callbacks/status-reports.js';
import { TimingWheel } from './callbacks/timing-wheel.js';
import { Behaviour } from './control/behaviour.js';
import { ControlRouter } from './control/control-router.js';
import { Ledger } from './control/ledger.js';
import { RequestLog } from './control/request-log.js';
import { GraphRouter } from './graph-router.js';
import { HttpFront } from './http-front.js';
import { Coexistence } from './inbound/coexistence.js';
import { Customers } from './inbound/customers.js';
import { InboundFiles } from './inbound/inbound-files.js';
import { MediaEndpoint } from './media/media-endpoint.js';
import { MediaLinks } from './media/media-links.js';
import { MediaStore } from './media/media-store.js';
import { MediaUrls } from './media/media-urls.js';
import { ReceivedMedia } from './media/received-media.js';
import type { AcceptedMessage } from './messages/accepted-message.js';
import { Admission } from './messages/admission.js';
import { Fates } from './messages/fates.js';
import { InboundIds } from './messages/inbound-ids.js';
import { MarketingLimits } from './messages/marketing-limits.js';
import { MessageEndpoint } from './messages/message-endpoint.js';
import { Pacing } from './messages/pacing.js';
import { SendLimits } from './messages/send-limits.js';
import { ServiceWindows } from './messages/service-windows.js';
import { People } from './people/people.js';
import { PersonChanges } from './people/person-changes.js';
import { PhoneRegistry } from './phone-registry.js';
import { PhoneEndpoint } from './phones/phone-endpoint.js';
import { PhoneStates } from './phones/phone-states.js';
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
    const appStore = AppStore.open(file('apps.jsonl'));
    const first = { app_id: appId ?? '1', secret: appSecret, callbackUrl: () => sender.url };
    const apps = new Apps(appStore, behaviour, first);
    sender.routes = (wabaId, field) => apps.destinations(wabaId, field);
    const people = People.open(file('people.jsonl'), behaviour);
    const windows = ServiceWindows.open(file('windows.jsonl'), (userId, phone) => people.meet(userId, phone));
    const templates = TemplateStore.open(file('templates.jsonl'));
    const media = await MediaStore.open(file('media.jsonl'), file('media'), () => behaviour.settings.upload_days);
    const callbacks = PendingCallbacks.open(file('callbacks.jsonl'), sender, wheel, options.acceptanceTimeoutMs);
    const inbound = InboundIds.open(file('inbound.jsonl'));
    const received = await ReceivedMedia.open(file('received-media.jsonl'), file('received-media'), behaviour);
    const mediaEndpoint = new MediaEndpoint(media, received, new MediaUrls(() => url, appSecret), behaviour);
    const files = new InboundFiles(received, mediaEndpoint);
    const customers = new Customers(phones, windows, callbacks, people, behaviour, { ids: inbound, files });
    const review = new TemplateReview(templates, callbacks, wheel);
    const reports = StatusReports.open(file('answered.log'), {
      behaviour,
      phones,
      sender,
      wheel,
      isRouted: () => apps.isRouted,
    });
    reports.onReply = (message: AcceptedMessage): void => {
      customers.reply(message).then(
        () => reports.replied(message),
        () => undefined,
      );
    };
    const ledger = Ledger.open(file('ledger.jsonl'), (message) => {
      people.meet(message.userId, message.phoneNumberId);
      reports.restore(message);
    });
    reports.restored();
    for (const template of templates.all()) review.schedule(template);

    const states = PhoneStates.open(file('phone-states.jsonl'));
    const restrictions = AccountRestrictions.open(file('restrictions.jsonl'), windows);
    const pacing = Pacing.open(file('pacing.jsonl'), { behaviour, templates, callbacks, wheel });
    const marketing = new MarketingLimits(behaviour, people, windows);
    const links = new MediaLinks();
    const messages = new MessageEndpoint(
      { ledger, media, templates, windows, reports, people, inbound },
      behaviour,
      new Admission({ restrictions, windows, states, people }, behaviour, limits),
      new Fates(behaviour, pacing, marketing, links),
    );
    const templateEndpoint = new TemplateEndpoint(templates, review, media, behaviour);
    const graph = new GraphRouter(
      {
        phones,
        apps,
        appCalls: new AppEndpoint(apps, appStore, (wabaId) => phones.hasAccount(wabaId)),
        phoneCalls: new PhoneEndpoint({ states, people, windows, ledger }),
        restrictions,
        messages,
        templates: templateEndpoint,
        templateStore: templates,
        media: mediaEndpoint,
        appId,
      },
      () => url,
    );
    const forgotten = [ledger, people, windows, callbacks, reports, pacing, restrictions, states, inbound];
    const reset = (): void => {
      behaviour.reset();
      limits.reset();
      marketing.reset();
      links.reset();
      requests.reset();
      templateEndpoint.reset();
      sender.reset();
      for (const store of forgotten) store.reset();
    };
    const control = new ControlRouter({
      apps,
      behaviour,
      phones,
      ledger,
      requests,
      customers,
      coexistence: new Coexistence({ phones, people, callbacks, files }),
      people: new PersonChanges(people, phones, windows, callbacks),
      restrictions: new RestrictionControl({ restrictions, phones, callbacks, templates, review }),
      templates,
      review,
      sender,
      reset,
    });
    front.open(graph, control);
    sender.url = options.callbackUrl;
    return new Simulator(front, sender, wheel, [...forgotten, templates, media, received, phones, appStore]);
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
