import { inForce, type StoredRestrictions } from '../../src/accounts/restrictions.js';
import { type TestAccount, World } from '../support/world.js';

/** Processes of the release before may store notices while they are replaced. */
describe('a restriction that the release before has stored', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
  });

  const store = (set: string) =>
    world.unitOfWork.autocommit.affected(`UPDATE business_accounts SET ${set} WHERE account_id = $1`, [
      account.accountId,
    ]);
  const restrictions = async () => {
    const row = await world.unitOfWork.autocommit.row<{ restrictions: StoredRestrictions }>(
      'SELECT restrictions FROM business_accounts WHERE account_id = $1',
      [account.accountId],
    );
    return inForce(row?.restrictions ?? {}, new Date()).map(({ type, until }) => [type, until?.toISOString() ?? null]);
  };

  it('is in force, each type for itself, until it is lifted', async () => {
    await store(`ban = 'the business account was disabled by the network', ban_told_at = '2026-01-01T00:00:00Z'`);
    await store(`restriction = 'the network has restricted the business account (RESTRICTED_BIZ_INITIATED_MESSAGING, ' ||
                   'RESTRICTED_CUSTOMER_INITIATED_MESSAGING) until 2099-01-01T00:00:00.000Z',
                 restriction_expires_at = '2099-01-01T00:00:00Z', restriction_told_at = '2026-01-02T00:00:00Z'`);
    const until = '2099-01-01T00:00:00.000Z';
    const both = [
      ['RESTRICTED_BIZ_INITIATED_MESSAGING', until],
      ['RESTRICTED_CUSTOMER_INITIATED_MESSAGING', until],
    ];
    expect(await restrictions()).toEqual([['DISABLE', null], ...both]);
    await store(`ban = 'the business account was deleted on the network', ban_told_at = '2026-01-03T00:00:00Z'`);
    expect(await restrictions()).toEqual([['ACCOUNT_DELETED', null], ...both]);
    await store(`ban = NULL, ban_told_at = '2026-01-04T00:00:00Z'`);
    expect(await restrictions()).toEqual(both);
    await store(`restriction = NULL, restriction_expires_at = NULL, restriction_told_at = '2026-01-04T00:00:00Z'`);
    expect(await restrictions()).toEqual([]);
  });

  it('does not replace newer news', async () => {
    const told = Date.parse('2026-01-02T00:00:00Z') / 1000;
    await store(`restrictions = '{"DISABLE": {"isInForce": false, "until": null, "detail": null, "toldAt": ${told}}}'`);
    await store(`ban = 'the business account was disabled by the network', ban_told_at = '2026-01-01T00:00:00Z'`);
    expect(await restrictions()).toEqual([]);
  });
});
