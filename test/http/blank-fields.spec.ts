import { newRecordId } from '../../src/values/record-id.js';
import { draft } from '../campaigns/campaigns.js';
import { makeReady } from '../idempotency/valid-posts.js';
import { openWindow } from '../messages/messages.js';
import { crowdOf } from '../support/crowd.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES as FILES, typeHeader } from '../support/media-samples.js';
import type { Surroundings, TenantRecords } from '../support/module-records.js';
import { approvedTemplate } from '../support/templates.js';
import { uniquePhone, World } from '../support/world.js';
import { subscribe } from '../webhooks/events.js';
import {
  changed,
  type DescribedBody,
  describedBodies,
  isHollow,
  isRequired,
  named,
  type Place,
  placesOf,
  type Schema,
  valueAt,
  withFreshName,
} from './described-bodies.js';
import { FULL_BODIES, MEDIA, UNUSED_BY_ROUTE } from './full-bodies.js';
import { pathOf, routesOf } from './routes.js';
import { insertKey, withRecords } from './tenant-records.js';

let world: World;
let files: LoopbackServer;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  files = await LoopbackServer.start((_, response) => void response.writeHead(200, typeHeader('.png')).end(FILES.PNG));
});
afterAll(async () => {
  await files.stop();
  await world.stop();
});

const BLANKS = ['', ' \t', []] as const;
const [EMPTY, BLANK, NO_ENTRIES] = BLANKS;
/** Without them a body would allow more, or do more; by the values that are refused. */
const MEANS_MORE: Readonly<Record<string, readonly unknown[]>> = {
  scopes: BLANKS,
  allowed_networks: BLANKS,
  error_codes: BLANKS,
  // Blanks may be a secret.
  secret: [EMPTY, NO_ENTRIES],
  expires_at: BLANKS,
  send_window: BLANKS,
  max_failure_percent: BLANKS,
  opted_in: BLANKS,
  only_if_unassigned: BLANKS,
  subscribed_events: [EMPTY, BLANK],
  events: [EMPTY, BLANK],
};
/** Empty takes a reaction back. */
const EMPTY_IS_A_VALUE = ['emoji'];

/** Whether an object or a list is meant, of which `[]` may be an empty one. */
const isStructured = ({ type, properties }: Schema): boolean =>
  properties !== undefined || [type].flat().some((one) => one === 'object' || one === 'array');

/** Fields of objects, apart from the keys of maps, whose values are values. */
const isField = (schema: Schema, body: object, place: Place): boolean => {
  const owner = place.slice(0, -1);
  const [, own] = [...placesOf(schema, body)].find(([at]) => named(at) === named(owner)) ?? [];
  return typeof place.at(-1) === 'string' && Object.hasOwn((own?.properties ?? {}) as object, place.at(-1) as string);
};

type Renewal = (records: TenantRecords) => Promise<Record<string, string>>;

const newConversation: Renewal = async ({ account }) => {
  const contact_phone = uniquePhone();
  await openWindow(world, account.phone, contact_phone);
  return { contact_phone };
};
const newWebhook: Renewal = async ({ account }) => ({
  webhook_id: await subscribe(account, { url: `http://127.0.0.1:1/${newRecordId()}` }),
});

