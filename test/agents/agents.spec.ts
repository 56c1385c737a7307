import type { AgentRole } from '../../src/agents/agent.js';
import { AgentsService } from '../../src/agents/agents.service.js';
import type { AgentListResponse, AgentRecord } from '../../src/agents/dto/agents.dto.js';
import { newRecordId } from '../../src/values/record-id.js';
import { type TestAccount, World } from '../support/world.js';

describe('GET /api/v1/agents/', () => {
  let world: World;
  let agents: AgentsService;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    agents = world.parley.app.get(AgentsService);
  });
  afterAll(() => world.stop());

  const enrol = (account: TestAccount, fullName: string, role: AgentRole = 'agent', email?: string) =>
    agents.add({
      organisationId: String(account.organisationId),
      fullName,
      email: email ?? `${newRecordId()}@example.test`,
      role,
    });
  const list = async (account: TestAccount, query = '') => {
    const { status, body } = await account.api.get<AgentListResponse>(`/api/v1/agents/${query}`);
    expect(status).toBe(200);
    return body;
  };
  const names = (body: AgentListResponse) => body.agents.map(({ full_name }) => full_name);

  it('lists active members newest first, 50 to a page, with exactly the documented fields', async () => {
    const account = await world.account();
    const userId = await enrol(account, 'Ada Agent', 'manager', 'ada@example.test');
    const body = await list(account);
    expect(body).toMatchObject({ status: 'success', total: 2, page: 1, limit: 50 });
    expect(Object.keys(body).sort()).toEqual(['agents', 'limit', 'page', 'status', 'total']);
    expect(body.agents[0]).toEqual({
      user_id: userId,
      full_name: 'Ada Agent',
      email: 'ada@example.test',
      role: 'manager',
      status: 'active',
    } satisfies AgentRecord);
    expect(body.agents[1]).toMatchObject({ user_id: account.ownerId, role: 'owner' });
  });

  it('pages without skipping or repeating an agent', async () => {
    const account = await world.account();
    for (let n = 0; n < 6; n += 1) await enrol(account, `Agent ${n}`);
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const body = await list(account, `?page=${page}&limit=2`);
      expect(body).toMatchObject({ total: 7, page, limit: 2 });
      seen.push(...body.agents.map(({ user_id }) => user_id));
    }
    expect(new Set(seen).size).toBe(7);
    await expect(list(account, '?page=9&limit=2')).resolves.toMatchObject({ agents: [], total: 7 });
  });

  it('filters by role', async () => {
    const account = await world.account();
    await enrol(account, 'Mia Manager', 'manager');
    expect(names(await list(account, '?role=manager'))).toEqual(['Mia Manager']);
    expect(names(await list(account, '?role=admin'))).toEqual([]);
  });

  it('shows deactivated members only on request', async () => {
    const account = await world.account();
    const userId = await enrol(account, 'Gone Girl');
    await agents.deactivate(userId);
    await agents.deactivate(userId);
    expect(names(await list(account))).not.toContain('Gone Girl');
    const deactivated = await list(account, '?status=deactivated');
    expect(deactivated.agents).toMatchObject([{ user_id: userId, status: 'deactivated' }]);
  });

  it('searches name and email case-insensitively and takes wildcards literally', async () => {
    const account = await world.account();
    await enrol(account, 'Per%Cent', 'agent', 'per@example.test');
    await enrol(account, 'Under_Score', 'agent', 'under@example.test');
    await enrol(account, 'Back\\Slash', 'agent', 'back@EXAMPLE.test');
    const found = async (search: string) => names(await list(account, `?search=${encodeURIComponent(search)}`));
    await expect(found('per%c')).resolves.toEqual(['Per%Cent']);
    await expect(found('r_s')).resolves.toEqual(['Under_Score']);
    await expect(found('k\\s')).resolves.toEqual(['Back\\Slash']);
    await expect(found('back@example')).resolves.toEqual(['Back\\Slash']);
    await expect(found('%')).resolves.toEqual(['Per%Cent']);
    await expect(found('')).resolves.toHaveLength(4);
  });

  it('does not show agents of another organisation', async () => {
    const [one, other] = await Promise.all([world.account(), world.account()]);
    await enrol(other, 'Stranger');
    const body = await list(one);
    expect(body.agents.map(({ user_id }) => user_id)).toEqual([one.ownerId]);
  });

  it.each([
    ['role=boss', 'role must be one of owner, admin, manager, agent (got boss)'],
    ['role=agent&role=owner', 'role must be one of owner, admin, manager, agent, not an array (["agent","owner"])'],
    ['status=sleeping', 'status must be one of active, deactivated (got sleeping)'],
    ['page=0', 'page must be a whole number from 1 to 1000000000 (got 0)'],
    ['limit=101', 'limit must be a whole number from 1 to 100 (got 101)'],
    ['limit=ten', 'limit must be a whole number from 1 to 100 (got ten)'],
  ])('rejects ?%s (400)', async (query, message) => {
    const account = await world.account();
    const { status, body } = await account.api.get(`/api/v1/agents/?${query}`);
    expect({ status, body }).toEqual({ status: 400, body: { error: 'bad_request', message } });
  });

  it('rejects a key without an organisation (400)', async () => {
    const account = await world.account({ organisation: false });
    const { status, body } = await account.api.get('/api/v1/agents/');
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'bad_request', message: 'the API key has no organisation, so it has no agents' },
    });
  });

  it('requires the scope agents:read (403)', async () => {
    const account = await world.account({ scopes: ['contacts:read', 'agents:write'] });
    const { status, body } = await account.api.get('/api/v1/agents/');
    expect({ status, body }).toEqual({
      status: 403,
      body: { error: 'forbidden', message: 'the API key lacks the scope agents:read' },
    });
  });

  it('works with and without the trailing slash', async () => {
    const account = await world.account();
    const { status } = await account.api.get('/api/v1/agents?limit=1');
    expect(status).toBe(200);
  });

  describe('enrolment', () => {
    it('rejects an address that the organisation already has, and allows it in another', async () => {
      const [one, other] = await Promise.all([world.account(), world.account()]);
      await enrol(one, 'Ada', 'agent', 'ada@example.test');
      await expect(enrol(one, 'Ada again', 'agent', 'ada@example.test')).rejects.toMatchObject({ code: 'conflict' });
      await enrol(other, 'Another Ada', 'agent', 'ada@example.test');
    });

    it('finds an active agent only in their own organisation', async () => {
      const [one, other] = await Promise.all([world.account(), world.account()]);
      const userId = await enrol(one, 'Ada');
      await expect(agents.findActive(String(one.organisationId), userId)).resolves.toMatchObject({ fullName: 'Ada' });
      await expect(agents.findActive(String(other.organisationId), userId)).resolves.toBeNull();
      await agents.deactivate(userId);
      await expect(agents.findActive(String(one.organisationId), userId)).resolves.toBeNull();
    });

    it('rejects an unknown organisation, and deactivating an unknown agent', async () => {
      const nowhere = { organisationId: newRecordId(), fullName: 'Nobody', email: 'n@example.test' };
      await expect(agents.add({ ...nowhere, role: 'agent' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(agents.deactivate(newRecordId())).rejects.toMatchObject({ code: 'not_found' });
    });
  });
});
