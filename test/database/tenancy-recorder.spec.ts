import path from 'node:path';
import { newRecordId } from '../../src/values/record-id.js';
import { senderOf, TenancyRecorder } from '../support/tenancy-recorder.js';
import { World } from '../support/world.js';

const file = (name: string) => path.resolve(__dirname, '../..', name);

describe('the statement recorder', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());

  it('records the statements of a request', async () => {
    const { api } = await world.account();
    await api.get('/api/v1/contacts/');
    await api.get(`/api/v1/webhooks/${newRecordId()}`);
    expect(TenancyRecorder.current?.hasSeen('SELECT k.id, k.account_id')).toBe(true);
    expect(TenancyRecorder.current?.hasSeen('SELECT "WebhookEndpoint"."account_id"')).toBe(true);
  });

  it('ignores statements that tests send', async () => {
    const { autocommit } = world.unitOfWork;
    await autocommit.rows('SELECT count(*) FROM contacts');
    await world.unitOfWork.transaction((tx) => tx.rows('SELECT count(*) FROM messages'));
    expect(() => TenancyRecorder.current?.verify()).not.toThrow();
  });

  it('attributes a statement to the innermost file outside libraries', () => {
    const pool = file('node_modules/pg-pool/index.js');
    const unitOfWork = file('src/database/unit-of-work.ts');
    const queries = file('src/contacts/contacts.queries.ts');
    const spec = file('test/contacts/contacts.spec.ts');
    expect(senderOf([pool, unitOfWork, queries, spec])).toBe('product');
    expect(senderOf([pool, unitOfWork, spec, queries])).toBe('test');
    expect(senderOf([pool, unitOfWork])).toBe('unknown');
  });
});