/** Records that a request changes, so that the next one needs others in order to meet the same state; by route. */
const RENEWED: readonly (readonly [RegExp, Renewal])[] = [
  [/^POST \/api\/v1\/conversations\//, newConversation],
  [/^POST \/api\/v1\/webhooks\/:webhook_id\//, newWebhook],
  [/^POST \/api\/v1\/api-keys\/:key_id\/rotate$/, async ({ account }) => ({ key_id: await insertKey(world, account) })],
  [
    /^POST \/api\/v1\/campaigns\/:campaign_id\/retry-failed$/,
    async ({ account, values }) => ({
      campaign_id: await draft(account, String(values.template_name), [String(values.contact_phone)]),
    }),
  ],
];

/** An account with a route and its bodies, of which every request meets the same state. */
class RouteUnderTest {
  private constructor(
    readonly described: DescribedBody,
    private readonly records: TenantRecords,
    private readonly around: Surroundings,
  ) {}

  static async of(described: DescribedBody): Promise<RouteUnderTest> {
    const around = { world, pictureUrl: files.url('/a.png') };
    const { account, values } = await withRecords(world, await world.account());
    // The full bodies have parameters of a button.
    const { name } = await approvedTemplate(world, account, { buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] });
    return new RouteUnderTest(described, { account, values: { ...values, template_name: name } }, around);
  }

  get key(): string {
    return this.described.route.key;
  }

  bodies(values = this.records.values): readonly object[] {
    return FULL_BODIES[this.key]?.(values) ?? [];
  }

  /** Sends the body with this number, with another value in a place. @returns `accepted`, or what is wrong */
  async answerTo(number: number, place: Place, value: unknown): Promise<string> {
    const { route } = this.described;
    const { account, values: usual } = this.records;
    const [, renewed] = RENEWED.find(([pattern]) => pattern.test(this.key)) ?? [];
    const values = { ...usual, ...(await renewed?.(this.records)) };
    if (renewed !== undefined) await makeReady(route, { account, values }, this.around);
    const full = withFreshName(changed(this.bodies(values)[number] ?? {}, place, value));
    const body = JSON.parse(JSON.stringify(full).replaceAll(MEDIA, this.around.pictureUrl)) as object;
    const answer = await account.api.request<Record<string, unknown>>(route.method, pathOf(route, values), body);
    const { status, text } = answer;
    if (status === 429 || status >= 500) throw new Error(`${this.key}: ${text}`);
    if (status < 300) return 'accepted';
    const { message, detail } = answer.body;
    // Each body has names and numbers of its own.
    return `${status} ${message ?? detail}`.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|t_[0-9a-f]{32}|\d{7,}/g, '…');
  }
}

