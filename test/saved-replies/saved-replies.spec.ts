import { crowd } from '../support/crowd.js';
import { type TestAccount, World } from '../support/world.js';

const REPLIES = '/api/v1/saved-replies/';

interface SavedReply {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly created_at: string;
  readonly updated_at: string;
}
interface Answer {
  readonly message: string;
  readonly saved_reply: SavedReply;
  readonly saved_replies: SavedReply[];
  readonly total: number;
}

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const create = (name: string, text = 'Hello') => account.api.post<Answer>(REPLIES, { name, text });
const names = async (query = ''): Promise<string[]> =>
  (await account.api.get<Answer>(`${REPLIES}?${query}`)).body.saved_replies.map(({ name }) => name);

describe('saved replies', () => {
  it('are created, shown, changed and deleted', async () => {
    const text = 'Hello {{first_name}},\nyour parcel left us.';
    const created = await create('Parcel', text);
    expect([created.status, created.body]).toEqual([
      201,
      {
        status: 'success',
        message: 'Saved reply created',
        saved_reply: {
          id: expect.any(String),
          name: 'Parcel',
          text,
          created_at: expect.any(String),
          updated_at: created.body.saved_reply.created_at,
        },
      },
    ]);
    const path = REPLIES + created.body.saved_reply.id;
    expect((await account.api.get<Answer>(path)).body.saved_reply).toEqual(created.body.saved_reply);
    const changed = await account.api.patch<Answer>(path, { name: 'PARCEL' });
    expect(changed.body).toMatchObject({ message: 'Saved reply changed', saved_reply: { name: 'PARCEL', text } });
    expect(changed.body.saved_reply.updated_at >= created.body.saved_reply.updated_at).toBe(true);
    // Nothing to change is no change.
    expect((await account.api.patch<Answer>(path, {})).body.saved_reply).toEqual(changed.body.saved_reply);
    expect((await account.api.delete(path)).status).toBe(200);
    for (const method of ['get', 'delete'] as const) expect((await account.api[method](path)).status).toBe(404);
    expect((await account.api.patch(path, { text: 'Hello' })).status).toBe(404);
  });

  it('are found by parts of names and texts, newest first', async () => {
    await create('Opening hours', 'We are open until six.');
    await create('Café', 'Open at  nine');
    await create('Thanks', 'You’re welcome');
    expect(await names()).toEqual(['Thanks', 'Café', 'Opening hours']);
    expect(await names('search=OPEN')).toEqual(['Café', 'Opening hours']);
    expect(await names('search=cafe')).toEqual(['Café']);
    expect(await names('search=at nine')).toEqual(['Café']);
    expect(await names('search=%25')).toEqual([]);
    expect(await names('limit=1&page=2')).toEqual(['Café']);
  });

  it('have names that differ in more than case, in each account', async () => {
    await create('Parcel');
    const other = await world.account();
    expect((await other.api.post(REPLIES, { name: 'Parcel', text: 'Hello' })).status).toBe(201);
    const taken = await create('parcel');
    expect([taken.status, taken.body.message]).toEqual([409, 'a saved reply named "parcel" already exists']);
    const { id } = (await create('Thanks')).body.saved_reply;
    expect((await account.api.patch(REPLIES + id, { name: 'PARCEL' })).status).toBe(409);
    const statuses = await crowd(8, async () => (await create('At once')).status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it.each([
    [{ name: '', text: 'Hello' }, 'name'],
    [{ name: 'x'.repeat(61), text: 'Hello' }, 'name must be at most 60 characters (got 61)'],
    [{ name: 'A', text: 'x'.repeat(4097) }, 'text must be at most 4096 characters (got 4097)'],
    [{ name: 'A', text: ' ' }, 'text'],
    [{ name: 'A' }, 'text is required'],
    [
      { name: 'A', text: 'Hello {{frist_name}}' },
      'text has the variable frist_name, which must be one of first_name, last_name, phone_number, email, company',
    ],
    [{ name: 'A', text: 'Hello {{}}' }, 'text has the variable ""'],
  ])('refuse %j (400)', async (body, message) => {
    const answer = await account.api.post<Answer>(REPLIES, body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('are at most a thousand in an account, also when many come at once', async () => {
    await world.unitOfWork.writes(account.accountId).affected(
      `INSERT INTO saved_replies (account_id, id, name, text)
       SELECT $1, gen_random_uuid(), 'Reply ' || n, 'Hello' FROM generate_series(1, 998) n`,
      [account.accountId],
    );
    const statuses = await crowd(6, async (index) => (await create(`Late ${index}`)).status);
    expect(statuses.sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect((await create('More')).body.message).toBe(
      'the account has 1000 saved replies, which is the most; delete one first',
    );
    const { body } = await account.api.get<Answer>(`${REPLIES}?limit=1`);
    expect(body.total).toBe(1000);
  });
});
