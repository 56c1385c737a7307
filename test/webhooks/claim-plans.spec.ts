import { recordStatements } from '../../bench/support/recorded-statements.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { newRecordId } from '../../src/values/record-id.js';
import { claimDue } from '../../src/webhooks/delivery/delivery.queries.js';
import { deliveriesSince, freshSince } from '../../src/webhooks/log/delivery-range.js';
import { freshDatabase } from '../support/database.js';
import { World } from '../support/world.js';
import { subscribe } from './events.js';

const PENDING = 20_000;
const CLAIMED = 64;

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('a claim of due deliveries', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase(), env: { PARLEY_ROLES: 'api' } });
  });
  afterAll(() => world.stop());

  it('reads only what it claims, however many are pending and whatever the statistics say', async () => {
    const account = await world.account();
    const { accountId } = account;
    const endpointId = await subscribe(account, { url: 'https://hooks.example' });
    const [statement] = await recordStatements((tx) =>
      claimDue(accountId, endpointId, deliveriesSince(freshSince()), CLAIMED, 1000, tx),
    );
    const values = statement?.parameters.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ');
    /** The most rows of deliveries that a single plan node has read. */
    const read = async (tx: Tx): Promise<number> => {
      const row = await tx.row<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE claim(${values})`,
      );
      const nodes = row === null ? [] : nodesOf(row['QUERY PLAN'][0].Plan);
      const scans = nodes.filter((node) => node['Relation Name']?.startsWith('webhook_deliveries') === true);
      return Math.max(
        ...scans.map(
          (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * Math.max(1, node['Actual Loops']),
        ),
      );
    };
    await world.unitOfWork.transaction(async (tx) => {
      await tx.rows('SET LOCAL plan_cache_mode = force_generic_plan');
      await tx.rows(`PREPARE claim AS ${statement?.text}`);
      expect(await read(tx)).toBe(0);
      await tx.affected(
        `INSERT INTO webhook_deliveries (account_id, id, endpoint_id, event_id, kind, retries_left)
         SELECT $1, new_record_id(), $2, $3, 'message.sent', 3 FROM generate_series(1, $4::int)`,
        [accountId, endpointId, newRecordId(), PENDING],
      );
      expect(await read(tx)).toBe(CLAIMED);
      await tx.rows('ANALYZE webhook_deliveries');
      // Rows of the previous claim are skipped.
      expect(await read(tx)).toBeLessThanOrEqual(2 * CLAIMED);
      expect(await read(tx)).toBeLessThanOrEqual(3 * CLAIMED);
    });
  });
});