describe('what was left blank', () => {
  it('counts as absent in every optional field of every body that creates or sends', async () => {
    const faults: string[] = [];
    const tested = new Map<string, number>();
    // Routes with an optional field, and those that accepted a body without one: the others would be compared by refusals
    // alone, which may have nothing to do with the field.
    const [optional, accepting] = [new Set<string>(), new Set<string>()];
    const tryAll = async (described: DescribedBody): Promise<void> => {
      const { schema } = described;
      const route = await RouteUnderTest.of(described);
      const seen = new Set<string>();
      for (const [number, body] of route.bodies().entries()) {
        for (const [place, own] of placesOf(schema, body)) {
          const path = named(place);
          const field = String(place.at(-1));
          if (!isField(schema, body, place) || EMPTY_IS_A_VALUE.includes(field)) continue;
          if (UNUSED_BY_ROUTE.some((pattern) => pattern.test(`${route.key} ${path}`))) continue;
          const case_ = `${path.replace(/\[\d+\]/g, '[]')} ${JSON.stringify(valueAt(body, place))}`;
          if (seen.has(case_)) continue;
          seen.add(case_);
          const without = await route.answerTo(number, place, undefined);
          if (!isRequired(schema, body, place)) optional.add(route.key);
          if (without === 'accepted') accepting.add(route.key);
          for (const blank of BLANKS) {
            tested.set(route.key, (tested.get(route.key) ?? 0) + 1);
            const answer = await route.answerTo(number, place, blank);
            const says = `${route.key} ${path} ${JSON.stringify(blank)}: ${answer}; without it: ${without}`;
            // A number of blanks is one that is invalid.
            if (field === 'phone' && blank === BLANK) continue;
            const owner = place.slice(0, -1);
            const isOwnerLeft =
              isHollow(schema, changed(body, place, blank), owner) && !(String(owner.at(-1)) in MEANS_MORE);
            const isWrong = blank === NO_ENTRIES && !isStructured(own);
            if (isOwnerLeft) {
              if (answer !== (await route.answerTo(number, owner, undefined))) faults.push(says);
            } else if (isWrong || MEANS_MORE[field]?.includes(blank) || isRequired(schema, body, place)) {
              if (!/^4(?:00|22) /.test(answer) || !answer.includes(field)) faults.push(says);
            } else if (answer !== without) faults.push(says);
          }
        }
      }
    };
    const routes = describedBodies(world).filter(({ route }) => route.method === 'POST');
    await crowdOf(routes, tryAll);
    expect(faults).toEqual([]);
    const keys = routes.map(({ route }) => route.key);
    expect(keys.filter((key) => !tested.has(key))).toEqual([]);
    expect([...optional].filter((key) => !accepting.has(key))).toEqual([]);
    expect([...tested.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(500);
  });

  it('empties in a change what may be empty, and is refused in other fields (400)', async () => {
    const account = await world.account();
    const { values } = await withRecords(world, account);
    const outcomes: string[] = [];
    const bodies = describedBodies(world).filter(({ route }) => route.method === 'PATCH');
    for (const { route, schema } of bodies) {
      const [body] = FULL_BODIES[route.key]?.(values) ?? [];
      for (const [place] of placesOf(schema, body ?? {})) {
        if (place.length !== 1) continue;
        const field = String(place[0]);
        const { status, body: answer } = await account.api.patch<Record<string, unknown>>(pathOf(route, values), {
          [field]: '',
        });
        const [record] = Object.values(answer).filter((value) => typeof value === 'object');
        const now = (record as Record<string, unknown> | undefined)?.[field];
        outcomes.push(`${route.key} ${field}: ${status < 300 ? JSON.stringify(now) : status}`);
        if (status >= 300) expect(answer.message).toContain(field);
      }
    }
    expect(outcomes.filter((outcome) => !outcome.endsWith(': 400'))).toEqual([
      'PATCH /api/v1/contacts/:contact_id last_name: null',
      'PATCH /api/v1/contacts/:contact_id email: null',
      'PATCH /api/v1/contacts/:contact_id company: null',
      'PATCH /api/v1/groups/:group_id description: null',
    ]);
    expect(outcomes.length).toBeGreaterThan(15);
  });
});

describe('a blank parameter in the query', () => {
  it('is read or refused in every route that reads, and never fails', async () => {
    const { account, values } = await withRecords(world, await world.account());
    await openWindow(world, account.phone, String(values.contact_phone));
    const reads = routesOf(world).filter(({ method, access }) => method === 'GET' && access.kind !== 'public');
    const faults: string[] = [];
    const found = new Set<string>();
    for (const route of reads) {
      for (const name of route.inQuery) {
        const { status, text } = await account.api.get(`${pathOf(route, values)}?${name}=`);
        if (status >= 500) faults.push(`${route.key}?${name}=: ${status} ${text}`);
        if (status !== 404) found.add(route.key);
      }
    }
    expect(faults).toEqual([]);
    expect(found.size).toBe(reads.filter(({ inQuery }) => inQuery.length > 0).length);
  });
});

describe('errors', () => {
  it('show a blank value in quotes, and a number that JSON has rounded as what to do about it', async () => {
    const account = await world.account();
    const refusal = async (path: string, body: object) => (await account.api.post(path, body)).body['message'];
    expect(
      await refusal('/api/v1/messages/send-message', { contact_phone: uniquePhone(), message_type: '' }),
    ).toContain('(got "")');
    expect(await refusal('/api/v1/contacts/', { phone_number: '  ', first_name: 'Ada' })).toContain('(got "  ")');
    const invisible = { phone_number: '\u200e4915112345678\u00a0x', first_name: 'Ada' };
    expect(await refusal('/api/v1/contacts/', invisible)).toContain('(got \\u200e4915112345678\u00a0x)');
    expect(
      await refusal('/api/v1/contacts/', { phone_number: '4915112345678', first_name: 'A', tags: 'a\u200b\n' }),
    ).toBe('tags must be an array of strings, not a string ("a\\u200b\\n")');
    const send = { template_name: 'any', contact_phone: uniquePhone(), waba_phone_id: 2 ** 60 };
    expect(await refusal('/api/v1/messages/send', send)).toBe(
      'waba_phone_id must be an id, not a number beyond 2^53: send it as a string',
    );
  });

  it.each([
    ['language=en-us', 'language must be a code such as en_US or de (got en-us). Did you mean "en_US"?'],
    ['language=DE', 'language must be a code such as en_US or de (got DE). Did you mean "de"?'],
    ['language=English', 'language must be a code such as en_US or de (got English)'],
    ['category=marketing', expect.stringMatching(/^category must be one of .* Did you mean "MARKETING"\?$/)],
    ['status=approved', expect.stringMatching(/^status must be one of .* Did you mean "APPROVED"\?$/)],
  ])('tell of the filter %s that nothing can match it (400)', async (filter, message) => {
    const { api } = await world.account();
    expect(await api.get(`/api/v1/templates/?${filter}`)).toMatchObject({ status: 400, body: { message } });
  });

  it.each([
    ['/api/v1/agents/?role=Admin', 'role'],
    ['/api/v1/messages/?direction=IN', 'direction'],
    ['/api/v1/messages/?direction=outbound', 'direction'],
    ['/api/v1/campaigns/?status=Draft', 'status'],
    ['/api/v1/conversations/?status=Open', 'status'],
  ])('tell of %s that nothing can match it (400)', async (path, field) => {
    const { api } = await world.account();
    const message = expect.stringMatching(new RegExp(`^${field} must be one of `));
    expect(await api.get(path)).toMatchObject({ status: 400, body: { message } });
  });
});
