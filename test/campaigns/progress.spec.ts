import type { CampaignStatus } from '../../src/campaigns/campaign.entity.js';
import { paceOf } from '../../src/campaigns/progress/campaign-pace.queries.js';
import { newRecordId } from '../../src/values/record-id.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, World } from '../support/world.js';
import { draft, pathOf } from './campaigns.js';

interface Progress {
  readonly bucket_seconds: number;
  readonly buckets: readonly { readonly at: string; readonly accepted: number }[];
}

/** A whole number of years since 1970, of days, and of all that a bucket may be. */
const START = Date.UTC(2026, 0, 1);
const [SECOND, MINUTE, HOUR, DAY] = [1, 60, 3600, 86_400];

describe('how fast a campaign is sent', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  // Without workers nothing is sent, so that the rows stay as the tests write them.
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    account = await world.account();
    template = await approvedTemplate(world, account);
  });
  afterAll(() => world.stop());

  const write = (sql: string, parameters: readonly unknown[] = []) =>
    world.unitOfWork.autocommit.affected(sql, [account.accountId, ...parameters]);
  const draftOf = (recipients: number) => draft(account, template.name, recipients);
  const setStatus = (id: string, status: CampaignStatus) =>
    write('UPDATE campaigns SET status = $3 WHERE account_id = $1 AND id = $2', [id, status]);
  /** Makes messages of a campaign that the network accepted, and one that it refused. */
  const accepted = async (id: string, times: readonly Date[]) => {
    await write(
      `INSERT INTO messages (account_id, id, contact_id, business_phone_id, campaign_id, direction, status, message_type, seen,
                             accepted_at, failed_at)
       SELECT $1, m.id, r.contact_id, $3, $2, 'out', CASE WHEN m.at IS NULL THEN 'failed' ELSE 'sent' END, 'template',
              CASE WHEN m.at IS NULL THEN 128 ELSE 1 END, m.at, CASE WHEN m.at IS NULL THEN now() END
       FROM unnest($4::uuid[], $5::timestamptz[]) AS m (id, at)
       CROSS JOIN (SELECT contact_id FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 LIMIT 1) r`,
      [id, account.phone.id, [...times, null].map(() => newRecordId()), [...times, null]],
    );
  };
  const progressOf = async (id: string): Promise<Progress> => {
    const { status, body, text } = await account.api.get<Progress>(pathOf(id, '/progress'));
    if (status !== 200) throw new Error(text);
    return body;
  };
  const at = (seconds: number): Date => new Date(START + seconds * 1000);

  describe('the progress', () => {
    it('is empty before the first acceptance', async () => {
      const id = await draftOf(1);
      const empty = { status: 'success', bucket_seconds: 1, buckets: [] };
      expect(await progressOf(id)).toEqual(empty);
      await accepted(id, []);
      expect(await progressOf(id)).toEqual(empty);
    });

    it('counts acceptances by interval, also those with none', async () => {
      const id = await draftOf(1);
      await accepted(id, [at(0.2), at(0.9), at(3), at(4.999)]);
      expect(await progressOf(id)).toEqual({
        status: 'success',
        bucket_seconds: 1,
        buckets: [2, 0, 0, 1, 1].map((count, second) => ({ at: at(second).toISOString(), accepted: count })),
      });
    });

    it.each([
      [119 * SECOND, 1, 120],
      [120 * SECOND, 2, 61],
      [20 * MINUTE, 15, 81],
      [HOUR, 60, 61],
      [119 * MINUTE, 60, 120],
      [2 * HOUR, 2 * MINUTE, 61],
      [DAY, 15 * MINUTE, 97],
      [10 * DAY, 6 * HOUR, 41],
      [119 * DAY, DAY, 120],
      [120 * DAY, 2 * DAY, 61],
      [400 * DAY, 4 * DAY, 101],
    ])('takes the shortest intervals of which 120 are enough: %i s', async (span, width, count) => {
      const id = await draftOf(1);
      await accepted(id, [at(0), at(span)]);
      const { bucket_seconds, buckets } = await progressOf(id);
      expect([bucket_seconds, buckets.length]).toEqual([width, count]);
      expect(buckets.map(({ at }) => Date.parse(at) % (width * 1000))).toEqual(Array(count).fill(0));
      expect(buckets.reduce((sum, bucket) => sum + bucket.accepted, 0)).toBe(2);
    });

    it('reaches to now while the campaign runs', async () => {
      const id = await draftOf(1);
      await setStatus(id, 'running');
      const first = new Date(Date.now() - HOUR * 1000);
      await accepted(id, [first]);
      const { bucket_seconds, buckets } = await progressOf(id);
      expect(bucket_seconds).toBe(MINUTE);
      expect(buckets.length).toBeGreaterThanOrEqual(60);
      expect(buckets.at(-1)?.accepted).toBe(0);
      await setStatus(id, 'cancelled');
      expect((await progressOf(id)).buckets).toHaveLength(1);
    });

    it('requires campaigns:read (403) and an existing campaign (404)', async () => {
      const writer = await world.account({ scopes: ['campaigns:write'] });
      expect(await writer.api.get(pathOf(newRecordId(), '/progress'))).toMatchObject({ status: 403 });
      expect(await account.api.get(pathOf(newRecordId(), '/progress'))).toMatchObject({ status: 404 });
    });
  });

  describe('the pace', () => {
    const NONE = { ratePerSecond: null, secondsLeft: null };
    const pace = (id: string, status: CampaignStatus = 'running', paused = false) =>
      paceOf(account.accountId, { id, status, paused }, world.unitOfWork.autocommit);
    /** Times that stay within the last ten seconds, however long the test takes. */
    const soon = (count: number): Date[] => Array.from({ length: count }, () => new Date(Date.now() + 3_600_000));

    it('is that of the last ten seconds, and says how long the pending recipients take', async () => {
      const id = await draftOf(8);
      await accepted(id, [...soon(3), new Date(Date.now() - 11_000)]);
      expect(await pace(id)).toEqual({ ratePerSecond: 0.3, secondsLeft: 27 });
      await write(
        `UPDATE campaign_recipients SET state = 'claimed' WHERE account_id = $1 AND campaign_id = $2 AND position > 3`,
        [id],
      );
      expect(await pace(id)).toEqual({ ratePerSecond: 0.3, secondsLeft: 14 });
    });

    it('is 0 while nothing is accepted, and then says no time', async () => {
      expect(await pace(await draftOf(1))).toEqual({ ratePerSecond: 0, secondsLeft: null });
    });

    it('is null unless the campaign runs and is not paused', async () => {
      const id = await draftOf(1);
      await accepted(id, soon(1));
      expect(await pace(id, 'completed')).toEqual(NONE);
      expect(await pace(id, 'running', true)).toEqual(NONE);
      expect(await pace(id)).toEqual({ ratePerSecond: 0.1, secondsLeft: 10 });
    });
  });
});
