import { crowdOf } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  changed,
  type DescribedBody,
  describedBodies,
  named,
  type Place,
  placesOf,
  type Schema,
  valueAt,
  withFreshName,
} from './described-bodies.js';
import { FULL_BODIES, UNUSED_BY_ROUTE } from './full-bodies.js';
import { pathOf } from './routes.js';
import { withRecords } from './tenant-records.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());

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

const isRequired = (schema: Schema, body: object, place: Place): boolean => {
  const [, own] = [...placesOf(schema, body)].find(([at]) => named(at) === named(place.slice(0, -1))) ?? [];
  return ((own?.required ?? []) as unknown[]).includes(place.at(-1));
};

describe('what was left blank', () => {
  it('counts as absent in every optional field of every body that creates or sends', async () => {
    const account = await world.account();
    const { values } = await withRecords(world, account);
    const faults: string[] = [];
    let tested = 0;
    const tryAll = async ({ route, schema }: DescribedBody): Promise<void> => {
      const send = async (body: object) => {
        const {
          status,
          body: answer,
          text,
        } = await account.api.request<Record<string, unknown>>(
          route.method,
          pathOf(route, values),
          withFreshName(body),
        );
        if (status === 429 || status >= 500) throw new Error(`${route.key}: ${text}`);
        const says = `${status} ${answer.message ?? answer.detail}`;
        // What is made twice may conflict with itself; a key is rotated once, and other requests resolve the conversation.
        const isLate = status === 409 || /only a key that works|conversation is resolved/.test(says);
        return status < 300 || isLate ? 'as before' : says;
      };
      const seen = new Set<string>();
      for (const body of FULL_BODIES[route.key]?.(values) ?? []) {
        for (const [place, own] of placesOf(schema, body)) {
          const path = named(place);
          const key = path.replace(/\[\d+\]/g, '[]');
          const field = String(place.at(-1));
          if (!isField(schema, body, place) || EMPTY_IS_A_VALUE.includes(field)) continue;
          if (UNUSED_BY_ROUTE.some((pattern) => pattern.test(`${route.key} ${path}`))) continue;
          if (seen.has(`${key} ${JSON.stringify(valueAt(body, place))}`)) continue;
          seen.add(`${key} ${JSON.stringify(valueAt(body, place))}`);
          const without = await send(changed(body, place, undefined));
          for (const blank of BLANKS) {
            tested += 1;
            const answer = await send(changed(body, place, blank));
            const says = `${route.key} ${path} ${JSON.stringify(blank)}: ${answer}; without it: ${without}`;
            // A number of blanks is one that is invalid.
            if (field === 'phone' && blank === BLANK) continue;
            const isWrong = blank === NO_ENTRIES && !isStructured(own);
            if (isWrong || MEANS_MORE[field]?.includes(blank) || isRequired(schema, body, place)) {
              if (!/^4(?:00|22) /.test(answer) || !answer.includes(field)) faults.push(says);
            } else if (answer !== without) faults.push(says);
          }
        }
      }
    };
    await crowdOf(
      describedBodies(world).filter(({ route }) => route.method === 'POST'),
      tryAll,
    );
    expect(faults).toEqual([]);
    expect(tested).toBeGreaterThan(500);
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

  describe('by tools without code', () => {
    let account: TestAccount;
    beforeAll(async () => {
      account = await world.account();
    });

    it('sends a template with every optional field left blank', async () => {
      const { name } = await approvedTemplate(world, account);
      const blank = {
        template_language: '',
        waba_phone_id: '',
        contact_user_id: '',
        contact_name: '',
        body_data: [],
        header_data: '',
        media_url: '',
        media_id: '',
        filename: '',
        location: [],
        button_params: '',
        carousel_data: [],
        expiration_time_ms: '',
        reply_to: '',
        agent_user_id: '',
        reference: '',
      };
      const send = { template_name: name, contact_phone: uniquePhone(), ...blank };
      const { status, headers } = await account.api.post('/api/v1/messages/send', send);
      expect([status, headers.get('x-ignored-fields')]).toEqual([200, null]);
    });

    it('sends a text beside blank fields of media, and a picture beside blank fields of texts', async () => {
      const { name } = await approvedTemplate(world, account);
      expect(name).toBeTruthy();
      const contact_phone = uniquePhone();
      const text = {
        contact_phone,
        message_type: 'text',
        message: 'Hello',
        caption: '',
        filename: '',
        media_url: '',
        buttons: [],
      };
      const answer = await account.api.post('/api/v1/messages/send-message', text);
      // No window is open, which is found out after everything about the body.
      expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('window') } });
    });

    it('creates a campaign at once, for entries with blank values of their own', async () => {
      const { name } = await approvedTemplate(world, account);
      const own = { name: '', body_data: [], header_data: '', media_url: ' ', button_params: '', reference: '' };
      const { status, body, headers } = await account.api.post('/api/v1/campaigns/', {
        name: 'Spring',
        template_name: name,
        contacts: [{ phone: uniquePhone(), ...own }],
        scheduled_at: '',
        send_before: '',
        description: '',
        group_ids: '',
      });
      expect([status, body['status_value'], headers.get('x-ignored-fields')]).toEqual([200, 'draft', null]);
    });

    it('still names a send window without days as it should be', async () => {
      const { name } = await approvedTemplate(world, account);
      const campaign = { name: 'Spring', template_name: name, contacts: [{ phone: uniquePhone() }] };
      const refused = await account.api.post('/api/v1/campaigns/', { ...campaign, send_window: '' });
      expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('send_window must be') } });
    });
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
