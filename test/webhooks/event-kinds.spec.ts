import { Ajv2020 } from 'ajv/dist/2020.js';
import { EVERY_EVENT } from '../../src/manifest/event-manifest.js';
import { Outbox } from '../../src/outbox/outbox.js';
import { MANIFEST } from '../../src/rooms.js';
import { ApiClient } from '../support/api-client.js';
import { closeObjects } from '../support/described-answers.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { EVENT_TRIGGERS } from './event-triggers.js';
import { emit, event, markOf, subscribe } from './events.js';
import { Receiver } from './receiver.js';

const KINDS = MANIFEST.subscribableEvents;

describe('webhook events', () => {
  let world: World;
  let account: TestAccount;
  let receiver: Receiver;
  let faultsOf: (kind: string, body: string) => unknown[];

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [], status_delay_ms: 10 });
    const { body: description } = await new ApiClient(world.baseUrl, null).get('/openapi.json');
    closeObjects(description);
    const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true, 'date-time': true } });
    ajv.addSchema(description, 'parley');
    faultsOf = (kind, body) => {
      const $ref = `parley#/webhooks/${kind}/post/requestBody/content/application~1json/schema`;
      const validate = ajv.compile({ $ref });
      return validate(JSON.parse(body)) ? [] : (validate.errors ?? []);
    };
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account({ scopes: ['*'] });
    receiver = await Receiver.listen();
  });
  afterEach(() => receiver.close());

  it('have a trigger for every kind', () => {
    expect(KINDS.filter((kind) => EVENT_TRIGGERS[kind] === undefined)).toEqual([]);
  });

  it.each(KINDS)('%s has exactly the described fields, and arrives with the bytes of the log', async (kind) => {
    await subscribe(account, { url: receiver.url(), subscribed_events: [EVERY_EVENT] });
    await EVENT_TRIGGERS[kind]?.(world, account);
    const logged = await until(`${kind} is logged`, async () => {
      const rows = await world.unitOfWork.autocommit.rows<{ id: string; kind: string; body: string }>(
        'SELECT id, kind, body FROM events WHERE account_id = $1',
        [account.accountId],
      );
      return rows.some((row) => row.kind === kind) && rows;
    });
    for (const { id, kind: one, body } of logged) {
      const arrived = await until(`${one} arrives`, () =>
        receiver.received.find(({ headers }) => headers['webhook-id'] === id),
      );
      expect(arrived.body.toString('utf8')).toBe(body);
      expect([one, faultsOf(one, body)]).toEqual([one, []]);
    }
  });

  it('are not emitted for a change that was rolled back', async () => {
    await subscribe(account, { url: receiver.url() });
    const outbox = world.parley.app.get(Outbox);
    const undone = world.unitOfWork.transaction(async (tx) => {
      await outbox.write([event(account, 'undone')], tx);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    outbox.announce();
    await emit(world, [event(account, 'done')]);
    await until('an event has arrived', () => receiver.received.length > 0);
    expect(receiver.received.map(({ body }) => markOf(body))).toEqual(['done']);
  });

  it.each(['invoice.paid', 'webhook.test', EVERY_EVENT])(
    'are not written as %s, which no room declares',
    async (kind) => {
      await expect(emit(world, [event(account, 1, kind)])).rejects.toThrow(`no room declares ${kind} as an event`);
    },
  );
});
