import { AGENT_ROLES, type AgentRole } from '../../src/agents/agent.js';
import { AgentsService } from '../../src/agents/agents.service.js';
import type { AgentListResponse } from '../../src/agents/dto/agents.dto.js';
import { isTransient } from '../../src/database/connections/transient-errors.js';
import { newRecordId } from '../../src/values/record-id.js';
import { crowd } from '../support/crowd.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';

let world: World;
let account: TestAccount;
let agents: AgentsService;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  agents = world.parley.app.get(AgentsService);
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.account();
});

const enrol = (fullName: string, role: AgentRole = 'agent', email = `${newRecordId()}@example.test`) =>
  agents.add({ organisationId: String(account.organisationId), fullName, email, role });
const list = async (query = '') => {
  const { status, body } = await account.api.get<AgentListResponse>(`/api/v1/agents/?${query}`);
  expect(status).toBe(200);
  return body;
};
const names = async (query: string) => (await list(query)).agents.map(({ full_name }) => full_name);

describe('list agents', () => {
  it('shows 50 by default and at most 100, newest first; the total counts all', async () => {
    const ids = [account.ownerId];
    for (let count = 1; count <= 100; count += 1) ids.unshift(await enrol(`Agent ${count}`));
    for (const [query, page, limit] of [
      ['', 1, 50],
      ['page=2', 2, 50],
      ['limit=100', 1, 100],
    ] as const) {
      const body = await list(query);
      expect(body).toMatchObject({ total: 101, page, limit });
      expect(body.agents.map(({ user_id }) => user_id)).toEqual(ids.slice((page - 1) * limit, page * limit));
    }
    expect((await list('page=3')).agents).toMatchObject([{ user_id: account.ownerId }]);
  });

  it.each(AGENT_ROLES)('filters by role %s, and by role, status and search together', async (role) => {
    const [active, gone] = [await enrol('Grace Active', role), await enrol('Grace Gone', role)];
    await enrol('Grace Other', role === 'admin' ? 'manager' : 'admin');
    await agents.deactivate(gone);
    expect(await names(`role=${role}&search=grace`)).toEqual(['Grace Active']);
    expect(await names(`role=${role}&search=grace&status=active`)).toEqual(['Grace Active']);
    expect(await list(`role=${role}&status=deactivated&search=GRACE`)).toMatchObject({
      agents: [{ user_id: gone, role, status: 'deactivated' }],
      total: 1,
    });
    expect(await list(`role=${role}&search=Grace%20Active`)).toMatchObject({ agents: [{ user_id: active }], total: 1 });
    expect(await list(`role=${role}&search=nobody`)).toMatchObject({ agents: [], total: 0 });
  });

  it.each([
    ['role=', 'role must be one of owner, admin, manager, agent (got "")'],
    ['role=Agent', 'role must be one of owner, admin, manager, agent (got Agent). Did you mean "agent"?'],
    ['role=owner,admin', 'role must be one of owner, admin, manager, agent (got owner,admin)'],
    ['status=', 'status must be one of active, deactivated (got "")'],
    ['status=ACTIVE', 'status must be one of active, deactivated (got ACTIVE). Did you mean "active"?'],
    [
      'status=active&status=deactivated',
      'status must be one of active, deactivated, not an array (["active","deactivated"])',
    ],
  ])('rejects ?%s (400)', async (query, message) => {
    const { status, body } = await account.api.get(`/api/v1/agents/?${query}`);
    expect({ status, body }).toEqual({ status: 400, body: { error: 'bad_request', message } });
  });

  it('searches only name and email, without regard to case, accents and blanks, by one character or more', async () => {
    await enrol('Åsa Öberg', 'agent', 'asa@example.test');
    await enrol('Дмитрий 😀', 'manager', 'dm@example.test');
    for (const search of ['ås', 'ÖBERG', 'a ö', 'ASA@', 'oberg ', ' A\u030asa  o']) {
      expect(await names(`search=${encodeURIComponent(search)}`)).toEqual(['Åsa Öberg']);
    }
    for (const search of ['ДМИ', 'дмит', '😀', 'dm@']) {
      expect(await names(`search=${encodeURIComponent(search)}`)).toEqual(['Дмитрий 😀']);
    }
    for (const search of ['manager', 'active', 'Öberg asa', "'", '"', '%%', '__', '\\']) {
      expect(await names(`search=${encodeURIComponent(search)}`)).toEqual([]);
    }
  });

  it('is the same for all accounts of an organisation', async () => {
    const sibling = await world.account();
    await world.unitOfWork.autocommit.affected('UPDATE accounts SET organisation_id = $2 WHERE id = $1', [
      sibling.accountId,
      account.organisationId,
    ]);
    await enrol('Ada Agent');
    const { body } = await sibling.api.get('/api/v1/agents/');
    expect(body).toEqual(await list());
  });
});

it('creates one agent from 20 parallel enrolments with one address', async () => {
  const outcome = () =>
    enrol('Ada Agent', 'agent', 'ada@example.test').then(
      () => 'created',
      (error: unknown) => (isTransient(error) ? null : (error as { code: string }).code),
    );
  // One that had to wait for too long comes again.
  const outcomes = await crowd(20, () => until('the enrolment has an outcome', outcome));
  expect(outcomes.sort()).toEqual([...Array(19).fill('conflict'), 'created']);
  expect((await list()).total).toBe(2);
});
